import type { AccountEvent } from '../../events.ts';
import { type Basis, dayPnl } from '../../risk/basis.ts';
import { isLossReached } from '../../risk/rules/max-daily-loss.ts';
import type { OrderRow } from '../row.ts';
import type { Outcome } from './order-change.ts';
import { takeBackBuys } from './taking-back.ts';

/** Whether the loss of the day has reached its limit and the account does not know yet. */
export const isToTrip = (basis: Basis): boolean =>
  basis.trippedAt === null && isLossReached(basis.rules.maxDailyLoss, dayPnl(basis));

/** What the account is told, and what becomes of its buys. */
export type Trip = { readonly reason: string; readonly outcome: Outcome };

/**
 * The daily loss latches: until 00:00 UTC, or until this rule is changed, no buy passes. Of these orders, buys that rest
 * are canceled and pending ones declined (`daily_loss`); sells go on. The service does it, whoever asked for what found it.
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
