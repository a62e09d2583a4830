import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, databaseClock } from '../../engine/platform/context.ts';
import type { BacktestsOptions, RunningBacktests } from '../../server/workers/research/index.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { crossingGraph, IDEAL_FILLS, iso } from '../support/backtest.ts';
import { CROSSES, storeWaves, waveCandles } from '../support/backtests.ts';
import { BAR_MS } from '../support/bars.ts';
import { crossingLoop, type LoopFill } from '../support/crossing-loop.ts';
import { openedForFile } from '../support/opened.ts';
import { runQueued } from '../support/run-queued.ts';
import { addBlueprint, hold } from '../support/trading.ts';
import { type Account, openWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;
const FROM_MS = Date.parse('2026-03-01T00:00:00Z');
const DAYS = 30;
const HELD = { fromMs: FROM_MS - DAY_MS, toMs: FROM_MS + DAYS * DAY_MS };

const world = openedForFile(openWorld);
let account: Account;

/** Opened once: a thread takes a while to load, and is reused. */
let running: RunningBacktests | null = null;

beforeAll(async () => {
  await storeWaves(world.db, HELD);
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
// A run that continues loses its lease: the next test does not wait for it.
afterEach(() => sql`delete from backtest`.execute(world.db));
afterAll(() => running?.stop());

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
  return runQueued(world, { threads: 2, ...options });
}

const SPAN = { from: iso(FROM_MS), to: iso(FROM_MS + 10 * DAY_MS) };
const requestOf = (more: object = {}) => ({ visual: CROSSES, ...SPAN, ...more });

type Started = { id: string; status: string; requestHash: string; reusedFrom: string | null };
async function start(more: object = {}): Promise<Started> {
  return expectOk(await account.http('POST', '/api/backtests', requestOf(more))) as Started;
}
type BacktestView = {
  status: string;
  failure: { code: string } | null;
  resultHash: string;
  requestHash: string;
} & Record<string, unknown>;
const readBacktest = async (id: string): Promise<BacktestView> =>
  expectOk(await account.http('GET', `/api/backtests/${id}`)) as BacktestView;
const ended = async (id: string): Promise<BacktestView> => {
  await expect
    .poll(async () => (await readBacktest(id)).status, { timeout: 60_000, interval: 50 })
    .toMatch(/done|failed|canceled/);
  return readBacktest(id);
};

describe('a backtest', () => {
  test('completes with trades, orders, equity, a report and files that agree with each other', {
    tags: ['long'],
  }, async () => {
    run();
    const { id, status, reusedFrom } = await start();
    expect({ status, reusedFrom }).toEqual({ status: 'queued', reusedFrom: null });
    run().wake();
    const backtest = await ended(id);
    expect(backtest, JSON.stringify(backtest.failure)).toMatchObject({
      status: 'done',
      coverage: [{ tokenId: 'BTCUSDT' }],
    });
    const { statistics } = backtest['result'] as {
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

  test('row 5: requested over HTTP, each fill is at the next open after the crossing, at the price of a loop over the bars', {
    tags: ['long'],
  }, async () => {
    run();
    const ideal = { cash: '100000', fees: 'none', fills: IDEAL_FILLS, checks: false };
    const { id } = await start({ visual: crossingGraph(10, 30, 0.01), ...ideal });
    expect(await ended(id)).toMatchObject({ status: 'done' });
    const { fills } = (await account.http('GET', `/api/backtests/${id}/result.json`)).body as {
      fills: LoopFill[];
    };
    const bars = waveCandles(FROM_MS - DAY_MS, (11 * DAY_MS) / BAR_MS);
    // It is deployed at the beginning of the span, when the last candle of the day before has closed.
    const expected = crossingLoop(bars, DAY_MS / BAR_MS - 1);
    expect(expected.length).toBeGreaterThan(50);
    expect(fills.map(({ side, at, price }) => ({ side, at, price }))).toEqual(expected);
  });

  test('row 22: the same request is the same run; another fee, seed, rule or byte of data is another; fresh gives the same result', {
    tags: ['long'],
  }, async () => {
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
    // Other data: one close differs.
    const { requestHash: before } = await start();
    await storeWaves(world.db, HELD, { bar: 600, closeMore: 0.01 });
    const corrected = await start();
    expect([corrected.requestHash === before, corrected.reusedFrom]).toEqual([false, null]);
    await account.http('POST', `/api/backtests/${corrected.id}/cancel`);
    await storeWaves(world.db, HELD);
    expect((await start()).requestHash).toBe(before);
  });

  test('without history fails and names the missing part', async () => {
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

  test('that asks what was listed fails where that is not known: never with the survivors', async () => {
    run();
    const listing = {
      id: 'listed',
      type: 'market.info',
      data: { config: { instrument: 'BTCUSDT', field: 'listed' } },
    };
    const visual = { ...CROSSES, nodes: [...CROSSES.nodes, listing] };
    const { id } = await start({ visual });
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'no_history',
        message:
          'Whether BTCUSDT was listed on 2026-03-01 is not known: the venue states no opening time, and this service first read it later. Begin later, or remove the condition.',
      },
    });
    await sql`update instrument set opens_at = '2017-08-17', updated_at = clock_timestamp() where token_id = 'BTCUSDT'`.execute(
      world.db,
    );
    // Only its first statement counts for the time before.
    expect((await ended((await start({ visual, fresh: true })).id)).status).toBe('failed');
  });

  test('row 39: a flipped byte of its history fails it; it never runs on damaged data', async () => {
    run();
    const flip = () =>
      sql`update history_chunk set body = set_byte(body, 40, get_byte(body, 40) # 1)`.execute(world.db);
    await flip();
    const { id } = await start({ fresh: true });
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'no_history' },
      resultHash: null,
    });
    await flip();
    expect(await ended((await start({ fresh: true })).id)).toMatchObject({ status: 'done' });
  });

  test('row 35: refused: an unknown key with its path, one evaluation too many with their number, and a graph that cannot run', async () => {
    const refused = async (more: object) => account.http('POST', '/api/backtests', requestOf(more));
    const { issues } = expectRefusal(await refused({ fills: { latency: 1 } }), 400, 'validation_failed');
    expect(issues[0]?.path).toBe('/fills/latency');
    const late = expectRefusal(await refused({ fills: { latencyMs: 10_001 } }), 400, 'validation_failed');
    expect(late.issues[0]?.path).toBe('/fills/latencyMs');
    expectRefusal(
      await refused({ visual: { nodes: [{ id: 'x', type: 'nope' }], edges: [] } }),
      400,
      'blueprint_invalid',
    );
    const NUL = String.fromCharCode(0);
    for (const substitute of [{ BTCUSDT: [`BTC${NUL}`] }, { [`BTC${NUL}`]: ['BTCUSDT'] }]) {
      const unwritable = expectRefusal(await refused({ data: { substitute } }), 400, 'validation_failed');
      expect(unwritable.issues[0]?.path).toContain('/data/substitute/');
    }
    const nodes = Array.from({ length: 500 }, (_, at) => ({
      id: `n${at}`,
      type: 'constant',
      data: { config: { value: at } },
    }));
    const many = { ...CROSSES, nodes: [...CROSSES.nodes, ...nodes] };
    const tooMany = expectRefusal(await refused({ visual: many }), 400, 'blueprint_invalid');
    expect(tooMany.issues[0]?.message).toContain('508 nodes to execute; 200 are allowed');
    expectRefusal(await refused({ to: '2999-01-01T00:00:00Z' }), 400, 'validation_failed');
    const to = FROM_MS + DAYS * DAY_MS;
    const long = await refused({ from: iso(to - 10_000_001 * 300_000), to: iso(to) });
    expect(expectRefusal(long, 403, 'backtest_too_large').message).toBe(
      'The backtest would take 10,000,001 evaluations of at most 10,000,000. Take a shorter range or a longer interval.',
    );
    // Ten years of minutes are few enough to be evaluated, and too many to be stored.
    const minutes = {
      visual: crossingGraph(10, 30, 0.01, '1m'),
      from: iso(to - 3_652 * DAY_MS),
      to: iso(to),
    };
    expect(expectRefusal(await refused(minutes), 403, 'backtest_too_large').message).toMatch(
      /^The backtest would take 5,258,\d{3} rows of history of at most 4,793,490\. /,
    );
  });
});

describe('a run that is canceled or loses its process', () => {
  test('row 34: is canceled within a second, keeps what it computed, and leaves its thread for the next run', {
    tags: ['long'],
  }, async () => {
    run();
    const { id } = await start({ to: iso(FROM_MS + DAYS * DAY_MS), fresh: true });
    await expect.poll(async () => (await readBacktest(id)).status, { interval: 5 }).toBe('running');
    expectOk(await account.http('POST', `/api/backtests/${id}/cancel`));
    run().wake();
    const backtest = await ended(id);
    // On a fast machine it may have finished before.
    expect(['canceled', 'done']).toContain(backtest.status);
    if (backtest.status === 'canceled') expect(backtest['isPartial']).toBe(true);
    for (const what of ['trades', 'orders', 'log', 'equity'])
      expectOk(await account.http('GET', `/api/backtests/${id}/${what}`));
    const next = await start();
    expect((await ended(next.id)).status).toBe('done');
    expectRefusal(await account.http('POST', `/api/backtests/${next.id}/cancel`), 403, 'invalid_state');
  });

  test('row 34: is canceled while its history is fetched, and while it is checked', {
    tags: ['long'],
  }, async () => {
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
    fetching.wake();
    await begun.promise;
    expectOk(await account.http('POST', `/api/backtests/${id}/cancel`));
    fetching.wake();
    expect(await ended(id)).toMatchObject({ status: 'canceled', isPartial: true });
    await fetching.stop();
    run();
    const checked = await start({ fresh: true });
    await expect
      .poll(
        async () => {
          const { status, phase } = await readBacktest(checked.id);
          return `${status} ${phase}`;
        },
        { timeout: 30_000, interval: 5 },
      )
      .toMatch(/checks|done/);
    // It may have ended by then.
    await account.http('POST', `/api/backtests/${checked.id}/cancel`);
    run().wake();
    expect((await ended(checked.id)).status).toMatch(/canceled|done/);
  });

  test('row 33: restarts after its process stopped or was lost, and gives the same bytes, once', {
    tags: ['long'],
  }, async () => {
    run();
    const { id } = await start();
    const { resultHash } = await ended(id);
    await rest();
    const again = await start({ fresh: true });
    const stopped = open();
    await expect
      .poll(async () => (await readBacktest(again.id)).status, { interval: 2 })
      .toMatch(/running|done/);
    await stopped.stop();
    run();
    expect(await ended(again.id)).toMatchObject({ status: 'done', resultHash });
    const { rows } = await sql<{ kind: string; rows: number; expected: number }>`
      select kind, sum(rows)::int as rows, max(first_row + rows)::int as expected from backtest_part
      where backtest_id = ${again.id} group by kind`.execute(world.db);
    for (const { rows: count, expected } of rows) expect(count).toBe(expected);
  });

  test('row 36: fails when it exceeds its memory limit, and the process survives', async () => {
    await rest();
    const small = open({ memoryMb: 8, threads: 1 });
    const { id } = await start({ to: iso(FROM_MS + DAYS * DAY_MS), fresh: true });
    expect(await ended(id)).toMatchObject({ status: 'failed', failure: { code: 'out_of_memory' } });
    await small.stop();
  });

  test('is ended after its timeout', async () => {
    await rest();
    const short = open({ runMs: 1 });
    const { id } = await start({ to: iso(FROM_MS + DAYS * DAY_MS), fresh: true });
    expect(await ended(id)).toMatchObject({ status: 'failed', failure: { code: 'timed_out' } });
    await short.stop();
  });
});

test('row 21: alone or beside another, in one thread or the other: the same bytes', {
  tags: ['long'],
}, async () => {
  run();
  const first = await ended((await start()).id);
  const [one, two] = await Promise.all([start({ fresh: true }), start({ fresh: true })]);
  for (const { id } of [one, two]) expect((await ended(id)).resultHash).toBe(first.resultHash);
});

test('row 30: changes no order, fill, position, cash or quote, while ten run and after them', {
  tags: ['long'],
}, async () => {
  await hold(world, account, { blueprintId: await addBlueprint(account), amount: '0.001' });
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
      sql<{ rows: string; sum: string }>`select count(*) as rows,
          md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as sum from ${sql.table(table)} t`.execute(
        world.db,
      ),
    );
    return (await Promise.all(all)).map(({ rows }) => rows[0]);
  };
  const before = await stored();
  for (const table of before) expect(Number(table?.rows)).toBeGreaterThan(0);
  run();
  const runs: Started[] = [];
  for (let seed = 1; seed <= 10; seed++) runs.push(await start({ seed, checks: false }));
  run().wake();
  for (const { id } of runs) {
    expect((await ended(id)).status).toBe('done');
    expect(await stored()).toEqual(before);
  }
});

describe('repeated, late and missing requests', () => {
  test('a clock that is set back by an hour while it runs leaves a run that ended, and never before it began', {
    tags: ['long'],
  }, async () => {
    await rest();
    const back: Clock = async (db) => new Date((await databaseClock(db)).getTime() - 3_600_000);
    const late = open({ clock: back });
    const { id } = await start({ fresh: true });
    const { status, startedAt, finishedAt } = await ended(id);
    expect(status).toBe('done');
    expect(Date.parse(finishedAt as string)).toBeGreaterThanOrEqual(Date.parse(startedAt as string));
    await late.stop();
  });
});
