import { shortToken } from '../../format/number.ts';
import type { Issue } from './model.ts';
import type { Field } from './schema.ts';

/** Settings whose name says too little, or says it to a programmer. */
const TITLES: Readonly<Record<string, string>> = {
  maxAgeSec: 'Ignore quotes older than (s)',
  ifTrueAtDeploy: 'If already true at deploy',
  sampleSec: 'Sample every (s)',
  everySec: 'Every (s)',
  seconds: 'Seconds',
  windowSec: 'In a window of (s)',
  maxHoldSec: 'Hold no longer than (s)',
  beforeCloseSec: 'Sell before the close by (s)',
  maxCount: 'At most so often',
  capByHeadroom: 'No more than the rules allow',
  closedOnly: 'Closed candles only',
  volume24h: 'Volume in 24 h',
  k: 'How many',
  op: 'Operation',
  maxPosition: 'Largest position',
  maxSpread: 'Widest spread',
  minDepth: 'Least depth',
};

/** `takeProfit` is `Take profit`. */
export function titleOf(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  return TITLES[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a setting is: the catalogue's words, what it may be, and what programs call it. */
export function settingHelp(field: Field): string {
  const { name, description, fallback } = field;
  const bounds = field.kind === 'number' ? rangeWords(field.min, field.max) : '';
  const usual = fallback === undefined ? '' : `Where nothing is written: ${optionWords(String(fallback))}.`;
  return [description, bounds, usual, `In the API: ${name}.`].filter((part) => part !== '').join(' ');
}

function rangeWords(min: number | null, max: number | null): string {
  if (min === null) return max === null ? '' : `Not above ${max}.`;
  return max === null ? `Not below ${min}.` : `Between ${min} and ${max}.`;
}

const OPTIONS: Readonly<Record<string, string>> = {
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  crossesAbove: 'crosses above',
  crossesBelow: 'crosses below',
  atLeast: 'at least',
  fire: 'act now',
  wait: 'wait until it is true again',
  gtc: 'until canceled',
  ioc: 'immediate or cancel',
  secondsToClose: 'seconds to close',
  volume24h: 'volume in 24 h',
  change24h: 'change in 24 h',
  openInterest: 'open interest',
  averageCost: 'average cost',
  unrealizedPnl: 'unrealized P&L',
  unrealizedPct: 'unrealized %',
  priceForSize: 'price for size',
};

/** A value of a list of choices, as people write it. */
export const optionWords = (option: string): string => OPTIONS[option] ?? option;

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** Seconds in the largest unit that says them exactly. */
function span(seconds: number): string {
  const unit = UNITS.find(([size]) => seconds >= size && seconds % size === 0);
  return unit ? `${seconds / unit[0]} ${unit[1]}` : `${seconds} s`;
}

const share = (value: number) => `${Number((value * 100).toPrecision(6))}%`;

/** What a number in a summary is, by the setting it is of. */
const SAID: Readonly<Record<string, (value: number) => string>> = {
  everySec: (value) => span(value),
  seconds: (value) => span(value),
  sampleSec: (value) => `each ${span(value)}`,
  windowSec: (value) => `in ${span(value)}`,
  maxHoldSec: (value) => `hold ≤ ${span(value)}`,
  beforeCloseSec: (value) => `${span(value)} before close`,
  maxAgeSec: (value) => `age ≤ ${span(value)}`,
  maxCount: (value) => `${value}×`,
  maxSpread: (value) => `spread ≤ ${value}`,
  minDepth: (value) => `depth ≥ ${value}`,
  maxPosition: (value) => `position ≤ ${value}`,
  takeProfit: (value) => `profit ${share(value)}`,
  stopLoss: (value) => `loss ${share(value)}`,
  trailing: (value) => `trailing ${share(value)}`,
  slippageCap: (value) => `slippage ≤ ${share(value)}`,
  fraction: (value) => share(value),
  notional: (value) => `${value} USD`,
  value: (value) => String(value),
  amount: (value) => String(value),
};

/** The text of a setting in the line under the name of its node. */
export function settingWords(name: string, value: unknown): string {
  if (typeof value === 'string')
    return Object.hasOwn(OPTIONS, value) ? optionWords(value) : shortToken(value);
  if (typeof value !== 'number') return '';
  return SAID[name]?.(value) ?? `${titleOf(name).toLowerCase()} ${value}`;
}

/** What is wrong, in the words of the form: the server names settings as the API does. */
export function issueWords({ code, path, message }: Pick<Issue, 'code' | 'path' | 'message'>): string {
  const name = path.split('/').at(-1) ?? '';
  if (code !== 'missing_setting')
    return path.includes('/config/') ? message.replaceAll(`“${name}”`, `“${titleOf(name)}”`) : message;
  return message.includes('gte') ? 'Choose a comparison.' : `“${titleOf(name)}” is missing.`;
}
