import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeEquityPoints } from '../../engine/books/accounting/equity.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openedForFile } from '../support/opened.ts';
import { BTC, fillingBroker, intentOf, NO, openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeAll(() => fixture.quote(YES));

const change = (id: string, assignment: string) =>
  sql`update trade_order set ${sql.raw(assignment)} where id = ${id}`.execute(fixture.db);

describe('constraints of the database, whatever the code does', () => {
  test.each([
    `amount = 11`,
    `limit_price = 0.6`,
    `side = 'sell'`,
    `size = 1`,
    `token_id = 'KXTEST-26:no'`,
    `created_at = now()`,
    `node_id = 'other'`,
  ])('"Intents are immutable": %s', async (assignment) => {
    const trader = await fixture.trader();
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    await expect(change(id, assignment)).rejects.toThrow('an intent is immutable');
  });

  test.each([`receipt = '{}'`, `inputs = '[1]'`])(
    'what an intent was decided from stays: %s',
    async (assignment) => {
      const trader = await fixture.trader();
      const { id } = await proposeIntent(trader.work(), intentOf(trader));
      await expect(change(id, assignment)).rejects.toThrow('its evidence is written once');
    },
  );

  test.each([
    `approved_by = 'session:other'`,
    `approved_by = null`,
    `queued_at = queued_at - interval '1 minute'`,
    `submitted_at = null`,
    `venue_order_id = 'other'`,
  ])('an immutable field of an order is not written again: %s', async (assignment) => {
    const trader = await fixture.trader({ requireApprovalAbove: 0 });
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    await approveOrder(trader.work(), id);
    await sendOrder(trader.work(), fillingBroker(fixture.now), id);
    await expect(change(id, assignment)).rejects.toThrow('not written again');
  });

  test.each(['canceled', 'queued', 'open'])(
    '"final, written once": a filled order does not become %s',
    async (status) => {
      const trader = await fixture.trader();
      const { id } = await fixture.trade(trader, {});
      await expect(change(id, `status = '${status}'`)).rejects.toThrow('is filled, which is final');
    },
  );

  test('a denied order is never queued', async () => {
    const trader = await fixture.trader({ maxOrderSize: 1 });
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    await expect(change(id, `status = 'queued'`)).rejects.toThrow('is denied, which is final');
  });

  test.each(['order_transition', 'fill', 'fill_allocation', 'cash_entry', 'audit_event'])(
    '%s is history: no row is changed or deleted, and all at once neither',
    async (table) => {
      const trader = await fixture.trader();
      await fixture.trade(trader, {}, { fee: '0.1' });
      await fixture.setRules(trader, { maxOrderSize: 1 });
      const rows = sql`${sql.table(table)} where account_id = ${trader.accountId}`;
      await expect(sql`delete from ${rows}`.execute(fixture.db)).rejects.toThrow('history');
      await expect(
        sql`update ${sql.table(table)} set account_id = account_id where account_id = ${trader.accountId}`.execute(
          fixture.db,
        ),
      ).rejects.toThrow('history');
      await expect(sql`truncate ${sql.table(table)} cascade`.execute(fixture.db)).rejects.toThrow('history');
    },
  );

  test('the totals of an order are rounded as the books are, half to even, to the last of twelve places', async () => {
    const tiny = { tick_size: '0.00000001', min_notional: '0' };
    await fixture.db.updateTable('instrument').set(tiny).where('token_id', '=', BTC).execute();
    await fixture.quote(BTC, { bid: '0.00001234', ask: '0.00001235' });
    const trader = await fixture.trader();
    const terms = { tokenId: BTC, amount: '100.00003', limitPrice: '0.00001235' };
    const order = await fixture.trade(trader, terms, { price: '0.00001235' });
    expect(order.filled_notional).toBe('0.001235000370');
  });

  test('a fill is one per trade of its venue', async () => {
    const trader = await fixture.trader();
    const { id } = await fixture.trade(trader, {});
    const copy =
      sql`insert into fill (account_id, id, order_id, mode, kind, token_id, venue, venue_trade_id, side, amount, price, fee, at, applied_at)
      select account_id, gen_random_uuid(), order_id, mode, kind, token_id, venue, venue_trade_id, side, amount, price, fee, at, applied_at
      from fill where order_id = ${id}`.execute(fixture.db);
    await expect(copy).rejects.toThrow('fill_once_per_venue_trade');
  });

  test('no position is held below zero, and no order filled beyond its amount', async () => {
    const trader = await fixture.trader();
    const { id } = await fixture.trade(trader, {});
    const short = sql`update position set amount = -1 where account_id = ${trader.accountId}`.execute(
      fixture.db,
    );
    await expect(short).rejects.toThrow('position_amount_not_negative');
    await expect(change(id, 'filled_amount = 11')).rejects.toThrow('trade_order_not_overfilled');
  });

  test.each([
    [YES, `settlement_value = 1.01`, 'instrument_settlement_value_range'],
    [YES, `settlement_value = -0.01`, 'instrument_settlement_value_range'],
    [YES, `settlement_value = 'NaN'`, 'instrument_settlement_value_range'],
    [BTC, `settlement_value = 1000000`, 'instrument_settlement_value_range'],
    [BTC, `settlement_value = 0.5`, 'instrument_settlement_value_range'],
    [BTC, `kind = 'outcome', settlement_value = 1`, 'stated once'],
    [BTC, `venue = 'venue-a'`, 'stated once'],
    [NO, `settlement_value = 0`, 'stated once'],
    [NO, `settlement_value = null`, 'stated once'],
  ])(
    'an outcome pays 0 to 1 and a coin never settles, stated once: %s %s',
    async (token, assignment, refused) => {
      await fixture.closeMarket(NO, '1');
      const stated = sql`update instrument set ${sql.raw(assignment)} where token_id = ${token}`.execute(
        fixture.db,
      );
      await expect(stated).rejects.toThrow(refused);
    },
  );

  test.each([
    `mode = 'live'`,
    `started_at = now()`,
    `release_number = 2`,
    `blueprint_id = gen_random_uuid()`,
  ])('the mode and release of a deployment are written once: %s', async (assignment) => {
    const trader = await fixture.trader();
    const id = await fixture.addDeployment(trader);
    const altered = sql`update deployment set ${sql.raw(assignment)} where id = ${id}`.execute(fixture.db);
    await expect(altered).rejects.toThrow('written once');
  });

  test.each([`ended_at = null`, `ended_at = now()`, `end_reason = 'because'`])(
    'a deployment that has ended never runs again: %s',
    async (assignment) => {
      const trader = await fixture.trader();
      const id = await fixture.addDeployment(trader);
      await expect(sql`delete from deployment where id = ${id}`.execute(fixture.db)).rejects.toThrow();
      await fixture.endDeployment(id);
      const altered = sql`update deployment set ${sql.raw(assignment)} where id = ${id}`.execute(fixture.db);
      await expect(altered).rejects.toThrow('written once');
    },
  );

  test("the venue's id of a request is written once", async () => {
    const trader = await fixture.trader();
    const { id } = await fixture.trade(trader, {});
    const name = (text: string) =>
      sql`update order_dispatch set venue_order_id = ${text} where order_id = ${id}`.execute(fixture.db);
    await name(`v-${id}`);
    await expect(name('another')).rejects.toThrow('history');
  });

  test.each(['equity_point', 'blueprint_equity'])('%s stays as it is stored for a week', async (table) => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    await storeEquityPoints(fixture.db, new Date());
    const rows = sql`${sql.table(table)}`;
    await expect(sql`update ${rows} set at = now()`.execute(fixture.db)).rejects.toThrow('history');
    await expect(sql`delete from ${rows}`.execute(fixture.db)).rejects.toThrow('history');
    await expect(sql`truncate ${rows}`.execute(fixture.db)).rejects.toThrow('history');
  });

  test('no payout is booked above the maximum of an outcome', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    const forged =
      sql`insert into fill (account_id, id, mode, kind, token_id, venue, venue_trade_id, side, amount, price, fee, at, applied_at)
      select account_id, gen_random_uuid(), mode, 'settlement', token_id, venue, 'forged', 'sell', amount, 1000000, 0, at, applied_at
      from fill where account_id = ${trader.accountId}`.execute(fixture.db);
    await expect(forged).rejects.toThrow('fill_settlement_price_range');
  });

  test("an order of one account cannot point at another account's blueprint", async () => {
    const [trader, stranger] = [await fixture.trader(), await fixture.trader()];
    const foreign = proposeIntent(trader.work(), intentOf(trader, { blueprintId: stranger.blueprintId }));
    await expect(foreign).rejects.toThrow('foreign key');
  });
});
