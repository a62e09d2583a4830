import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseClock } from '../../engine/context.ts';
import {
  type BacktestsOptions,
  type RunningBacktests,
  startBacktests,
} from '../../server/backtests/index.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { CROSSES, keepWaves } from '../support/backtests.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

const DAY_MS = 86_400_000;
const FROM_MS = Date.parse('2026-03-01T00:00:00Z');
const DAYS = 30;

let world: World;
let account: Account;
const quiet = () => {};
const SILENT = { info: quiet, warn: quiet, error: quiet };

/** Opened once: a thread takes a while to load, and is kept warm. */
let running: RunningBacktests | null = null;

beforeAll(async () => {
  world = await openWorld();
  await keepWaves(world.db, { fromMs: FROM_MS - DAY_MS, toMs: FROM_MS + DAYS * DAY_MS });
});
beforeEach(async () => {
  account = await world.account();
  expectOk(
    await account.http('PUT', '/api/risk-rules', {
      maxOrderSize: 1_000,
      maxOpenPositions: 100,
      maxOrdersPerMinute: 100,
      maxDailyLoss: 10_000,
      cooldownAfterLossSec: 0,
      requireApprovalAbove: 1_000,
    }),
  );
});
afterEach(() => sql`delete from backtest where status in ('done', 'failed', 'canceled')`.execute(world.db));
afterAll(async () => {
  await running?.stop();
  await world.close();
});

/** The process that runs backtests in most tests. */
function run(): RunningBacktests {
  running ??= open();
  return running;
}
async function rest(): Promise<void> {
  await running?.stop();
  running = null;
}

/** A process that runs backtests, beside the one that answers. */
function open(options: Partial<BacktestsOptions> = {}): RunningBacktests {
  return startBacktests({
    pool: world.pool,
    market: world.market,
    importHistory: async () => {},
    clock: databaseClock,
    log: SILENT,
    beatMs: 50,
    threads: 2,
    ...options,
  });
}

const iso = (ms: number) => new Date(ms).toISOString();
const SPAN = { from: iso(FROM_MS), to: iso(FROM_MS + 10 * DAY_MS) };
const asked = (more: object = {}) => ({ visual: CROSSES, ...SPAN, ...more });

type Started = { id: string; status: string; requestHash: string; reusedFrom: string | null };
async function start(more: object = {}): Promise<Started> {
  return expectOk(await account.http('POST', '/api/backtests', asked(more))) as Started;
}
type Told = {
  status: string;
  failure: { code: string } | null;
  resultHash: string;
  requestHash: string;
} & Record<string, unknown>;
const tell = async (id: string): Promise<Told> =>
  expectOk(await account.http('GET', `/api/backtests/${id}`)) as Told;
const ended = async (id: string): Promise<Told> => {
  await expect
    .poll(async () => (await tell(id)).status, { timeout: 30_000, interval: 50 })
    .toMatch(/done|failed|canceled/);
  return tell(id);
};

