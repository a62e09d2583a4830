import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { SimulatedBooks } from '../../../../engine/research/account/simulated-books.ts';
import { Account } from '../../../../engine/trading/orders/entry/account/account.ts';
import { NO_EXTRA_LIMITS } from '../../../../engine/trading/orders/entry/account/books.ts';
import { DecisionData, type Loaded } from '../../../../engine/trading/orders/entry/account/decision-data.ts';
import type { ProposedIntent } from '../../../../engine/trading/orders/entry/proposed-intent.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../../../engine/trading/orders/settings.ts';
import { rulesWith } from '../../../support/backtest.ts';
import { countingIds } from '../../../support/recorded-game.ts';
import { position } from './answer.ts';
import { INSTRUMENT, market, NOW, refusalOf } from './market.ts';
import { at, order } from './order.ts';

const TOKENS = ['KXTEST:yes', 'KXOTHER:yes'];
const SETTINGS = DEFAULT_TRADING_SETTINGS;
const KEY = { accountId: 'a', mode: 'paper' } as const;
const DOING = { actor: 'system', now: NOW };
const NO_CHANGES = { day: null, orders: [], changes: [], trip: null, watch: null, audits: [], events: [] };

/** All rows of an account that holds positions of two blueprints, some of which a sell has reserved. */
function allRows(patch: Parameters<typeof rulesWith>[0]): SimulatedBooks {
  const account = { cash: '60', realized_pnl: '0', last_loss_at: null, tripped_at: null, trip_reason: null };
  const rows = new SimulatedBooks({
    key: KEY,
    rules: rulesWith(patch),
    account: { account_id: 'a', mode: 'paper', ...account, created_at: at(-9) },
  });
  for (const token_id of TOKENS) {
    const { quote } = market({ quote: { token_id } });
    const marked = { mark_price: '0.48', mark_at: at(0), no_bid_since: null, mark_fell_at: null };
    rows.instruments.set(token_id, { ...INSTRUMENT, token_id });
    if (quote === null) throw new Error('It is quoted.');
    rows.quotes.set(token_id, {
      ...quote,
      ...marked,
      ...{ mark_before_fall: null, seen_at: at(0), touch_known: true, seq: '1', volume24h: null },
      ...{ open_interest: null, change24h: null },
    });
  }
  rows.deployments.set('d-1', {
    ...{ id: 'd-1', blueprint_id: 'b-1', release_number: 3, ended_at: null, halted: false },
  });
  rows.positions.set('p-1', position('p-1', '10', { total_cost: '5', blueprint_id: 'b-1' }));
  rows.positions.set('p-2', position('p-2', '7', { total_cost: '3', blueprint_id: 'b-2' }));
  const sell = order({ id: 's', side: 'sell', status: 'queued', blueprint_id: 'b-2', deployment_id: null });
  rows.insertOrder(sell, [{ positionId: 'p-2', amount: exact(2) }], 'system');
  return rows;
}

/** The same rows as the service loads them. */
function loaded(rows: SimulatedBooks, more: Partial<Loaded> = {}): DecisionData {
  return new DecisionData(KEY, {
    deployments: [...rows.deployments.values()],
    ordersOfSteps: [],
    markets: new Map(TOKENS.map((tokenId) => [tokenId, rows.market(tokenId)])),
    holdings: TOKENS.flatMap((tokenId) =>
      rows.holdings({ tokenId, blueprintId: null, now: NOW }).map((held) => ({ ...held, tokenId })),
    ),
    sells: rows.liveOrders(),
    waitingSells: [],
    snapshot: rows.snapshot(NOW),
    bounds: NO_EXTRA_LIMITS,
    liveBuys: [],
    rechecked: null,
    ...more,
  });
}

