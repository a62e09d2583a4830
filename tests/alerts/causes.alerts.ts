/**
 * Each alert of `ops/alerts.yml`, by what causes it in a running service, as Prometheus tells it. Time that would have to pass is
 * set back in the database. Those of Patroni are in `patroni.alerts.ts`.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCK_SPACE, LOCKS } from '../../server/kernel/rounds/lock-session.ts';
import { Browser } from '../cells/browser.ts';
import { LivePerson } from '../cells/live-person.ts';
import { FaultClient } from '../faults/fault-client.ts';
import { signal, waitUntil } from '../ha/cluster-process.ts';
import { isThere } from '../ha/programs.ts';
import { CROSSES } from '../support/backtests.ts';
import { signUp } from '../support/sign-up.ts';
import { mountDisk } from '../support/small-disk.ts';
import { openPrometheus, type Prometheus } from './prometheus.ts';
import { type AlertStand, openAlertStand } from './stand.ts';

const QUIET_MS = 20_000;
const CGROUP = '/sys/fs/cgroup/memory/trading-alerts';
const DISK_MB = 400;
const BACKTEST = { visual: CROSSES, from: '2026-09-01T00:00:00Z', to: '2026-10-01T00:00:00Z' };

let stand: AlertStand;
let prometheus: Prometheus;
let visitor: Browser;
let person: LivePerson;
let channelId: string;

async function expectOk(method: string, path: string, body: object): Promise<{ id: string }> {
  const page = await visitor.send(method, path, body);
  expect(page.status, JSON.stringify(page.body)).toBe(200);
  return page.body as { id: string };
}

async function countChecks(): Promise<number> {
  const { rows } = await sql`select from ledger_check where checked_at is not null`.execute(stand.db);
  return rows.length;
}

/** Repeats what the service or the database mends automatically, until it is ended. */
function repeat(act: () => Promise<unknown>, pauseMs: number) {
  let isOver = false;
  let ended: Promise<void> | undefined;
  const work = async () => {
    while (!isOver) {
      await act();
      await sleep(pauseMs);
    }
  };
  return {
    start: async () => {
      ended = work();
    },
    end: async () => {
      isOver = true;
      await ended;
    },
  };
}

/** Changes rows as the owner, past triggers. */
const alter = (statement: RawBuilder<unknown>): Promise<unknown> =>
  stand.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await statement.execute(tx);
  });

beforeAll(async () => {
  if (!isThere('prometheus')) throw new Error('Prometheus is not installed: apt-get install prometheus.');
  stand = await openAlertStand();
  prometheus = stand.prometheus;
  visitor = new Browser(stand.base);
  await visitor.signIn(await signUp(stand.base));
});
afterAll(() => stand?.[Symbol.asyncDispose]());

test('a ledger that was never verified', async () => {
  const trader = await FaultClient.open(stand.base);
  await trader.trade();
  await trader.rest();
  await prometheus.untilFired(['TradingOperationOverdue']);
  expect(await stand.run('verify-ledger')).toBe(0);
  await prometheus.untilQuiet();
});

test('a connection that no watchdog watches', async () => {
  person = await LivePerson.open(stand);
  await prometheus.untilFired(['TradingNoWatchdog']);
  await stand.start('watchdog');
  await prometheus.untilQuiet();
});

test('a service that works fires none', async () => {
  const until = performance.now() + QUIET_MS;
  while (performance.now() < until) {
    expect(await prometheus.firing()).toEqual([]);
    await sleep(1_000);
  }
});

test('without a runner strategies, connections and an order stand still, and with time books and the watch over them', () =>
  prometheus.expectAlerts(
    [
      ...['TradingNoRunner', 'TradingOrdersRefused', 'TradingShardUnowned', 'TradingTickLate'],
      ...['TradingConnectionUnheld', 'TradingProcessDown', 'TradingFewerProcesses', 'TradingOrderStuck'],
      ...['TradingBooksOld', 'TradingLedgerUnchecked'],
    ],
    async () => {
      await waitUntil('live books are verified', async () => (await countChecks()) > 0);
      await stand.stop('runner');
      expect(await person.place()).toBe(true);
      await alter(sql`update venue_cursor set books_at = clock_timestamp() - interval '30 minutes'`);
      await alter(sql`update ledger_check set checked_at = clock_timestamp() - interval '2 hours'`);
    },
    () => stand.start('runner'),
  ));

