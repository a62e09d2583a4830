import { type Exact, ZERO } from '../../platform/decimal.ts';
import type { Drawdown } from '../risk-inputs.ts';
import { allOrNothing, type CheckInput, defineRule, type Finding } from '../rule.ts';

export const maxDrawdown = defineRule({
  name: 'maxDrawdown',
  title: 'Drawdown stop',
  usageTitle: 'Below the high-water mark',
  unit: 'USD',
  column: 'max_drawdown',
  default: null,
  isWhole: false,
  looser: 'higher',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'Once the account is this far below its highest since this was set, buys are denied until this rule is changed.',
  description:
    'USD. Buys are denied once profit is this far below its highest since the rule was turned on, until it is changed. Deposits and withdrawals are no part of it. Null: off.',
  evaluate,
  usage,
  headroom: allOrNothing(evaluate),
  sentence: (limit, actual) =>
    `maxDrawdown is ${limit} USD, the account is ${actual} USD below its high-water mark.`,
});

/** Whether the drawdown has reached its limit. Equality counts as reached, as with the daily loss. */
export const isDrawdownReached = (limit: Exact, below: Exact): boolean => below.gte(limit);

const belowOf = (drawdown: Drawdown | null): Exact => drawdown?.below ?? ZERO;

/** Ignores stale marks: `maxDailyLoss`, which is never off, denies every buy on them. */
function evaluate({ limit, account: { drawdown } }: CheckInput): Finding {
  const actual = belowOf(drawdown);
  if (drawdown?.trippedAt != null) {
    const since = drawdown.trippedAt.toISOString();
    const message = `maxDrawdown was reached at ${since}: buys are denied until this rule is changed.`;
    return { actual, verdict: 'deny', note: `tripped at ${since}`, denial: { message } };
  }
  return { actual, verdict: isDrawdownReached(limit, actual) ? 'deny' : 'pass' };
}

function usage({ account: { drawdown } }: CheckInput): { used: Exact; note?: string } {
  const used = belowOf(drawdown);
  if (drawdown?.trippedAt == null) return { used };
  return { used, note: `tripped at ${drawdown.trippedAt.toISOString()}: no buys until this rule is changed` };
}
