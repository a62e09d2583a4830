import { t } from '../language/language.ts';
import { amount, format } from './number.ts';

const DIGITS = 7;

/** The value of a node in words: a number to seven digits, `true`, `false`, or a dash if there is none. */
export function nodeValueWords(value: number | boolean | null): string {
  if (value === null) return '—';
  return typeof value === 'boolean'
    ? value
      ? t('true')
      : t('false')
    : amount(Number(value.toPrecision(DIGITS)));
}

const compact = format({ notation: 'compact', maximumSignificantDigits: 3 });

/** A number below this has more zeros than fit. */
const TINY = 0.001;

const tiny = format({ maximumSignificantDigits: 2 });

/** A value short enough to fit beside an edge: `76.6K`, `0.00026`. */
export function shortValue(value: number | boolean): string {
  if (typeof value === 'boolean') return nodeValueWords(value);
  const isTiny = value !== 0 && Math.abs(value) < TINY;
  return isTiny ? tiny(value) : compact(value);
}
