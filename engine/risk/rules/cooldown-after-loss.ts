import { Exact, exact, ZERO } from '../../platform/decimal.ts';
import { allOrNothing, type CheckInput, defineRule, type Finding } from '../rule.ts';

export const cooldownAfterLoss = defineRule({
  name: 'cooldownAfterLossSec',
  title: 'Pause after a loss',
  unit: 'seconds',
  column: 'cooldown_after_loss_sec',
  default: 300,
  isWhole: true,
  looser: 'lower',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'Buys are denied this long after a losing sell.',
  description: 'Seconds after a losing sell in which buys are denied.',
  phrase: '{actual} of {limit}',
  evaluate,
  usage,
  headroom: allOrNothing(evaluate),
  sentence: (limit, actual) => `cooldownAfterLossSec is ${limit}, the last loss was ${actual} seconds ago.`,
});

const elapsedSec = (since: Date, now: Date): Exact => exact(now.getTime() - since.getTime()).div(1_000);

function evaluate({ limit, account: { lastLossAt }, now }: CheckInput): Finding {
  if (lastLossAt === null) return { actual: null, verdict: 'pass', note: noteOf(lastLossAt) };
  const actual = elapsedSec(lastLossAt, now);
  return { actual, verdict: actual.lt(limit) ? 'deny' : 'pass', note: noteOf(lastLossAt) };
}

/** Returns the remaining cooldown as the used part of the limit. */
function usage({ limit, account: { lastLossAt }, now }: CheckInput): { used: Exact; note: string } {
  const used = lastLossAt === null ? ZERO : Exact.max(limit.minus(elapsedSec(lastLossAt, now)), ZERO);
  return { used, note: noteOf(lastLossAt) };
}

const noteOf = (lastLossAt: Date | null): string =>
  lastLossAt === null ? 'no loss yet' : `last loss at ${lastLossAt.toISOString()}`;
