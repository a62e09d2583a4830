import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { type Simulator, startSimulator } from '../../simulator/index.ts';
import { type Nodes, openRunnerWorld, type RunnerWorld, until } from '../runner/support.ts';
import { fillingBroker } from '../support/trading-fixture.ts';

const PROCESS = fileURLToPath(new URL('./runner-process.ts', import.meta.url));
const BTC = 'BTCUSDT';
const SHARDS = 8;
const MINUTE_TICKS = 60;
/** Start of the simulated world: the same for every run. */
const START_TICK = Math.floor(Date.parse('2026-11-20T10:00:00Z') / 1_000);

/** A process is replaced within this time: eight seconds of lease, and one poll for free shards. */
const TAKEN_OVER_WITHIN_MS = 10_000;

const KILLS = Number(process.env['FAULT_KILLS'] ?? 3);
const BLUEPRINTS = Number(process.env['FAULT_BLUEPRINTS'] ?? 200);
/** Candles of a run: at least one for each kill. */
const MINUTES = Math.max(10, KILLS);

/** More than a blueprint sells in this test. */
const STOCK = '0.05';

/** Buys above and sells below a mean of closed candles; neighbours have other rules. */
function onCandles(index: number): Nodes {
  const when = (op: 'gt' | 'lt') => ({ type: 'compare', config: { op }, inputs: { a: 'close', b: 'mean' } });
  const order = (side: 'buy' | 'sell', condition: string) => ({
    type: 'order',
    config: { instrument: BTC, side, type: 'market' },
    inputs: { when: condition, amount: 'amount' },
  });
  return {
    close: { type: 'crypto.candle', config: { symbol: BTC, interval: '1m', field: 'close' } },
    mean: { type: 'indicator', config: { kind: 'sma', period: 2 + (index % 6) }, inputs: { in: 'close' } },
    above: when('gt'),
    below: when('lt'),
    amount: { type: 'constant', config: { value: 0.001 * (1 + (index % 3)) } },
    buy: order('buy', 'above'),
    sell: order('sell', 'below'),
  };
}

/** Buys each time the quote rises above a level near its usual range. */
const onQuotes = (level: number): Nodes => ({
  price: { type: 'crypto.price', config: { symbol: BTC, field: 'last' } },
  level: { type: 'constant', config: { value: level } },
  above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: 'level' } },
  amount: { type: 'constant', config: { value: 0.001 } },
  buy: {
    type: 'order',
    config: { instrument: BTC, side: 'buy', type: 'market' },
    inputs: { when: 'above', amount: 'amount' },
  },
});

/** A database, a pinned simulator and two runner processes on them. */
type Run = {
  world: RunnerWorld;
  simulator: Simulator;
  /** Kills one by SIGKILL, and starts another in its place. */
  replace(index: number): Promise<void>;
  close(): Promise<void>;
};
const open: Run[] = [];
afterEach(async () => {
  for (const run of open.splice(0)) await run.close();
});

async function openRun(): Promise<Run> {
  const simulator = await startSimulator({ seed: 'faults' });
  simulator.clock.pin(START_TICK);
  const world = await openRunnerWorld({ shardCount: SHARDS });
  const settings = JSON.stringify({
    connection: world.database.connection,
    simulatorUrl: simulator.url,
    shardCount: SHARDS,
  });
  const start = async (): Promise<ChildProcess> => {
    const child = fork(PROCESS, [settings], { stdio: 'inherit' });
    await once(child, 'message');
    return child;
  };
  const processes = [await start(), await start()];
  const run: Run = {
    world,
    simulator,
    async replace(index) {
      const child = processes[index];
      if (child === undefined) throw new Error('There are two processes.');
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      processes[index] = await start();
    },
    async close() {
      for (const child of processes) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      await world.close();
      await simulator.close();
    },
  };
  open.push(run);
  return run;
}