test('without a runner jobs and notifications wait, and no process continues one that it ran', async () => {
  await prometheus.expectAlerts(
    ['TradingJobsWaiting', 'TradingJobsLapsed', 'TradingNotificationsLate'],
    async () => {
      await stand.stop('runner');
      const hook = { kind: 'webhook', label: 'Hook', url: 'https://hook.example.com/' };
      channelId = (await expectOk('POST', '/api/notification-channels', hook)).id;
      for (const seed of [1, 2]) await expectOk('POST', '/api/backtests', { ...BACKTEST, seed });
      await alter(sql`update notification_channel set due_at = clock_timestamp() - interval '10 minutes'`);
      await alter(sql`update backtest set created_at = created_at - interval '2 hours'`);
      await alter(sql`update backtest set status = 'running', lease_owner = gen_random_uuid(), leased_until = clock_timestamp() - interval '1 minute'
        where id = (select min(id::text)::uuid from backtest)`);
    },
    () => stand.start('runner'),
  );
});

test('a venue does not answer', () =>
  prometheus.expectAlerts(
    ['TradingQuotesOld'],
    () => stand.venues.close(),
    () => stand.venues.mend(),
  ));

test('the database does not answer', () =>
  prometheus.expectAlerts(
    ['TradingDatabaseDown'],
    () => stand.database.close(),
    () => stand.database.mend(),
  ));

test('a request is answered with 500', () =>
  prometheus.expectAlerts(
    ['TradingServerErrors'],
    async () => {
      await sql`alter table blueprint rename to blueprint_away`.execute(stand.db);
      expect((await visitor.send('GET', '/api/blueprints')).status).toBe(500);
    },
    () => sql`alter table blueprint_away rename to blueprint`.execute(stand.db),
  ));

test('a transaction holds every account for a minute: decisions wait', async () => {
  const held = Promise.withResolvers<void>();
  // Without it the service sees how long transactions of its own role last.
  await sql`grant pg_read_all_stats to trading_app`.execute(stand.db);
  const locked = stand.db.transaction().execute(async (tx) => {
    await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
    await sql`select from account for update`.execute(tx);
    await held.promise;
  });
  await prometheus.expectAlerts(
    ['TradingIntentsWaiting', 'TradingLongTransaction'],
    async () => {},
    async () => {
      held.resolve();
      await locked;
    },
  );
});

test('connections to the database hang: requests wait for one', async () => {
  // Keys, because sessions are read through a pool of their own.
  const keys: string[] = [];
  for (let count = 0; count < 12; count++) {
    const each = new Browser(stand.base);
    await each.signIn(await signUp(stand.base));
    const made = await each.send('POST', '/api/api-keys', { name: 'Reader', scopes: ['portfolio:read'] });
    keys.push((made.body as { key: string }).key);
  }
  let isOver = false;
  const ask = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    while (!isOver) await fetch(`${stand.base}/api/portfolio`, { headers }).catch(() => {});
  };
  let asking: Promise<void>[] = [];
  await prometheus.expectAlerts(
    ['TradingPoolExhausted'],
    async () => {
      asking = keys.flatMap((key) => [ask(key), ask(key), ask(key)]);
      stand.database.silence();
    },
    async () => {
      stand.database.cut();
      isOver = true;
      await Promise.all(asking);
    },
  );
});

test.each([
  // Shorter than a scrape waits.
  ['api', 'TradingEventLoopBusy', { stopMs: 800, runMs: 200 }],
  // Time for the late tick, and not for the next one.
  ['runner', 'TradingTickLag', { stopMs: 3_500, runMs: 800 }],
] as const)('%s gets the processor for moments: %s', async (name, alert, { stopMs, runMs }) => {
  const starving = repeat(async () => {
    signal([stand.pidOf(name)], 'SIGSTOP');
    await sleep(stopMs);
    signal([stand.pidOf(name)], 'SIGCONT');
  }, runMs);
  await prometheus.expectAlerts([alert], starving.start, starving.end);
});

test('a defect raises an intent of another strategy', () =>
  prometheus.expectAlerts(
    ['TradingForeignIntent'],
    async () => {
      await stand.stop('runner');
      await stand.start('bad runner');
    },
    async () => {
      await stand.stop('bad runner');
      await stand.start('runner');
    },
  ));

test('vacuum is a billion transactions behind', async () => {
  const { rows } = await sql<{ id: string }>`
    select datfrozenxid::text as id from pg_database where datname = current_database()`.execute(stand.db);
  const set = (id: string) =>
    sql`update pg_database set datfrozenxid = ${id}::xid where datname = current_database()`.execute(
      stand.db,
    );
  // Autovacuum sets it right again.
  const aging = repeat(() => set(String(2 ** 32 - 1_500_000_000)), 200);
  await prometheus.expectAlerts(['TradingTransactionIds'], aging.start, async () => {
    await aging.end();
    await set(rows[0]?.id ?? '3');
  });
});

