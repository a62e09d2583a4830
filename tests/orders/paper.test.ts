import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../db/tables.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import type { BrokerOrder } from '../../venues/broker.ts';
import { begun } from '../support/begun.ts';
import { openedForFile } from '../support/opened.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { TestPaperVenue } from '../support/paper-venue.ts';
import { BTC, intentOf, openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let market: PaperMarket;
let broker: TestPaperVenue;
beforeEach(async () => {
  market = new PaperMarket(fixture.now);
  await fixture.db
    .updateTable('paper_order')
    .set({ status: 'canceled' })
    .where('status', '=', 'open')
    .execute();
  await fixture.quote(YES);
  broker = new TestPaperVenue({ pool: fixture.pool, marketData: market, clock: fixture.clock });
});

/** An order for ten YES at up to 0.52, arriving in time, unless specified otherwise. */
async function order(more: Partial<BrokerOrder> = {}): Promise<BrokerOrder> {
  const accountId = more.accountId ?? (await fixture.trader()).accountId;
  return {
    accountId,
    mode: 'paper',
    id: crypto.randomUUID(),
    tokenId: YES,
    venue: 'venue-a',
    side: 'buy',
    timeInForce: 'ioc',
    amount: '10',
    limitPrice: '0.52',
    validUntil: new Date(fixture.now().getTime() + 10_000),
    goodTill: null,
    ...more,
  };
}

/** Waits until a statement waits for a lock of another transaction. */
async function untilSomebodyWaits(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    );
    if (rows.length > 0) return;
    await sleep(10);
  }
}

const trades = (state: Awaited<ReturnType<TestPaperVenue['find']>>) =>
  state?.fills.map(({ amount, price, fee }) => [amount, price, fee]);

describe('an arriving order', () => {
  test('the same offers are not taken twice by one account; another account sees them whole', async () => {
    const asOf = fixture.now().toISOString();
    market.show(YES, { asks: [['0.5', '8']], asOf });
    const first = await order({ amount: '5' });
    const second = await order({ accountId: first.accountId, amount: '5' });
    expect(trades(await broker.place(first))).toEqual([['5', '0.5', '0.0875']]);
    expect(trades(await broker.place(second))).toEqual([['3', '0.5', '0.0525']]);
    expect(trades(await broker.place(await order({ amount: '5' })))).toEqual([['5', '0.5', '0.0875']]);
    fixture.wait(1_000);
    market.show(YES, { asks: [['0.5', '8']] });
    const later = await order({ accountId: first.accountId, amount: '5' });
    expect(trades(await broker.place(later))).toEqual([]);
    fixture.wait(1_000);
    market.show(YES, { asks: [['0.5', '11']] });
    const grown = await order({ accountId: first.accountId, amount: '5' });
    expect(trades(await broker.place(grown))).toEqual([['3', '0.5', '0.0525']]);
  });

  test('a repeat with the same id, and a hundred at once, is one order', async () => {
    market.show(YES, { asks: [['0.5', '100']] });
    const placed = await order();
    const states = await Promise.all(Array.from({ length: 100 }, () => broker.place(placed)));
    expect(new Set(states.map((state) => JSON.stringify(state)))).toHaveLength(1);
    expect(states[0]?.fills).toHaveLength(1);
    market.show(YES, { asks: [] });
    expect(await broker.place(placed)).toEqual(states[0]);
  });
});

describe('a resting order', () => {
  async function rest(more: Partial<BrokerOrder> = {}) {
    market.show(more.tokenId ?? YES, {});
    const placed = await order({ timeInForce: 'gtc', limitPrice: '0.5', ...more });
    await broker.place(placed);
    return placed;
  }

  test('to sell trades once the bid reaches its limit', async () => {
    const placed = await rest({ side: 'sell' });
    fixture.wait(1);
    await fixture.quote(YES, { bid: '0.49', ask: '0.5' });
    expect(await broker.advance([YES])).toEqual([]);
    await fixture.quote(YES, { bid: '0.5', ask: '0.51' });
    await broker.advance([YES]);
    expect(trades(await broker.find(placed))).toEqual([['10', '0.5', '0']]);
  });

  test('canceled while it is being matched, it ends canceled with its fills so far, and trades nothing after that', async () => {
    const resting = await rest();
    fixture.wait(5);
    await fixture.quote(YES, { ask: '0.5', askSize: '4' });
    // Matching reads the instrument after the orders, so it can be held up between reading and writing them.
    const gate = Promise.withResolvers<void>();
    const [isShut, shut] = [Promise.withResolvers<void>(), gate.promise];
    const holding = begun(
      fixture.db.transaction().execute(async (trx) => {
        await sql`lock table instrument in access exclusive mode`.execute(trx);
        isShut.resolve();
        await shut;
      }),
    );
    await isShut.promise;
    const matching = begun(broker.advance([YES]));
    await untilSomebodyWaits(fixture.db);
    const canceling = begun(broker.cancel(resting));
    await Promise.race([canceling, sleep(200)]);
    gate.resolve();
    await Promise.all([holding, matching, canceling]);
    expect(await canceling).toMatchObject({ status: 'canceled', fills: [{ amount: '4' }] });

    fixture.wait(5);
    await fixture.quote(YES, { ask: '0.5', askSize: '3' });
    expect(await broker.advance([YES])).toEqual([]);
    expect(await broker.find(resting)).toMatchObject({ status: 'canceled', fills: [{ amount: '4' }] });
  });

  const minute = (openTimeMs: number, low: number, high: number, volume = 1) => ({
    openTimeMs,
    closeTimeMs: openTimeMs + 59_999,
    open: low,
    close: high,
    low,
    high,
    volume,
  });

  test('candles that are unavailable now are met the next time', async () => {
    const placed = await rest({ tokenId: BTC, venue: 'crypto', amount: '0.1', limitPrice: '86000' });
    const start = Math.ceil(fixture.now().getTime() / 60_000) * 60_000;
    market.candles.push(minute(start, 80_000, 87_000));
    fixture.wait(start + 60_000 - fixture.now().getTime());
    market.down = true;
    expect(await broker.advance([BTC])).toEqual([]);
    market.down = false;
    expect(await broker.advance([BTC])).toEqual([
      { accountId: placed.accountId, mode: 'paper', id: placed.id },
    ]);
  });
});

describe('the whole life', () => {
  test('a limit order rests, is reached by a quote and is booked with the fee of the venue', async () => {
    const trader = await fixture.trader();
    market.show(YES, { asks: [['0.5', '4']] });
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    await sendOrder(trader.work(), broker, id);
    expect(await fixture.order(id)).toMatchObject({ status: 'partially_filled', fees: '0.070000000000' });
    fixture.wait(1);
    await fixture.quote(YES, { ask: '0.5' });
    await broker.advance([YES]);
    await syncOrder(trader.work(), broker, id);
    expect(await fixture.order(id)).toMatchObject({ status: 'filled', filled_notional: '5.000000000000' });
  });
});