const wish = fc.record({
  tokenId: fc.constantFrom(...TOKENS, 'KXNONE:yes'),
  side: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom('limit', 'market'),
  amount: fc.constantFrom('1', '3', '8', '40', '0.5'),
  node: fc.nat(3),
  isOfGraph: fc.boolean(),
  blueprintId: fc.constantFrom('b-1', 'b-2'),
});

const intentOf = (
  { node, isOfGraph, blueprintId, ...wished }: typeof wish extends fc.Arbitrary<infer W> ? W : never,
  place: number,
): ProposedIntent => ({
  ...wished,
  origin: 'order',
  blueprintId: isOfGraph ? 'b-1' : blueprintId,
  timeInForce: 'gtc',
  limitPrice: '0.5',
  inputs: null,
  ...(isOfGraph && { deploymentId: 'd-1', nodeId: `n-${node}`, stepAt: new Date(NOW.getTime() + place) }),
});

const limits = fc.record({
  maxOrderSize: fc.constantFrom(20, 3),
  maxOpenPositions: fc.constantFrom(5, 1),
  maxOrdersPerMinute: fc.constantFrom(60, 2),
  requireApprovalAbove: fc.constantFrom(100, 2),
});

const decided = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return String(error);
  }
};

describe('loaded books', () => {
  test('let an account decide one intent after the other as it would over all its rows', () => {
    fc.assert(
      fc.property(limits, fc.array(wish, { maxLength: 12 }), (patch, wishes) => {
        const rows = allRows(patch);
        const books = loaded(rows);
        const over = (own: SimulatedBooks | DecisionData) =>
          new Account(own, { newId: countingIds(1), settings: SETTINGS });
        const [all, own] = [over(rows), over(books)];
        for (const [place, wished] of wishes.entries()) {
          const intent = intentOf(wished, place);
          expect(decided(() => books.attempt(() => own.propose(intent, DOING)))).toEqual(
            decided(() => all.propose(intent, DOING)),
          );
        }
        const orders = [...rows.orders.values()].filter(({ id }) => id !== 's');
        expect(books.made.orders.map((born) => born.order)).toEqual(orders);
        expect(books.made.events).toEqual(rows.events.map(({ type, payload }) => ({ type, payload })));
      }),
    );
  });

  test('are unchanged after a decision that threw, whatever it had changed', () => {
    const books = loaded(allRows({}));
    const attempt = () =>
      books.attempt(() => {
        books.insertOrder(order({ id: 'new', side: 'sell', status: 'queued' }), [], 'system');
        books.trip(NOW, 'The loss of the day.');
        throw new Error('No.');
      });
    expect(attempt).toThrow('No.');
    expect(books.made).toEqual(NO_CHANGES);
    expect(books.isSpent).toBe(false);
    expect(books.liveSells().map(({ id }) => id)).toEqual(['s']);
  });

  test('are stale once anything but new orders has changed', () => {
    const books = loaded(allRows({}));
    books.insertOrder(order({ id: 'new' }), [], 'system');
    expect(books.isSpent).toBe(false);
    books.trip(NOW, 'The loss of the day.');
    expect(books.isSpent).toBe(true);
    expect(books.snapshot().trippedAt).toBe(NOW);
  });

  test('return the order that a step has already raised, in whichever form its time is written', () => {
    const first = order({ deployment_id: 'd-1', node_id: 'n-1', step_at: '2026-11-20 12:00:00+00' });
    const books = loaded(allRows({}), { ordersOfSteps: [first] });
    const account = new Account(books, { newId: countingIds(1), settings: SETTINGS });
    const wished = {
      tokenId: TOKENS[0] ?? '',
      side: 'buy',
      type: 'limit',
      amount: '1',
      node: 1,
      blueprintId: 'b-1',
    } as const;
    expect(account.propose(intentOf({ ...wished, isOfGraph: true }, 0), DOING)).toBe(first);
    expect(
      refusalOf(() => account.propose(intentOf({ ...wished, isOfGraph: true, tokenId: 'X' }, 1), DOING)).code,
    ).toBe('not_found');
  });
});