test('no process keeps the lock of a watch over money', async () => {
  const stealing = repeat(
    () =>
      sql`select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and granted and classid = ${LOCK_SPACE} and objid = ${LOCKS.ledger}`.execute(
        stand.db,
      ),
    50,
  );
  await prometheus.expectAlerts(['TradingWatchMissing'], stealing.start, stealing.end);
});

test('the folder of the write-ahead log is away', () => {
  const away = `${stand.walArchive}-away`;
  const next = () =>
    sql`select pg_switch_wal(), pg_logical_emit_message(false, 'test', 'x')`.execute(stand.db);
  return prometheus.expectAlerts(
    ['TradingWalArchiveFailing'],
    async () => {
      renameSync(stand.walArchive, away);
      await next();
    },
    async () => {
      renameSync(away, stand.walArchive);
      await next();
    },
  );
});

test('a receiver of notifications takes nothing for an hour', () =>
  prometheus.expectAlerts(
    ['TradingNotificationsFailing'],
    () =>
      alter(
        sql`update notification_channel set attempts = 9, failing_since = clock_timestamp() - interval '2 hours' where id = ${channelId}`,
      ),
    () =>
      alter(sql`update notification_channel set attempts = 0, failing_since = null where id = ${channelId}`),
  ));

test('the archive was not run for days', async () => {
  expect(await stand.run('archive')).toBe(0);
  await prometheus.expectAlerts(
    ['TradingArchiveBehind'],
    () =>
      alter(sql`update operation_run set last_ok_at = last_ok_at - interval '4 days' where name = 'archive'`),
    () => stand.run('archive'),
  );
});

test('a fill is altered past every trigger: the nightly proof and the watch over live books find it', async () => {
  await person.buy();
  const scale = (by: number) => alter(sql`update fill set amount = amount * ${by} where mode = 'live'`);
  const verifyAgain = async () => {
    await alter(sql`update ledger_check set checked_at = '2000-01-01'`);
    await stand.run('verify-ledger');
  };
  await prometheus.expectAlerts(
    ['TradingOperationFailed', 'TradingLedgerDiffers'],
    async () => {
      await scale(2);
      await verifyAgain();
    },
    async () => {
      await scale(0.5);
      await verifyAgain();
    },
  );
});

test('a key at a venue expires in two days', () =>
  prometheus.expectAlerts(
    ['TradingVenueKeyExpires'],
    () => alter(sql`update venue_connection set key_expires_at = clock_timestamp() + interval '2 days'`),
    () => alter(sql`update venue_connection set key_expires_at = null`),
  ));

test('money moves at a venue without a record: a difference stays open, and the service stops the connection', async () => {
  await prometheus.untilQuiet();
  await person.correct('-100');
  await prometheus.untilFired(['TradingConnectionStopped']);
  await alter(sql`update venue_difference set first_seen = clock_timestamp() - interval '20 minutes'`);
  await prometheus.untilFired(['TradingDifferenceOpen']);
});

const canLimit = (() => {
  try {
    mkdirSync(CGROUP);
    rmdirSync(CGROUP);
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!canLimit)('a process takes nearly all the memory of its container', async () => {
  const pid = stand.pidOf('api');
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
  mkdirSync(CGROUP);
  try {
    writeFileSync(path.join(CGROUP, 'cgroup.procs'), String(pid));
    writeFileSync(path.join(CGROUP, 'memory.limit_in_bytes'), String(Math.round(rss * 1.02)));
    await prometheus.untilFired(['TradingMemoryNearLimit']);
  } finally {
    writeFileSync('/sys/fs/cgroup/memory/cgroup.procs', String(pid));
    rmdirSync(CGROUP);
  }
});

test('a server is killed again and again, and its disk is nearly full', async (context) => {
  const dir = stand.folder('disk');
  const reason = mountDisk(dir, DISK_MB);
  if (reason !== null) return context.skip(reason);
  try {
    await using own = await openPrometheus(stand.folder('prometheus-single'), {
      jobs: { trading: [stand.metricsPorts.single] },
      window: '10m',
    });
    for (let start = 1; start <= 4; start++) {
      await stand.stop('single');
      const sinceMs = Date.now();
      await stand.start('single', { DATA_DIR: path.join(dir, 'data') });
      await own.untilScraped(sinceMs);
    }
    const { bavail, bsize, blocks } = statfsSync(dir);
    writeFileSync(path.join(dir, 'filler'), Buffer.alloc(Math.floor((bavail - blocks * 0.05) * bsize)));
    await own.untilFired(['TradingDiskFull', 'TradingProcessRestarts']);
  } finally {
    await stand.stop('single');
    execFileSync('umount', ['--lazy', dir]);
  }
});
