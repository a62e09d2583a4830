import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unfinishedSweeps } from '../../engine/research/sweeps/list.ts';
import { claimSweeps, requeueSweep } from '../../engine/research/sweeps/queue.ts';
import { readSweep } from '../../engine/research/sweeps/row.ts';
import { trialsBefore } from '../../engine/research/sweeps/start.ts';
import { readTrials, storeTrials, WHOLE_RANGE } from '../../engine/research/sweeps/trials.ts';
import type { RunningBacktests } from '../../server/workers/research/index.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { CROSSES, storeWaves } from '../support/backtests.ts';
import { openedForFile } from '../support/opened.ts';
import { runQueued } from '../support/run-queued.ts';
import { addSweep, beginSweep, queueSweep, SWEEP_REQUEST, TRIALS } from '../support/sweeps.ts';
import { addBlueprint } from '../support/trading.ts';
import { type Account, openWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;
const FROM_MS = Date.parse('2026-03-01T00:00:00Z');
const DAYS = 12;

const world = openedForFile(openWorld);
let account: Account;
let running: RunningBacktests | null = null;

beforeAll(async () => {
  await storeWaves(world.db, { fromMs: FROM_MS - DAY_MS, toMs: FROM_MS + DAYS * DAY_MS });
});
beforeEach(async () => {
  account = await world.account();
});
afterEach(() => sql`delete from sweep`.execute(world.db));
afterAll(() => running?.stop());

function run(): RunningBacktests {
  running ??= runQueued(world, { threads: 2 });
  running.wake();
  return running;
}

type SweepView = {
  status: string;
  trials: number;
  failure: unknown;
  result: Record<string, unknown> | null;
  best: object | null;
};
const sweepOf = async (id: string) => expectOk(await account.http('GET', `/api/sweeps/${id}`)) as SweepView;
const ended = async (id: string): Promise<SweepView> => {
  await expect
    .poll(async () => (await sweepOf(id)).status, { timeout: 40_000, interval: 100 })
    .toMatch(/done|failed|canceled/);
  return sweepOf(id);
};
const iso = (ms: number) => new Date(ms).toISOString();
const space = (values: readonly unknown[]) => ({ dimensions: [{ pointer: POINTER, values }] });
/** A number of the graph that is run. */
const POINTER = pointerOf(CROSSES);

function pointerOf(visual: unknown): string {
  const { nodes } = visual as { nodes: { data: { config: Record<string, unknown> } }[] };
  for (const [place, { data }] of nodes.entries()) {
    const name = Object.keys(data.config).find((key) => typeof data.config[key] === 'number');
    if (name !== undefined) return `/nodes/${place}/data/config/${name}`;
  }
  throw new Error('The graph has no number.');
}
const valueThere = () =>
  POINTER.slice(1)
    .split('/')
    .reduce((inner: unknown, name) => (inner as Record<string, unknown>)[name], CROSSES) as number;
const requestOf = (more: object = {}) => ({
  visual: CROSSES,
  from: iso(FROM_MS),
  to: iso(FROM_MS + 10 * DAY_MS),
  space: space([valueThere(), valueThere() + 1]),
  objective: { statistic: 'totalReturn', minTrades: 0 },
  ...more,
});
const start = async (more: object = {}) =>
  expectOk(await account.http('POST', '/api/sweeps', requestOf(more))) as {
    id: string;
    status: string;
    runsAtMost: number;
  };

describe('a sweep', () => {
  test('runs every combination, walks forward, and always reports the best with its deflated Sharpe ratio', {
    tags: ['long'],
  }, async () => {
    run();
    const walkForward = { trainDays: 3, testDays: 1 };
    const { id, status, runsAtMost } = await start({ walkForward });
    expect(status).toBe('queued');
    run();
    const sweep = await ended(id);
    expect(sweep, JSON.stringify(sweep.failure)).toMatchObject({ status: 'done', trials: 2 });
    expect(runsAtMost).toBeGreaterThanOrEqual(2);
    expect(sweep.best).toMatchObject({ figures: {}, deflatedSharpe: {}, probabilityOfOverfitting: {} });
    expect(sweep.result).toMatchObject({ trialsEver: 2, walkForward: { folds: expect.any(Array) } });
    const trials = expectOk(await account.http('GET', `/api/sweeps/${id}/trials?sort=number`)) as {
      number: number;
      resultHash: string;
      values: unknown[];
    }[];
    expect(trials.map(({ number, values }) => [number, ...values])).toEqual([
      [0, valueThere()],
      [1, valueThere() + 1],
    ]);
  });

  test('lists combinations that do not compile, and fails if none does', async () => {
    run();
    const { id } = await start({ space: space([valueThere(), -1]) });
    run();
    expect(await ended(id)).toMatchObject({
      status: 'done',
      trials: 1,
      refused: { count: 1, first: [{ values: [-1] }] },
    });
    const none = await start({ space: space([-1, -2]) });
    run();
    expect(await ended(none.id)).toMatchObject({ status: 'failed', failure: { code: 'no_trials' } });
  });

  test('that loses its process resumes with the same bytes at the end, and reports its progress', {
    tags: ['long'],
  }, async () => {
    run();
    const values = Array.from({ length: 5 }, (_, step) => valueThere() + step);
    const more = { space: space(values) };
    const outcomeOf = async (id: string) => {
      await ended(id);
      const { status, outcome } = await readSweep(account.work, id);
      return { status, outcome, trials: await readTrials(account.work, id, WHOLE_RANGE) };
    };
    const undisturbed = await outcomeOf((await start(more)).id);
    expect(undisturbed.status).toBe('done');
    account = await world.account();
    const { work } = account;
    const { id } = await start(more);
    run();
    await expect
      .poll(async () => (await unfinishedSweeps(work))[0]?.progress?.done ?? 0, { interval: 5 })
      .toBeGreaterThan(0);
    // Another process takes it over: the first process stores nothing more.
    const { rows: taken } = await sql<{ attempts: number }>`
      update sweep set lease_owner = gen_random_uuid(), leased_until = clock_timestamp(), attempts = attempts + 1
      where id = ${id} and status = 'running' returning attempts`.execute(world.db);
    expect(taken).toHaveLength(1);
    run();
    expect(await outcomeOf(id)).toEqual(undisturbed);
  });

  test('is canceled while it runs: its trials until then stay, and count', async () => {
    run();
    const values = Array.from({ length: 200 }, (_, step) => valueThere() + step);
    const { id } = await start({ space: space(values) });
    run();
    await expect
      .poll(async () => (await readTrials(account.work, id, WHOLE_RANGE)).length, {
        interval: 10,
        timeout: 40_000,
      })
      .toBeGreaterThan(0);
    expectOk(await account.http('POST', `/api/sweeps/${id}/cancel`));
    const sweep = await ended(id);
    expect(sweep).toMatchObject({ status: 'canceled', result: null, best: null });
    expect(sweep.trials).toBe((await readTrials(account.work, id, WHOLE_RANGE)).length);
    expect(sweep.trials).toBeLessThan(200);
    expect(await unfinishedSweeps(account.work)).toEqual([]);
  });

  test('is refused if invalid or too large, with the path', async () => {
    const refused = async (more: object) =>
      expectRefusal(await account.http('POST', '/api/sweeps', requestOf(more)), 400, 'validation_failed');
    await refused({ space: { dimensions: [{ pointer: '/nodes/99/data/config/value', values: [1] }] } });
    await refused({ walkForward: { trainDays: 3, testDays: 2, stepDays: 1 } });
    await refused({ space: { dimensions: [{ pointer: POINTER, from: 1, to: 20_000, step: 1 }] } });
  });
});

describe('the queue', () => {
  beforeAll(async () => {
    await running?.stop(); // it would take what waits
    running = null;
  });
  const claim = (owner = randomUUID()) => claimSweeps(world.db, { owner, count: 5, leaseMs: 60_000 });

  test('runs one of an account at once; a lost sweep resumes with its trials stored', async () => {
    const [first] = [await queueSweep(account.work), await queueSweep(account.work)];
    const owner = randomUUID();
    const [row, ...more] = await claim(owner);
    expect([row?.id, more]).toEqual([first, []]);
    const lease = { id: first, owner, attempt: 1 };
    const objective = SWEEP_REQUEST.objective;
    expect(
      await storeTrials(account.work, lease, { part: WHOLE_RANGE, trials: TRIALS.slice(0, 2), objective }),
    ).toBe(true);
    expect(await claim()).toEqual([]);
    await sql`update sweep set leased_until = now() - interval '1 s' where id = ${first}`.execute(world.db);
    const [again] = await claim();
    expect([again?.id, again?.attempts]).toEqual([first, 2]);
    expect(await storeTrials(account.work, lease, { part: WHOLE_RANGE, trials: TRIALS, objective })).toBe(
      false,
    );
    expect(await readTrials(account.work, first, WHOLE_RANGE)).toEqual(TRIALS.slice(0, 2));
    await requeueSweep(account.work, { id: first, owner, attempt: 1 }, true);
    expect((await readSweep(account.work, first)).status).toBe('running');
  });

  test('lets five wait and no sixth; canceling a queued one takes effect at once, and once', async () => {
    const ids = [];
    for (let count = 0; count < 5; count++) ids.push(await queueSweep(account.work));
    await expect(queueSweep(account.work)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expectOk(await account.http('POST', `/api/sweeps/${ids[0]}/cancel`));
    expect((await sweepOf(ids[0] ?? '')).status).toBe('canceled');
    expectRefusal(await account.http('POST', `/api/sweeps/${ids[0]}/cancel`), 403, 'invalid_state');
  });
});

describe('results', () => {
  test('a trial is written as draft, never as a release; 404 for another account’s sweep', async () => {
    const blueprintId = await addBlueprint(account, 'Swept');
    const id = await addSweep(world.pool, account.work, blueprintId);
    const drawn = expectOk(await account.http('POST', `/api/sweeps/${id}/apply`, { number: 1 }));
    expect(drawn).toMatchObject({ id: blueprintId, visual: { nodes: [{ data: { config: { value: 6 } } }] } });
    expect(expectOk(await account.http('GET', `/api/blueprints/${blueprintId}/releases`))).toEqual([]);
    expectRefusal(await account.http('POST', `/api/sweeps/${id}/apply`, { number: 3 }), 404, 'not_found');
    const other = await world.account();
    expectRefusal(await other.http('GET', `/api/sweeps/${id}/trials`), 404, 'not_found');
  });

  test('trials are listed in pages, best first, in the requested order', async () => {
    const id = await addSweep(world.pool, account.work);
    const numbers = async (query: string) => {
      const answer = await account.http('GET', `/api/sweeps/${id}/trials?${query}`);
      return {
        list: (expectOk(answer) as { number: number }[]).map(({ number }) => number),
        next: answer.headers.get('link'),
      };
    };
    const first = await numbers('limit=2');
    expect(first.list).toEqual([1, 2]);
    const rest = /<[^?]*\?([^>]*)>/.exec(first.next ?? '')?.[1] ?? '';
    expect(rest).toContain('sort=score');
    expect((await numbers(rest)).list).toEqual([0]);
    expect((await numbers('sort=number')).list).toEqual([0, 1, 2]);
  });

  test('trials are listed in reverse order too, page by page, those without the figure last either way', async () => {
    const id = await addSweep(world.pool, account.work);
    await sql`update sweep_trial set score = null,
        figures = jsonb_set(figures, '{sharpe}', '{"value": null, "reason": "too_few"}')
      where sweep_id = ${id} and number = 0`.execute(world.db);
    const answer = async (query: string) => account.http('GET', `/api/sweeps/${id}/trials?${query}`);
    const numbers = async (query: string) =>
      (expectOk(await answer(query)) as { number: number }[]).map(({ number }) => number);
    for (const sort of ['score', 'sharpe']) {
      expect(await numbers(`sort=${sort}&order=best`)).toEqual([1, 2, 0]);
      expect(await numbers(`sort=${sort}&order=worst`)).toEqual([2, 1, 0]);
    }
    expect(await numbers('sort=number&order=worst')).toEqual([2, 1, 0]);
    const page = await answer('sort=number&order=worst&limit=2');
    const rest = /<[^?]*\?([^>]*)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    expect(await numbers(rest)).toEqual([0]);
  });

  test('earlier trials on a blueprint over an overlapping range count, also after their deletion; those of others do not', async () => {
    const [mine, others] = [await addBlueprint(account, 'Mine'), await addBlueprint(account, 'Another')];
    const made = await addSweep(world.pool, account.work, mine);
    await addSweep(world.pool, account.work, others);
    const canceled = await queueSweep(account.work, mine);
    await beginSweep(world.pool, account.work, canceled);
    const counted = async () => trialsBefore(account.work, await readSweep(account.work, canceled));
    expect(await counted()).toBe(3);
    expectRefusal(await account.http('DELETE', `/api/sweeps/${canceled}`), 403, 'invalid_state');
    expectOk(await account.http('DELETE', `/api/sweeps/${made}`));
    expectRefusal(await account.http('DELETE', `/api/sweeps/${made}`), 404, 'not_found');
    expectRefusal(await account.http('GET', `/api/sweeps/${made}`), 404, 'not_found');
    expect(expectOk(await account.http('GET', `/api/sweeps?blueprintId=${mine}`))).toHaveLength(1);
    expect(await counted()).toBe(3);
  });
});