/** Deploys the same blueprints in every run, by number. */
async function deployAll(run: Run): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  const sellers: Seller[] = [];
  const level = await priceNow(run);
  let accountId = '';
  for (let index = 0; index < BLUEPRINTS; index++) {
    if (index % 50 === 0) accountId = await run.world.account();
    const nodes = index % 2 === 0 ? onCandles(index) : onQuotes(level + (index % 40) - 20);
    const { deploymentId, blueprintId } = await run.world.deploy(nodes, accountId);
    numbers.set(deploymentId, index);
    if (index % 2 === 0) sellers.push({ accountId, blueprintId });
  }
  await stockUp(run, sellers);
  return numbers;
}

type Seller = { accountId: string; blueprintId: string };

/**
 * Buys holdings to sell from the start, at a venue with unlimited depth. The simulated one has limited depth.
 * An order whose sender is killed before the venue had it ends rejected, and is never sent again.
 * The sells of a blueprint must not depend on the outcome of its buys.
 */
async function stockUp({ world }: Run, sellers: readonly Seller[]): Promise<void> {
  const buy = {
    origin: 'manual',
    tokenId: BTC,
    side: 'buy',
    type: 'market',
    timeInForce: 'ioc',
    amount: STOCK,
    inputs: {},
  } as const;
  for (const { accountId, blueprintId } of sellers) {
    const work = () => world.workOf(accountId);
    // Retries: at first there is no quote, and sometimes a runner sends the order to the simulated venue first.
    await until(async () => {
      const order = await proposeIntent(work(), { ...buy, blueprintId }).catch(() => null);
      if (order === null) return false;
      const applied = await sendOrder(
        work(),
        fillingBroker(() => new Date()),
        order.id,
      );
      return applied?.order.status === 'filled';
    });
  }
}

async function priceNow({ simulator }: Run): Promise<number> {
  const response = await fetch(`${simulator.url}/binance/api/v3/ticker/24hr?symbol=${BTC}`);
  const { lastPrice } = (await response.json()) as { lastPrice: string };
  return Math.round(Number(lastPrice));
}

/** Waits until this minute is complete: candles evaluated, edges used, intents decided, orders ended. */
async function settle({ world, simulator }: Run): Promise<void> {
  const minute = Math.floor(simulator.clock.now() / 60_000) * 60_000;
  const isOver = async () => {
    const { rows } = await sql<{ unfinished: number }>`
      select ((select count(*) from intent_request)
        + (select count(*) from trade_order where ended_at is null)
        + (select count(*) from deployment_state s where s.memory is null
            or exists (select 1 from jsonb_each_text(s.memory -> 'candles') c where c.value::bigint < ${minute})
            or exists (select 1 from deployment_nodes shown, jsonb_each(shown.states) n
              where shown.deployment_id = s.deployment_id and n.value ->> 'status' in ('waiting', 'stale')))
        )::int as unfinished`.execute(world.db);
    return rows[0]?.unfinished === 0;
  };
  await until(isOver, { timeoutMs: 120_000, everyMs: 250 });
}

/** Runs through the minutes; `disturb` may cause a fault once in each. */
async function live(run: Run, disturb: (minute: number) => Promise<void>): Promise<void> {
  await settle(run);
  for (let minute = 0; minute < MINUTES; minute++) {
    run.simulator.clock.advance(MINUTE_TICKS);
    // A candle counts as closed a second after its end.
    run.simulator.clock.advance(minute === 0 ? 2 : 0);
    await Promise.all([settle(run), disturb(minute)]);
    await settle(run);
  }
}

const ordersOf = (run: Run) =>
  run.world.db.selectFrom('trade_order').selectAll().orderBy('created_at').execute();

/** Watches when shards tick. Returns, once stopped, the longest time any of them went without a tick, ms. */
function watchPauses({ world }: Run): () => Promise<number> {
  let longestMs = 0;
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const { rows } = await sql<{ pause: number | null }>`
        select max(extract(epoch from clock_timestamp() - last_tick_at) * 1000)::float8 as pause from shard`.execute(
        world.db,
      );
      longestMs = Math.max(longestMs, rows[0]?.pause ?? 0);
      await sleep(50);
    }
  })();
  const stop = async () => {
    stopping.abort();
    await watching;
    return longestMs;
  };
  return stop;
}