describe('a backtest', () => {
  test('runs and comes to trades, orders, equity, a report and files that agree with each other', async () => {
    run();
    const { id, status, reusedFrom } = await start();
    expect({ status, reusedFrom }).toEqual({ status: 'queued', reusedFrom: null });
    run().nudge();
    const told = await ended(id);
    expect(told, JSON.stringify(told.failure)).toMatchObject({
      status: 'done',
      coverage: [{ tokenId: 'BTCUSDT' }],
    });
    const { statistics } = told['result'] as {
      statistics: { trades: { closed: number }; netProfit: number };
    };
    expect(statistics.trades.closed).toBeGreaterThan(20);
    const trades = expectOk(await account.http('GET', `/api/backtests/${id}/trades?limit=500`)) as {
      pnl: number;
    }[];
    expect(trades).toHaveLength(statistics.trades.closed);
    const csv = (await account.http('GET', `/api/backtests/${id}/trades.csv`)).text;
    expect(csv.trimEnd().split('\r\n')).toHaveLength(trades.length + 1);
    const { points } = expectOk(await account.http('GET', `/api/backtests/${id}/equity?points=100`)) as {
      points: unknown[];
    };
    expect(points.length).toBeLessThanOrEqual(100);
    const report = await account.http('GET', `/api/backtests/${id}/report.html`);
    expect(report.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'sha256-");
    expect(report.text).toContain('Price, with fills');
    const whole = await account.http('GET', `/api/backtests/${id}/result.json`);
    expect(whole.body).toMatchObject({ backtest: { id }, visual: CROSSES });
    expect((whole.body as { trades: unknown[] }).trades).toHaveLength(trades.length);
  });

  test('row 22: the same again is the same run; another fee, seed, rule or byte of data is another; fresh comes to the same', async () => {
    run();
    const first = await start();
    const done = await ended(first.id);
    expect(await start()).toEqual({
      id: first.id,
      status: 'done',
      requestHash: done.requestHash,
      reusedFrom: first.id,
    });
    const fresh = await start({ fresh: true });
    expect(fresh.id).not.toBe(first.id);
    expect((await ended(fresh.id)).resultHash).toBe(done.resultHash);
    for (const other of [
      { fees: 'none' },
      { seed: 2 },
      { cash: '5000' },
      { risk: { approvals: { delaySec: 1 } } },
    ]) {
      const { requestHash, reusedFrom, id } = await start(other);
      expect({ other, isSame: requestHash === done.requestHash, reusedFrom }).toEqual({
        other,
        isSame: false,
        reusedFrom: null,
      });
      await account.http('POST', `/api/backtests/${id}/cancel`);
    }
    expectOk(await account.http('PUT', '/api/risk-rules', { maxOrderSize: 999 }));
    expect((await start()).requestHash).not.toBe(done.requestHash);
  });

  test('without history fails with what is missing', async () => {
    run();
    const { id } = await start({ from: '2025-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' });
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'no_history',
        message: expect.stringContaining('candle history of BTCUSDT every 300 s'),
      },
    });
  });

  test('row 35: an unknown key is refused with its path, one evaluation too many with their number, and a drawing that cannot run', async () => {
    const refused = async (more: object) => account.http('POST', '/api/backtests', asked(more));
    const { issues } = expectRefusal(await refused({ fills: { latency: 1 } }), 400, 'validation_failed');
    expect(issues[0]?.path).toBe('/fills/latency');
    const late = expectRefusal(await refused({ fills: { latencyMs: 10_001 } }), 400, 'validation_failed');
    expect(late.issues[0]?.path).toBe('/fills/latencyMs');
    expectRefusal(
      await refused({ visual: { nodes: [{ id: 'x', type: 'nope' }], edges: [] } }),
      400,
      'blueprint_invalid',
    );
    expectRefusal(await refused({ to: '2999-01-01T00:00:00Z' }), 400, 'validation_failed');
    const to = FROM_MS + DAYS * DAY_MS;
    const long = await refused({ from: iso(to - 10_000_001 * 300_000), to: iso(to) });
    expect(expectRefusal(long, 403, 'backtest_too_large').message).toBe(
      'The backtest would take 10,000,001 evaluations of at most 10,000,000. Take a shorter range or a longer interval.',
    );
  });
});

