import { type DecimalInput, Exact, exact, ZERO } from '../../platform/decimal.ts';
import { MARK_MAX_AGE_SEC, type StaleMark } from '../mark-age.ts';
import { allOrNothing, type CheckInput, defineRule, type Finding } from '../rule.ts';

export const maxDailyLoss = defineRule({
  name: 'maxDailyLoss',
  title: 'Daily loss',
  unit: 'USD',
  column: 'max_daily_loss',
  default: '250',
  isWhole: false,
  looser: 'higher',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'Once the day, from 00:00 UTC, has lost this much, buys are denied until it ends or this rule is changed.',
  description: 'USD. Buys are denied once the day (00:00 UTC) has lost this much.',
  evaluate,
  usage,
  headroom: allOrNothing(evaluate),
  sentence: (limit, actual) => `maxDailyLoss is ${limit} USD, the loss since 00:00 UTC is ${actual} USD.`,
});

/** USD lost in a day; 0 for a profit. */
export const lossOf = (dayPnl: Exact): Exact => Exact.max(dayPnl.negated(), ZERO);

/** Whether the daily loss has reached its limit. Equality counts as reached, so that a limit of 0 denies every buy. */
export const isLossReached = (limit: DecimalInput, dayPnl: Exact): boolean =>
  lossOf(dayPnl).gte(exact(limit));

function evaluate({ limit, account: { dayPnl, trippedAt, staleMark } }: CheckInput): Finding {
  const actual = lossOf(dayPnl);
  if (trippedAt !== null) {
    const since = trippedAt.toISOString();
    const message = `maxDailyLoss was reached at ${since}: buys are denied until 00:00 UTC, or until this rule is changed.`;
    return { actual, verdict: 'deny', note: `tripped at ${since}`, denial: { message } };
  }
  if (isLossReached(limit, dayPnl)) return { actual, verdict: 'deny' };
  if (staleMark !== null) {
    const stale = staleInWords(staleMark);
    const message = `maxDailyLoss needs marks at most ${MARK_MAX_AGE_SEC} s old: ${stale}.`;
    return {
      actual,
      verdict: 'deny',
      note: `stale_marks: ${stale}`,
      denial: { code: 'stale_marks', message },
    };
  }
  return { actual, verdict: 'pass' };
}

/** Notes also when buys are denied with limit left: the account has tripped, or the marks are too old. */
function usage({ account: { dayPnl, trippedAt, staleMark } }: CheckInput): { used: Exact; note?: string } {
  const used = lossOf(dayPnl);
  if (trippedAt !== null) {
    const since = trippedAt.toISOString();
    return { used, note: `tripped at ${since}: no buys until 00:00 UTC, or until this rule is changed` };
  }
  return staleMark === null
    ? { used }
    : { used, note: `stale_marks: no buys while ${staleInWords(staleMark)}` };
}

const staleInWords = ({ tokenId, ageSec }: StaleMark): string =>
  ageSec === null ? `there is no bid for ${tokenId} yet` : `the last bid for ${tokenId} is ${ageSec} s old`;
