import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EQUITY_PERIOD_MS, equityHistory } from '../../engine/books/accounting/equity.ts';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { openPaperVenue, type PaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import {
  type OrderWork,
  type OrderWorkOptions,
  startOrderWork,
} from '../../server/workers/trading/orders/order-work.ts';
import { openedForFile } from '../support/opened.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { brokersAt } from '../support/paper-venue.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { addInstrument, intentOf, openTradingFixture, YES } from '../support/trading-fixture.ts';

type Logged = { level: string; message: string; fields: object };

const fixture = openedForFile(openTradingFixture);
let logged: Logged[];
const running: OrderWork[] = [];
beforeEach(async () => {
  logged = [];
  await fixture.quote(YES);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((work) => work.stop()));
});

function start(venue: PaperVenue, more: Partial<OrderWorkOptions> = {}): OrderWork {
  const log = (level: string) => (fields: object, message: string) => {
    logged.push({ level, message, fields });
  };
  const work = startOrderWork({
    pool: fixture.pool,
    ...brokersAt(venue),
    clock: fixture.clock,
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    periodMs: 20,
    ...more,
  });
  running.push(work);
  return work;
}

const statusOf = (id: string) => fixture.order(id).then(({ status }) => status);
const reaches = (id: string, status: string) =>
  expect.poll(() => statusOf(id), { timeout: 5_000 }).toBe(status);

