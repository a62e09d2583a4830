import { translateReason as reasonOf, t } from '../language/language.ts';
import { amount, usd } from './number.ts';
import { clockTime } from './time.ts';

/** A check with a line in a receipt or a usage bar, as the service describes it. */
type Check = {
  name: string;
  title: string;
  unit: string;
  phrase?: string | undefined;
  usageTitle?: string | undefined;
};

type ReceiptLine = { rule: string; limit: number; actual: number | null; verdict: string };

/** Names of rules and formats of their numbers. A rule without a description has its own name. */
export type RuleWords = {
  title(name: string): string;
  /** The title of a usage bar: it says what is counted, not what is limited. */
  usageTitle(name: string): string;
  /** A limit or a use of it, with its unit. */
  value(name: string, value: number | null): string;
  /** Value and limit of a line, always both. */
  line(line: ReceiptLine): string;
  /** The service's reason for display: rules by their titles, money in cents, local times, and no code in front. */
  reason(reason: string): string;
};

export function ruleWords(checks: readonly Check[]): RuleWords {
  const byName = new Map(checks.map((check) => [check.name, check]));
  const title = (name: string) => byName.get(name)?.title ?? name;
  const value = (name: string, number: number | null) => inUnit(byName.get(name)?.unit ?? 'USD', number);
  return {
    title,
    value,
    usageTitle: (name) => byName.get(name)?.usageTitle ?? title(name),
    line: (line) => lineWords(line, byName.get(line.rule)?.phrase, (number) => value(line.rule, number)),
    reason: (reason) =>
      reasonOf(reason.replace(/^[a-z]+(?:_[a-z]+)+: /, ''))
        .replaceAll(/\w+/g, (word) => (isCode(word) ? title(word) : word))
        .replaceAll(/(-?\d{1,30}(?:\.\d{1,30})?) USD\b/g, (_all, number: string) => usd(Number(number)))
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => clockTime(new Date(iso), 'utc')),
  };
}

/** Whether a word may be the name of a rule. A name of one word, such as `connection`, is a word of sentences too. */
const isCode = (word: string): boolean => word !== word.toLowerCase();

function inUnit(unit: string, value: number | null): string {
  if (value === null) return '—';
  if (unit === 'USD') return usd(value);
  return unit === 'seconds' ? `${amount(Math.round(value))} s` : amount(value);
}

function lineWords(
  { actual, limit, verdict }: ReceiptLine,
  phrase: string | undefined,
  write: (number: number) => string,
): string {
  if (verdict === 'skipped' || actual === null) return '';
  const sign = actual > limit ? '>' : verdict === 'deny' ? '≥' : '≤';
  return (phrase ?? `{actual} ${sign} {limit}`)
    .replace('{actual}', () => write(actual))
    .replace('{limit}', () => write(limit));
}

/** Whether a change allows more than before. */
export const isLoosening = (
  { looser }: { looser: 'higher' | 'lower' },
  before: number,
  after: number,
): boolean => (looser === 'higher' ? after > before : after < before);

/** The direction of a change of an optional limit: off allows everything. */
export const optionalChange = (before: number | null, after: number | null): 'looser' | 'stricter' =>
  (after ?? Number.POSITIVE_INFINITY) > (before ?? Number.POSITIVE_INFINITY) ? 'looser' : 'stricter';

/** `Loosen 1 rule`, `Tighten 2 rules`, `Loosen 1 rule and tighten 1`. */
export function reviewWords(loosened: number, tightened: number): string {
  if (loosened === 0) return t('Tighten {tightened, plural, one {# rule} other {# rules}}', { tightened });
  if (tightened === 0) return t('Loosen {loosened, plural, one {# rule} other {# rules}}', { loosened });
  return t('Loosen {loosened, plural, one {# rule} other {# rules}} and tighten {tightened}', {
    loosened,
    tightened,
  });
}