describe('a run that does not end by itself', () => {
  test('row 34: is canceled within a second, keeps what it computed, and leaves its thread for the next', async () => {
    run();
    const { id } = await start({ to: iso(FROM_MS + DAYS * DAY_MS), fresh: true });
    await expect.poll(async () => (await tell(id)).status, { interval: 5 }).toBe('running');
    expectOk(await account.http('POST', `/api/backtests/${id}/cancel`));
    run().nudge();
    const told = await ended(id);
    // On a quick machine it may have come to its end before.
    expect(['canceled', 'done']).toContain(told.status);
    if (told.status === 'canceled') expect(told['isPartial']).toBe(true);
    const next = await start();
    expect((await ended(next.id)).status).toBe('done');
    expectRefusal(await account.http('POST', `/api/backtests/${next.id}/cancel`), 403, 'invalid_state');
  });

  test('row 34: is canceled while its history is fetched, and while it is checked', async () => {
    await rest();
    const begun = Promise.withResolvers<void>();
    const fetching = open({
      importHistory: (_, signal) => {
        begun.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      },
    });
    const { id } = await start({ from: '2025-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' });
    fetching.nudge();
    await begun.promise;
    expectOk(await account.http('POST', `/api/backtests/${id}/cancel`));
    fetching.nudge();
    expect(await ended(id)).toMatchObject({ status: 'canceled', isPartial: true });
    await fetching.stop();
    run();
    const checked = await start({ fresh: true });
    await expect
      .poll(
        async () => {
          const { status, phase } = await tell(checked.id);
          return `${status} ${phase}`;
        },
        { timeout: 30_000, interval: 5 },
      )
      .toMatch(/checks|done/);
    // It may be over by the time.
    await account.http('POST', `/api/backtests/${checked.id}/cancel`);
    run().nudge();
    expect((await ended(checked.id)).status).toMatch(/canceled|done/);
  });

  test('row 33: is begun anew where its process stopped or was lost, and comes to the same bytes, once', async () => {
    run();
    const { id } = await start();
    const { resultHash } = await ended(id);
    await rest();
    const again = await start({ fresh: true });
    const stopped = open();
    await expect.poll(async () => (await tell(again.id)).status, { interval: 2 }).toMatch(/running|done/);
    await stopped.stop();
    run();
    expect(await ended(again.id)).toMatchObject({ status: 'done', resultHash });
    const { rows } = await sql<{ kind: string; rows: number; told: number }>`
      select kind, sum(rows)::int as rows, max(first_row + rows)::int as told from backtest_part
      where backtest_id = ${again.id} group by kind`.execute(world.db);
    for (const { rows: count, told } of rows) expect(count).toBe(told);
  });

  test('row 36: that needs more memory than it may have fails with that, and the process lives', async () => {
    await rest();
    const small = open({ memoryMb: 8, threads: 1 });
    const { id } = await start({ to: iso(FROM_MS + DAYS * DAY_MS), fresh: true });
    expect(await ended(id)).toMatchObject({ status: 'failed', failure: { code: 'out_of_memory' } });
    await small.stop();
  });

  test('is ended after its time', async () => {
    await rest();
    const short = open({ runMs: 1 });
    const { id } = await start({ to: iso(FROM_MS + DAYS * DAY_MS), fresh: true });
    expect(await ended(id)).toMatchObject({ status: 'failed', failure: { code: 'timed_out' } });
    await short.stop();
  });
});

test('row 21: alone or beside another, in one thread or the other: the same bytes', async () => {
  run();
  const first = await ended((await start()).id);
  const [one, two] = await Promise.all([start({ fresh: true }), start({ fresh: true })]);
  for (const { id } of [one, two]) expect((await ended(id)).resultHash).toBe(first.resultHash);
});

test('row 30: changes no order, fill, position, cash or quote', async () => {
  const tables = [
    'trade_order',
    'fill',
    'position',
    'cash_entry',
    'quote',
    'order_transition',
    'account_day',
    'trading_account',
  ];
  const stored = async () => {
    const all = tables.map((table) =>
      sql`select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as sum from ${sql.table(table)} t`.execute(
        world.db,
      ),
    );
    return (await Promise.all(all)).map(({ rows }) => rows[0]);
  };
  const before = await stored();
  run();
  const runs = [await start({ seed: 1 }), await start({ seed: 2 }), await start({ seed: 3 })];
  for (const { id } of runs) expect((await ended(id)).status).toBe('done');
  expect(await stored()).toEqual(before);
});