describe('the order worker', () => {
  test('sends queued orders, matches resting ones when the quote moves, and cancels on request', async () => {
    const market = new PaperMarket(fixture.now);
    market.show(YES, { asks: [['0.5', '4']] });
    start(openPaperVenue({ pool: fixture.pool, marketData: market, clock: fixture.clock }));
    const trader = await fixture.trader();
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    await reaches(id, 'partially_filled');
    fixture.wait(1);
    await fixture.quote(YES, { ask: '0.5', askSize: '7' });
    await expect.poll(async () => (await listPositions(trader.work()))[0]?.amount).toBe('7');
    await cancelOrder(trader.work(), id);
    await reaches(id, 'canceled');
  });

  test('a wake does not wait for the period', async () => {
    const broker = new ScriptedBroker(fixture.now);
    const work = start(broker, { periodMs: 60_000 });
    const trader = await fixture.trader();
    await expect.poll(() => logged).toEqual([]);
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    await expect
      .poll(async () => {
        work.wake();
        return statusOf(id);
      })
      .toBe('open');
  });

  test('two processes at once send every order once', async () => {
    const broker = new ScriptedBroker(fixture.now);
    start(broker);
    start(broker);
    const trader = await fixture.trader();
    const orders = await Promise.all(
      Array.from({ length: 30 }, () => proposeIntent(trader.work(), intentOf(trader))),
    );
    for (const { id } of orders) await reaches(id, 'open');
    expect(broker.placed.map(({ id }) => id).sort()).toEqual(orders.map(({ id }) => id).sort());
  });

  test('expires an intent without an approval, and resolves a lost answer', async () => {
    const broker = new ScriptedBroker(fixture.now);
    const trader = await fixture.trader({ requireApprovalAbove: '4.99' });
    const pending = await proposeIntent(trader.work(), intentOf(trader));
    broker.next = 'lose_answer';
    start(broker);
    fixture.wait(15 * 60_000);
    await fixture.quote(YES);
    const lost = await proposeIntent(trader.work(), intentOf(trader, { amount: '9' }));
    await reaches(pending.id, 'expired');
    await reaches(lost.id, 'open');
    expect(broker.placed).toHaveLength(1);
  });

  test('start-up is crash recovery: an order whose sender died is polled, an unreported fill is booked', async () => {
    const broker = new ScriptedBroker(fixture.now);
    const trader = await fixture.trader();
    const first = start(broker);
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    const { id: abandoned } = await proposeIntent(trader.work(), intentOf(trader));
    await reaches(id, 'open');
    await reaches(abandoned, 'open');
    await first.stop();
    broker.fill(id, { amount: '10' }, 'filled');
    const crashed = await proposeIntent(trader.work(), intentOf(trader));
    await fixture.db
      .updateTable('trade_order')
      .set({ status: 'submitted', submitted_at: fixture.now(), expires_at: null })
      .where('id', '=', crashed.id)
      .execute();
    await fixture.db
      .insertInto('order_transition')
      .values({
        account_id: trader.accountId,
        order_id: crashed.id,
        number: 2,
        from_status: 'queued',
        to_status: 'submitted',
        at: fixture.now(),
        actor: 'system',
      })
      .execute();
    fixture.wait(15_000);
    start(broker);
    await reaches(id, 'filled');
    await reaches(crashed.id, 'unknown');
    fixture.wait(1);
    await reaches(crashed.id, 'rejected');
  });

  test('an order that fails does not keep the others waiting', async () => {
    const broker = new ScriptedBroker(fixture.now);
    const { id: stuckId, trader } = await (async () => {
      const trader = await fixture.trader();
      return { trader, ...(await proposeIntent(trader.work(), intentOf(trader))) };
    })();
    broker.next = 'lose_answer';
    start(broker);
    await reaches(stuckId, 'open');
    await cancelOrder(trader.work(), stuckId);
    broker.cancel = async () => {
      throw new Error('cannot cancel');
    };
    broker.next = 'answer';
    const healthy = await proposeIntent(trader.work(), intentOf(trader));
    await reaches(healthy.id, 'open');
    await expect
      .poll(() => logged.filter(({ message }) => message === 'work on an order failed'))
      .not.toEqual([]);
  });

  test('three refusals in a row for one reason are reported, temporary reasons and killed orders are not', {
    tags: ['long'],
  }, async () => {
    const broker = new ScriptedBroker(fixture.now);
    const refused: object[] = [];
    start(broker, {
      onRefusedInARow: async (report) => {
        refused.push(report);
      },
    });
    const trader = await fixture.trader();
    const deploymentId = await fixture.addDeployment(trader);
    let step = 0;
    const raise = async (reasonCode: string | null) => {
      broker.arriving = reasonCode
        ? { status: 'rejected', reasonCode, reason: `Because ${reasonCode}.` }
        : { status: 'open', reasonCode: null, reason: null };
      fixture.wait(1);
      const { id } = await proposeIntent(
        trader.work(),
        intentOf(trader, { deploymentId, nodeId: 'n', stepAt: new Date(++step) }),
      );
      await reaches(id, reasonCode ? 'rejected' : 'open');
    };
    for (const reason of ['off_tick', 'off_tick', null, 'off_tick', 'too_small', 'off_tick', 'off_tick'])
      await raise(reason);
    for (let time = 0; time < 4; time++) await raise('venue_unavailable');
    // Rows 54 and 58: exits that are refused while a venue pauses or restarts end no deployment.
    const killed = ['no_match', 'fill_or_kill_insufficient_resting_volume', 'post_only_cross'];
    for (const reason of ['trading_is_paused', 'venue_restarting', ...killed])
      for (let time = 0; time < 3; time++) await raise(reason);
    expect(refused).toEqual([]);
    for (let time = 0; time < 3; time++) await raise('off_tick');
    await expect
      .poll(() => refused)
      .toEqual([{ accountId: trader.accountId, mode: 'paper', deploymentId, reason: 'Because off_tick.' }]);
  });

  test('settles a market once the venue has stated its value, and keeps equity', async () => {
    // An earlier worker may have stored the points of these five minutes.
    fixture.wait(EQUITY_PERIOD_MS);
    const token = 'WORK-1:yes';
    await addInstrument(fixture.db, token);
    await fixture.quote(token);
    const trader = await fixture.trader();
    await fixture.addDeployment(trader);
    await fixture.trade(trader, { tokenId: token });
    await fixture.closeMarket(token, '1');
    start(new ScriptedBroker(fixture.now));
    await expect.poll(() => listPositions(trader.work()), { timeout: 5_000 }).toEqual([]);
    await expect.poll(() => equityHistory(trader.work(), '1d'), { timeout: 5_000 }).toHaveLength(2);
  });

  test('an account that cannot be settled keeps no other from being settled, and is reported once', {
    tags: ['long'],
  }, async () => {
    const token = 'WORK-2:yes';
    await addInstrument(fixture.db, token);
    await fixture.quote(token);
    const [stuck, ...others] = [await fixture.trader(), await fixture.trader(), await fixture.trader()];
    for (const trader of [stuck, ...others]) {
      await fixture.addDeployment(trader);
      await fixture.trade(trader, { tokenId: token });
    }
    await sql`create function refuse_stuck() returns trigger language plpgsql as $$
      begin raise exception 'this account is stuck'; end $$`.execute(fixture.db);
    await sql`create trigger stuck before update on position for each row
      when (new.account_id = ${sql.lit(stuck.accountId)}) execute function refuse_stuck()`.execute(
      fixture.db,
    );
    await fixture.closeMarket(token, '1');
    start(new ScriptedBroker(fixture.now));
    for (const trader of others) {
      await expect.poll(() => listPositions(trader.work()), { timeout: 5_000 }).toEqual([]);
    }
    expect(await listPositions(stuck.work())).toHaveLength(1);
    await sql`drop trigger stuck on position`.execute(fixture.db);
    await expect.poll(() => listPositions(stuck.work()), { timeout: 5_000 }).toEqual([]);
    expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  test('a fill after the end of its order is booked, and raises an alert', async () => {
    const broker = new ScriptedBroker(fixture.now);
    const trader = await fixture.trader();
    start(broker);
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    await reaches(id, 'open');
    await cancelOrder(trader.work(), id);
    await reaches(id, 'canceled');
    broker.fill(id, { amount: '1' }, 'canceled');
    broker.changed.push({ accountId: trader.accountId, mode: 'paper', id });
    await fixture.quote(YES);
    await expect.poll(() => fixture.order(id)).toMatchObject({ filled_amount: '1.000000000000' });
    await expect
      .poll(() => logged)
      .toContainEqual({
        level: 'error',
        message: 'a fill came after its order ended',
        fields: { accountId: trader.accountId, orderId: id, status: 'canceled' },
      });
  });

  test('an unreachable database is reported and retried', async () => {
    const broker = new ScriptedBroker(fixture.now);
    let failures = 2;
    start(broker, {
      clock: async (db) => {
        if (failures-- > 0) throw new Error('the database is away');
        return fixture.clock(db);
      },
    });
    const trader = await fixture.trader();
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    await reaches(id, 'open');
    const logs = logged.map(({ level, message }) => [level, message]);
    const subject = 'sending and canceling orders';
    expect(logs).toContainEqual(['warn', `${subject}: failing`]);
    await expect
      .poll(() => logged.map(({ message }) => message), { timeout: 5_000 })
      .toContain(`${subject}: recovered`);
  });
});
