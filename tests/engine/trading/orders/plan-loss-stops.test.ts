import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import type { RiskSnapshot } from '../../../../engine/risk/risk-snapshot.ts';
import {
  mustStopForDailyLoss,
  planDailyLossStop,
} from '../../../../engine/trading/orders/lifecycle/plan-loss-stops.ts';
import { SNAPSHOT } from '../../risk/risk-snapshot.ts';
import { NOW } from './market.ts';
import { at, changedTo, order } from './order.ts';

const dayOf = (realizedPnl: string, terms: Partial<RiskSnapshot> = {}): RiskSnapshot => ({
  ...SNAPSHOT,
  held: [],
  day: { realizedPnl: exact(realizedPnl), openingUnrealizedPnl: exact(0) },
  ...terms,
});

test('the account trips as soon as the daily loss equals its limit, and not a decimal before', () => {
  expect(mustStopForDailyLoss(dayOf('-250'))).toBe(true);
  expect(mustStopForDailyLoss(dayOf('-250.000000000001'))).toBe(true);
  expect(mustStopForDailyLoss(dayOf('-249.999999999999'))).toBe(false);
  expect(mustStopForDailyLoss(dayOf('250'))).toBe(false);
});

test('a tripped account does not trip again', () => {
  expect(mustStopForDailyLoss(dayOf('-9999', { trippedAt: new Date(0) }))).toBe(false);
});

test('whatever the realized result, a day trips exactly from its limit on', () => {
  fc.assert(
    fc.property(fc.integer({ min: -500_000, max: 500_000 }), (thousandths) => {
      const pnl = exact(thousandths).div(1_000);
      expect(mustStopForDailyLoss(dayOf(pnl.toFixed()))).toBe(pnl.lte(-250));
    }),
  );
});

test('the trip event has the loss and its limit, and a message for a person', () => {
  const { reason, outcome } = planDailyLossStop(dayOf('-250.5'), [], NOW);
  expect(reason).toBe('The loss since 00:00 UTC reached maxDailyLoss: 250.5 of 250 USD.');
  expect(outcome).toEqual({
    changes: [],
    audits: [
      {
        action: 'daily_loss.tripped',
        subjectId: null,
        before: null,
        after: { loss: '250.5', limit: '250', rulesVersion: 3 },
        at: NOW,
      },
    ],
    events: [
      { type: 'daily_loss.tripped', payload: { at: at(0), loss: '250.5', limit: '250' } },
      { type: 'notification', payload: { kind: 'daily_loss', at: at(0), text: reason } },
    ],
  });
});

test('resting buys are canceled and pending ones declined, by the system and for this reason; sells continue', () => {
  const orders = [
    order({ id: 'rests' }),
    order({ id: 'waits', status: 'pending' }),
    order({ id: 'sells', side: 'sell' }),
  ];
  const { reason, outcome } = planDailyLossStop(dayOf('-300'), orders, NOW);
  const why = { reason_code: 'daily_loss', reason };
  expect(outcome.changes).toMatchObject([
    { before: { id: 'rests' }, set: { ...why, cancel_requested_at: at(0) }, step: null },
    {
      before: { id: 'waits' },
      set: { ...why, status: 'declined' },
      step: { to: 'declined', actor: 'system', reason },
    },
  ]);
  expect(outcome.events.slice(2)).toEqual([
    changedTo('open', { id: 'rests' }),
    changedTo('declined', { id: 'waits' }),
  ]);
});
