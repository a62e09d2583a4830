import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { EmbeddedFolders } from '../support/embedded.ts';
import { FakeClock, findFakeTime, startUnderClock } from './fake-clock.ts';
import { FaultClient } from './fault-client.ts';
import { type FaultStand, openStand } from './stand.ts';

/** How long the service runs with a clock before the next jump. */
const SECONDS = Number(process.env['FAULT_SECONDS'] ?? 20);
const OPENED_WITHIN_MS = 180_000;
const HOUR_SEC = 3_600;

const library = findFakeTime();

describe.skipIf(library === null)(
  `a clock that jumps${library ? '' : ' (left out: libfaketime is not installed)'}`,
  () => {
    const playground = new EmbeddedFolders();
    let clock: FakeClock;
    let stand: FaultStand;
    let customer: FaultClient;
    let aheadSec = 0;
    const jump = (bySec: number) => {
      aheadSec += bySec;
      clock.set(aheadSec);
    };
    beforeAll(async () => {
      clock = new FakeClock(library ?? '', path.join(playground.root, 'clock'));
      const dir = playground.dir();
      await startUnderClock(dir, clock);
      stand = await openStand({ dir, environment: clock.environment });
      const trader = await FaultClient.open(stand.base);
      await trader.trade();
      await trader.rest();
      await stand.tradesAgain();
    }, OPENED_WITHIN_MS);
    afterAll(async () => {
      await stand.close();
      await playground[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      customer = await FaultClient.open(stand.base);
    });
    afterEach(async () => {
      await stand.untilReady();
      await stand.tradesAgain();
      await customer.rest();
      await customer.check();
      expect(await verifyLedger(stand.db)).toEqual([]);
    });

    test('an hour ahead loses nothing that was acknowledged, and trading continues', async () => {
      jump(HOUR_SEC);
      await sleep(SECONDS * 1_000);
      const { rows } = await sql<{ now: Date | string }>`select clock_timestamp() as now`.execute(stand.db);
      const aheadMs = new Date(rows[0]?.now ?? 0).getTime() - Date.now();
      expect(Math.abs(aheadMs / 1_000 - HOUR_SEC)).toBeLessThan(60);
    });

    test('an hour back freezes no price: trading continues, and no decision uses a quote of the future', async () => {
      jump(-HOUR_SEC);
      await sleep(SECONDS * 1_000);
      await stand.tradesAgain();
      const { rows } = await sql`
        select token_id, as_of from quote where token_id = 'BTCUSDT'
          and as_of not between clock_timestamp() - interval '10 seconds' and clock_timestamp() + interval '2 seconds'`.execute(
        stand.db,
      );
      expect(rows).toEqual([]);
    });

    test('midnight UTC opens one day for each account that trades, under traffic, and the ledger agrees', async () => {
      const { rows } = await sql<{ left: number }>`
        select extract(epoch from date_trunc('day', now() at time zone 'utc') + interval '1 day'
          - (now() at time zone 'utc'))::int as left`.execute(stand.db);
      jump((rows[0]?.left ?? 0) - 5);
      await sleep(Math.max(SECONDS, 10) * 1_000);
      await stand.tradesAgain();
      const days = await sql<{ day: string; rows: number; accounts: number }>`
        select day::text, count(*)::int as rows, count(distinct account_id)::int as accounts
        from account_day group by day order by day`.execute(stand.db);
      const { rows: dates } = await sql<{ today: string }>`
        select (now() at time zone 'utc')::date::text as today`.execute(stand.db);
      const today = days.rows.find(({ day }) => day === dates[0]?.today);
      expect(today?.rows).toBeGreaterThan(0);
      for (const { rows, accounts } of days.rows) expect(rows).toBe(accounts);
      const missing = await sql`
        select distinct account_id from trade_order o where status = 'filled'
          and created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
          and not exists (select from account_day d where d.account_id = o.account_id
            and d.day = (o.created_at at time zone 'utc')::date)`.execute(stand.db);
      expect(missing.rows).toEqual([]);
    });
  },
);
