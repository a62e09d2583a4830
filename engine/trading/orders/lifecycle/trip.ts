import { exact } from '../../../platform/decimal.ts';
import type { AccountEvent } from '../../../platform/events/events.ts';
import { type Basis, dayPnl, profitOf } from '../../../risk/basis.ts';
import { drawdownOf, lookedAt, type Watch } from '../../../risk/high-water.ts';
import { staleMarkOf } from '../../../risk/mark-age.ts';
import { isLossReached } from '../../../risk/rules/max-daily-loss.ts';
import type { OrderRow } from '../row.ts';
import type { Outcome } from './order-change.ts';
import { takeBackBuys } from './taking-back.ts';

/** Whether the daily loss has reached its limit and the trip is not recorded yet. */
export const isToTrip = (basis: Basis): boolean =>
  basis.trippedAt === null && isLossReached(basis.rules.maxDailyLoss, dayPnl(basis));

/** Reason of a trip, and its effects on the account's buys. */
export type Trip = { readonly reason: string; readonly outcome: Outcome };

/**
 * Latches the daily loss: until 00:00 UTC, or until this rule is changed, every buy is denied. Among these orders, resting buys
 * are canceled and pending ones declined (`daily_loss`); sells continue. The actor is the service, for every caller.
 */
export function tripOn(basis: Basis, orders: readonly OrderRow[], now: Date): Trip {
  const loss = dayPnl(basis).negated().toFixed();
  const limit = basis.rules.maxDailyLoss;
  const reason = `The loss since 00:00 UTC reached maxDailyLoss: ${loss} of ${limit} USD.`;
  const at = now.toISOString();
  const told: AccountEvent[] = [
    { type: 'daily_loss.tripped', payload: { at, loss, limit } },
    { type: 'notification', payload: { kind: 'daily_loss', at, text: reason } },
  ];
  const { changes, events } = takeBackBuys(
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
          after: { loss, limit, rulesVersion: basis.rulesVersion },
          at: now,
        },
      ],
      events: [...told, ...events],
    },
  };
}

/** Updates the watch of the drawdown stop; null if it is off, or nothing changes. */
export function lookAtDrawdown(basis: Basis, now: Date): Watch | null {
  const { watch, rules, held } = basis;
  if (watch === null || rules.maxDrawdown === undefined) return null;
  const height = { profit: profitOf(basis), isStale: staleMarkOf(held, now) !== null };
  const after = lookedAt(watch, exact(rules.maxDrawdown), height, now);
  return after === watch ? null : after;
}

/** Whether the updated watch has just tripped. */
export const hasStopped = ({ watch }: Basis, after: Watch): boolean =>
  after.trippedAt !== null && watch?.trippedAt !== after.trippedAt;

/** Whether a check at `now` stops the account, so that its buys are canceled. */
export function isToBeStopped(basis: Basis, now: Date): boolean {
  const watch = lookAtDrawdown(basis, now);
  return isToTrip(basis) || (watch !== null && hasStopped(basis, watch));
}

/**
 * Latches the drawdown stop: until its rule is changed, every buy is denied. Among these orders, resting buys are canceled and
 * pending ones declined (`drawdown`); sells continue.
 */
export function stopOn(basis: Basis, after: Watch, orders: readonly OrderRow[], now: Date): Outcome {
  const below = drawdownOf(after, profitOf(basis)).below.toFixed();
  const limit = basis.rules.maxDrawdown ?? null;
  const reason = `The account fell to maxDrawdown below its high-water mark: ${below} of ${limit} USD.`;
  const at = now.toISOString();
  const { changes, events } = takeBackBuys(
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
        after: { below, limit, highWaterMark, rulesVersion: basis.rulesVersion },
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
