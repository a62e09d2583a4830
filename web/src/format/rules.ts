import { amount, counted, usd } from './number.ts';
import { clockTime } from './time.ts';

/** The six rules in the order a person reads them, and how each is written. */
export const RULES = [
  {
    name: 'maxOrderSize',
    title: 'Largest order',
    unit: 'USD',
    help: 'A larger buy is denied. 0 allows exits only.',
    looser: 'higher',
  },
  {
    name: 'requireApprovalAbove',
    title: 'Approval above',
    unit: 'USD',
    help: 'A larger order waits for a person.',
    looser: 'higher',
  },
  {
    name: 'maxOpenPositions',
    title: 'Open positions',
    unit: 'instruments',
    help: 'Distinct instruments held or being bought.',
    looser: 'higher',
  },
  {
    name: 'maxOrdersPerMinute',
    title: 'Orders a minute',
    unit: 'orders',
    help: 'Buys cleared for sending in any 60 seconds. Sells never count.',
    looser: 'higher',
  },
  {
    name: 'maxDailyLoss',
    title: 'Daily loss',
    unit: 'USD',
    help: 'Once the day, from 00:00 UTC, has lost this much, buys are denied until it ends or this rule is changed.',
    looser: 'higher',
  },
  {
    name: 'cooldownAfterLossSec',
    title: 'Pause after a loss',
    unit: 'seconds',
    help: 'Buys are denied this long after a losing sell.',
    looser: 'lower',
  },
] as const;

export type RuleName = (typeof RULES)[number]['name'];
export type Rule = (typeof RULES)[number];

export const ruleOf = (name: string): Rule | undefined => RULES.find((rule) => rule.name === name);

/** What a receipt judges besides the rules. */
const HOLDINGS: Readonly<Record<string, { title: string; unit: string }>> = {
  buyingPower: { title: 'Free cash', unit: 'USD' },
  heldAndFree: { title: 'Held and free', unit: 'units' },
};

/** The name a receipt's line goes by. */
export const ruleTitle = (name: string): string => ruleOf(name)?.title ?? HOLDINGS[name]?.title ?? name;

/** The name a bar of use goes by: it says what is counted, not what is limited. */
export const usageTitle = (name: string): string => USAGE_TITLES[name] ?? ruleTitle(name);

const USAGE_TITLES: Readonly<Record<string, string>> = {
  buyingPower: 'Cash set aside',
  maxOpenPositions: 'Held or being bought',
};

/** A limit or a use of it, with its unit. */
export function ruleValue(name: string, value: number | null): string {
  if (value === null) return '—';
  const unit = (ruleOf(name) ?? HOLDINGS[name])?.unit ?? 'USD';
  if (unit === 'USD') return usd(value);
  return unit === 'seconds' ? `${amount(Math.round(value))} s` : amount(value);
}

/** Whether a change lets more happen than before. */
export const loosens = (rule: Rule, before: number, after: number): boolean =>
  rule.looser === 'higher' ? after > before : after < before;

/** `Loosen 1 rule`, `Tighten 2 rules`, `Loosen 1 rule and tighten 1`. */
export function reviewWords(loosened: number, tightened: number): string {
  if (loosened === 0) return `Tighten ${counted(tightened, 'rule')}`;
  return `Loosen ${counted(loosened, 'rule')}${tightened > 0 ? ` and tighten ${tightened}` : ''}`;
}

const RULE_NAMES = new RegExp(`\\b(${RULES.map(({ name }) => name).join('|')})\\b`, 'g');

/** The service's own reason in what a person reads: rules by their titles, money in cents, times, and no code before it. */
export const reasonWords = (reason: string): string =>
  reason
    .replace(/^[a-z]+(?:_[a-z]+)+: /, '')
    .replace(RULE_NAMES, (name) => ruleTitle(name))
    .replaceAll(/(-?\d+(?:\.\d+)?) USD\b/g, (_all, value: string) => usd(Number(value)))
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => clockTime(new Date(iso), 'utc'));
