/** Writes parts of the words for a node. */
import type { RawSettings } from '../nodes/node.ts';
import { percentOf } from '../values.ts';

const textOf = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

const SPANS = [
  [604_800, 'week'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

function spanOf(value: unknown, isRate = false): string {
  const seconds = Number(value);
  const [size, unit] = SPANS.find(([length]) => seconds >= length && seconds % length === 0) ?? [1, 'second'];
  const count = seconds / size;
  if (count === 1) return isRate ? unit : `1 ${unit}`;
  return `${count} ${unit}s`;
}

const WORDS: Readonly<Record<string, string>> = {
  gt: 'is above',
  gte: 'is at or above',
  lt: 'is below',
  lte: 'is at or below',
  crossesAbove: 'crosses above',
  crossesBelow: 'crosses below',
  secondsToClose: 'seconds to the close',
  volume24h: '24 h volume',
  change24h: '24 h change',
  openInterest: 'open interest',
  averageCost: 'average cost',
  unrealizedPnl: 'unrealized gain',
  unrealizedPct: 'unrealized gain in parts of the cost',
  freeCash: 'free cash',
  dayPnl: 'result of the day',
  nyseSession: 'trading days of the New York Stock Exchange',
  nyseHoliday: 'holidays of the New York Stock Exchange',
  nyseEarlyClose: 'early closes of the New York Stock Exchange',
  fomcDecision: 'decision days of the Federal Open Market Committee',
  priceForSize: 'price',
};

export const PARTS = {
  text: textOf,
  word: (value: unknown): string => WORDS[textOf(value)] ?? textOf(value),
  percent: (value: unknown): string => percentOf(Number(value)),
  share: (value: unknown): string => (value === 1 ? 'all' : percentOf(Number(value))),
  span: spanOf,
  atFee: ({ feeRate = 0, feeExponent = 1 }: RawSettings): string => {
    const exponent = feeExponent === 1 ? '' : ` and exponent ${textOf(feeExponent)}`;
    return feeRate === 0 ? '' : ` at a fee rate of ${textOf(feeRate)}${exponent}`;
  },
  atDeploy: (ifTrueAtDeploy: unknown): string =>
    ifTrueAtDeploy === 'wait' ? '; if it is true at the deploy, only after it was false' : '',
  sampled: (seconds: unknown): string =>
    seconds === undefined ? '' : ` sampled every ${spanOf(seconds, true)}`,
};
