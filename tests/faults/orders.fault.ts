import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { openPaperVenue, type PaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { type OrderWork, startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import type { Broker, VenueOrder } from '../../venues/broker.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { brokersAt, wrapBrokers } from '../support/paper-venue.ts';
import { SILENT_LOG } from '../support/silent-log.ts';
import {
  intentOf,
  openTradingFixture,
  type Trader,
  type TradingFixture,
  YES,
} from '../support/trading-fixture.ts';
import { inOtherProcess, inThisProcess, playWaves } from '../support/trading-model.ts';
import { waves } from '../support/trading-moves.ts';
import type { OrderProcess } from './order-process.ts';

const PROCESS = fileURLToPath(new URL('./order-process.ts', import.meta.url));
const BOOK: OrderProcess['book'] = { tokenId: YES, asks: [['0.5', '100000']], bids: [['0.48', '100000']] };
/** Final statuses of this test: every order meets an offer at once. */
const DONE = ['filled', 'rejected', 'expired', 'denied', 'canceled'];

let fixture: TradingFixture;
const children: ChildProcess[] = [];
const working: OrderWork[] = [];
beforeEach(async () => {
  fixture = await openTradingFixture({ realTime: true, poolMax: 30 });
});
afterEach(async () => {
  await Promise.all(working.splice(0).map((work) => work.stop()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await fixture.close();
});

function start(settings: Partial<OrderProcess>): ChildProcess {
  const child = fork(PROCESS, [
    JSON.stringify({ connection: fixture.database.connection, book: BOOK, ...settings }),
  ]);
  children.push(child);
  return child;
}
function workHere(venue: PaperVenue): void {
  working.push(
    startOrderWork({
      pool: fixture.pool,
      ...brokersAt(venue),
      clock: fixture.clock,
      log: SILENT_LOG,
      periodMs: 20,
    }),
  );
}

function paperVenue(): PaperVenue {
  const market = new PaperMarket(fixture.now);
  market.show(YES, BOOK);
  return openPaperVenue({ pool: fixture.pool, marketData: market, clock: fixture.clock });
}

async function untilDone(trader: Trader, withinMs: number): Promise<void> {
  await expect
    .poll(
      () =>
        fixture.db
          .selectFrom('trade_order')
          .select(['id', 'status'])
          .where('account_id', '=', trader.accountId)
          .where('status', 'not in', DONE as 'filled'[])
          .execute(),
      { timeout: withinMs, interval: 100 },
    )
    .toEqual([]);
}

/** Expects that the venue's books equal ours: one order there per order sent, the same trades, the same money. */
async function venueAgrees(): Promise<void> {
  const { rows } = await sql`
    select f.id, o.order_id, f.amount, o.amount as booked from paper_fill f
    full join (select * from fill where kind = 'trade') o on o.venue_trade_id = f.id::text
      and o.order_id = f.order_id and o.amount = f.amount and o.price = f.price and o.fee = f.fee
    where f.id is null or o.id is null`.execute(fixture.db);
  expect(rows, 'a trade that only one side knows').toEqual([]);
  const { rows: unasked } = await sql`
    select p.id from paper_order p left join trade_order o on o.id = p.id
    where o.submitted_at is null or (o.status = 'filled') <> (p.status = 'filled')
      or (p.status = 'open' and o.ended_at is not null)`.execute(fixture.db);
  expect(unasked, 'an order at the venue that was not handed over, or ended otherwise').toEqual([]);
  expect(await fixture.differences()).toEqual([]);
}

describe('kill -9 at every step between intent and fill', () => {
  test('one order at the broker per intent, and the ledger agrees', async () => {
    const trader = await fixture.trader();
    const steps = Number(process.env['FAULT_STEPS'] ?? 12);
    for (let killAtStep = 1; killAtStep <= steps; killAtStep++) {
      await fixture.quote(YES, { bid: '0.48', ask: '0.5' });
      await proposeIntent(trader.work(), intentOf(trader, { amount: String(killAtStep) }));
      const child = start({ killAtStep });
      await Promise.race([once(child, 'exit'), sleep(8_000)]);
      child.kill('SIGKILL');
    }
    workHere(paperVenue());
    await untilDone(trader, 60_000);
    await venueAgrees();
    const rows = await fixture.db
      .selectFrom('trade_order')
      .select(['status', 'reason_code'])
      .where('account_id', '=', trader.accountId)
      .execute();
    const fates = rows.map((row) => (row.status === 'rejected' ? row.reason_code : row.status));
    // Killed after the venue had it or before: both happened, and no other outcome exists.
    expect(new Set(fates)).toEqual(new Set(['filled', 'never_arrived']));
  });

  test('a proposer that dies and repeats its step has made one order', async () => {
    const trader = await fixture.trader();
    const deploymentId = await fixture.addDeployment(trader);
    const intents = Array.from({ length: 6 }, (_, index) => ({
      ...intentOf(trader, { deploymentId, nodeId: 'n', amount: String(index + 1) }),
      stepAt: Date.now() + index,
    }));
    const acknowledged = new Set<string>();
    for (let killAtStep = 1; killAtStep <= 12; killAtStep++) {
      const child = start({ killAtStep, propose: { accountId: trader.accountId, intents } });
      child.on('message', (id) => acknowledged.add(String(id)));
      await once(child, 'exit');
    }
    const orders = await fixture.db
      .selectFrom('trade_order')
      .select('id')
      .where('deployment_id', '=', deploymentId)
      .execute();
    expect(orders).toHaveLength(intents.length);
    expect([...acknowledged].filter((id) => !orders.some((order) => order.id === id))).toEqual([]);
  });
});

/** A venue whose answers are lost, late, repeated or outdated. */
function unreliable(broker: Broker, random: () => number): Broker {
  const old: VenueOrder[] = [];
  const lost = async (): Promise<void> => {
    await sleep(random() * 30);
    if (random() < 0.3) throw new Error('the answer was lost');
  };
  const maybeOld = (answer: VenueOrder): VenueOrder => {
    const again = old.find(({ venueOrderId }) => venueOrderId === answer.venueOrderId);
    old.push(answer);
    return again !== undefined && random() < 0.3 ? again : answer;
  };
  return {
    ...broker,
    async place(...order) {
      if (random() < 0.1) throw new Error('it never arrived');
      if (random() < 0.2) void broker.place(...order).catch(() => {});
      const placed = await broker.place(...order);
      await lost();
      return placed.kind === 'taken' ? { kind: 'taken', order: maybeOld(placed.order) } : placed;
    },
    async find(ref) {
      const found = await broker.find(ref);
      await lost();
      return found.kind === 'found' ? { kind: 'found', order: maybeOld(found.order) } : found;
    },
    async cancel(ref) {
      const canceled = await broker.cancel(ref);
      await lost();
      return canceled;
    },
  };
}

/** Evenly spread numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('answers lost after acceptance, duplicated, late and out of order: every order ends once, and the ledger agrees', async () => {
  const next = seeded(Number(process.env['FC_SEED'] ?? 42));
  const traders = await Promise.all(Array.from({ length: 5 }, () => fixture.trader()));
  for (let process = 0; process < 3; process++)
    workHere(wrapBrokers(paperVenue(), (broker) => unreliable(broker, next)));
  await Promise.all(
    traders.flatMap((trader) =>
      Array.from({ length: 30 }, (_, index) =>
        proposeIntent(trader.work(), intentOf(trader, { amount: String(1 + index) })),
      ),
    ),
  );
  for (const trader of traders) await untilDone(trader, 120_000);
  await venueAgrees();
});

test('database connections that are cut at any time: no order twice, no fill twice, no cent lost', async () => {
  const trader = await fixture.trader();
  for (let process = 0; process < 2; process++) workHere(paperVenue());
  const cutting = (async () => {
    for (let cut = 0; cut < 20; cut++) {
      await sleep(150);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`
        .execute(fixture.db)
        .catch(() => {});
    }
  })();
  let made = 0;
  for (let tried = 0; tried < 150; tried++) {
    const done = await proposeIntent(trader.work(), intentOf(trader, { amount: '2' })).catch(() => null);
    if (done !== null) made++;
    await sleep(20);
  }
  await cutting;
  expect(made).toBeGreaterThan(20);
  await untilDone(trader, 90_000);
  await venueAgrees();
});

describe('the model, in a long run', () => {
  const numRuns = Number(process.env['FAULT_GAMES'] ?? 60);
  test.each([
    ['of one process', inThisProcess],
    ['of many processes', inOtherProcess],
  ])('clients %s', async (_where, place) => {
    const standing = await openTradingFixture({ poolMax: 30 });
    try {
      await fc.assert(
        fc.asyncProperty(waves({ waves: 40, clients: 6 }), (game) => playWaves(standing, game, place)),
        { numRuns, endOnFailure: true },
      );
    } finally {
      await standing.close();
    }
  });
});
