import { exact } from '../../../platform/decimal.ts';
import type { AccountEvent } from '../../../platform/events/events.ts';
import { type DrawdownState, drawdownOf, drawdownStateAfter } from '../../../risk/drawdown-state.ts';
import { staleMarkOf } from '../../../risk/mark-age.ts';
import { dayPnl, profitOf, type RiskSnapshot } from '../../../risk/risk-snapshot.ts';
import { isLossReached } from '../../../risk/rules/max-daily-loss.ts';
import type { OrderRow } from '../row.ts';
import type { DecisionOutcome } from './order-change.ts';
import { planBuyCancels } from './plan-cancel.ts';

/** Whether the daily loss has reached its limit and the trip is not recorded yet. */
export const mustStopForDailyLoss = (snapshot: RiskSnapshot): boolean =>
  snapshot.trippedAt === null && isLossReached(snapshot.rules.maxDailyLoss, dayPnl(snapshot));

/** Reason of a trip, and its effects on the account's buys. */
export type DailyLossStop = { readonly reason: string; readonly outcome: DecisionOutcome };

/**
 * Latches the daily loss: until 00:00 UTC, or until this rule is changed, every buy is denied. Among these orders, resting buys
 * are canceled and pending ones declined (`daily_loss`); sells continue. The actor is the service, for every caller.
 */
export function planDailyLossStop(
  snapshot: RiskSnapshot,
  orders: readonly OrderRow[],
  now: Date,
): DailyLossStop {
  const loss = dayPnl(snapshot).negated().toFixed();
  const limit = snapshot.rules.maxDailyLoss;
  const reason = `The loss since 00:00 UTC reached maxDailyLoss: ${loss} of ${limit} USD.`;
  const at = now.toISOString();
  const notices: AccountEvent[] = [
    { type: 'daily_loss.tripped', payload: { at, loss, limit } },
    { type: 'notification', payload: { kind: 'daily_loss', at, text: reason } },
  ];
  const { changes, events } = planBuyCancels(
    orders,
    { reasonCode: 'daily_loss', reason, declinePending: true },
    { actor: 'system', now },
  );
  return {
    reason,
    outcome: {
      changes,
      audits: [
        {
          action: 'daily_loss.tripped',
          subjectId: null,
          before: null,
          after: { loss, limit, rulesVersion: snapshot.rulesVersion },
          at: now,
        },
      ],
      events: [...notices, ...events],
    },
  };
}

/** Updates the watch of the drawdown stop; null if it is off, or nothing changes. */
export function nextDrawdownWatch(snapshot: RiskSnapshot, now: Date): DrawdownState | null {
  const { watch, rules, held } = snapshot;
  if (watch === null || rules.maxDrawdown === undefined) return null;
  const measurement = { profit: profitOf(snapshot), isStale: staleMarkOf(held, now) !== null };
  const after = drawdownStateAfter(watch, exact(rules.maxDrawdown), measurement, now);
  return after === watch ? null : after;
}

/** Whether the updated watch has just tripped. */
export const hasDrawdownJustStopped = ({ watch }: RiskSnapshot, after: DrawdownState): boolean =>
  after.trippedAt !== null && watch?.trippedAt !== after.trippedAt;

/** Whether a check at `now` stops the account, so that its buys are canceled. */
export function mustStopBuys(snapshot: RiskSnapshot, now: Date): boolean {
  const watch = nextDrawdownWatch(snapshot, now);
  return mustStopForDailyLoss(snapshot) || (watch !== null && hasDrawdownJustStopped(snapshot, watch));
}

/**
 * Latches the drawdown stop: until its rule is changed, every buy is denied. Among these orders, resting buys are canceled and
 * pending ones declined (`drawdown`); sells continue.
 */
export function planDrawdownStop(
  snapshot: RiskSnapshot,
  after: DrawdownState,
  orders: readonly OrderRow[],
  now: Date,
): DecisionOutcome {
  const below = drawdownOf(after, profitOf(snapshot)).below.toFixed();
  const limit = snapshot.rules.maxDrawdown ?? null;
  const reason = `The account fell to maxDrawdown below its high-water mark: ${below} of ${limit} USD.`;
  const at = now.toISOString();
  const { changes, events } = planBuyCancels(
    orders,
    { reasonCode: 'drawdown', reason, declinePending: true },
    { actor: 'system', now },
  );
  const highWaterMark = after.highWaterMark.toFixed();
  return {
    changes,
    audits: [
      {
        action: 'drawdown.tripped',
        subjectId: null,
        before: null,
        after: { below, limit, highWaterMark, rulesVersion: snapshot.rulesVersion },
        at: now,
      },
    ],
    events: [
      { type: 'drawdown.tripped', payload: { at, below, limit } },
      { type: 'notification', payload: { kind: 'drawdown', at, text: reason } },
      ...events,
    ],
  };
}