/** The intents on candles as one sorted list of lines. */
async function candleIntents(run: Run, numbers: Map<string, number>): Promise<string[]> {
  return (await ordersOf(run))
    .filter(({ deployment_id }) => (numbers.get(deployment_id ?? '') ?? 1) % 2 === 0)
    .map(({ deployment_id, node_id, step_at, side, amount }) =>
      [numbers.get(deployment_id ?? ''), node_id, step_at, side, amount].join(' '),
    )
    .sort();
}

/** Expects that each firing in the node states has one outcome: none lost, none doubled. */
async function expectEveryFiringOnce(run: Run): Promise<void> {
  const { rows } = await sql`
    with fired as (
      select s.deployment_id, node.key as node_id, (node.value ->> 'n')::int as n
      from deployment_state s, jsonb_each(s.memory -> 'nodes') node where node.value ? 'n'),
    ordered as (
      select deployment_id, node_id, count(*)::int as orders, jsonb_agg(jsonb_build_array(step_at, created_at, status) order by step_at) as them
      from trade_order where deployment_id is not null group by 1, 2)
    select deployment_id, node_id, n, orders, them,
      (select memory from deployment_state m where m.deployment_id = coalesce(fired.deployment_id, ordered.deployment_id)) as memory
    from fired full join ordered using (deployment_id, node_id)
    where n is distinct from orders`.execute(run.world.db);
  expect(rows).toEqual([]);
}

/** Expects that each intent on quotes carries the price above its level that caused it. */
async function expectExplained(run: Run, numbers: Map<string, number>): Promise<void> {
  const onQuote = (await ordersOf(run)).filter(
    ({ deployment_id }) => (numbers.get(deployment_id ?? '') ?? 0) % 2 === 1,
  );
  expect(onQuote.length).toBeGreaterThan(0);
  for (const { inputs } of onQuote) {
    const { inputs: values } = inputs as unknown as { inputs: { nodeId: string; value: number }[] };
    const numberOf = (nodeId: string) => values.find((input) => input.nodeId === nodeId)?.value;
    expect(numberOf('price')).toBeGreaterThan(numberOf('level') ?? Number.POSITIVE_INFINITY);
  }
}

describe(`${BLUEPRINTS} blueprints on two runner processes`, () => {
  test(`raise the same intents with ${KILLS} kills as without any`, { timeout: 1_200_000 }, async () => {
    const calm = await openRun();
    const calmNumbers = await deployAll(calm);
    await live(calm, async () => {});
    const expected = await candleIntents(calm, calmNumbers);
    await expectEveryFiringOnce(calm);
    await calm.close();
    open.splice(open.indexOf(calm), 1);

    const shaken = await openRun();
    const shakenNumbers = await deployAll(shaken);
    let kills = 0;
    const stopWatching = watchPauses(shaken);
    await live(shaken, async (minute) => {
      if (minute >= KILLS) return;
      await sleep(Math.random() * 1_500);
      await shaken.replace(minute % 2);
      kills += 1;
    });
    const pauseMs = Math.round(await stopWatching());
    expect(kills).toBe(KILLS);
    expect(pauseMs).toBeLessThan(TAKEN_OVER_WITHIN_MS);
    expect(expected.length).toBeGreaterThan(BLUEPRINTS / 4);
    expect(await candleIntents(shaken, shakenNumbers)).toEqual(expected);
    await expectEveryFiringOnce(shaken);
    await expectExplained(shaken, shakenNumbers);
    process.stdout.write(
      `${expected.length} intents on candles, the same with ${kills} kills; the longest a shard went without a tick: ${pauseMs} ms.\n`,
    );
  });
});
