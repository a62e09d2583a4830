/** Fills a database with running deployments by SQL statements; through the API it would take an hour. */

import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { compile } from '../../engine/strategy/graph/compile/compile.ts';
import { ensureInstrument } from '../../engine/trading/orders/terms/instruments.ts';
import { benchMarket, PRICE_MAX, SYMBOLS } from './runner-market.ts';

export const PER_ACCOUNT = 10;
/** Distinct graphs: ten levels for each symbol. */
const GRAPHS = SYMBOLS.length * 10;
const BATCH = 10_000;

export type Graph = { nodes: object[]; edges: object[] };

/** Collects nodes and their edges. */
function openGraph() {
  const graph: Graph = { nodes: [], edges: [] };
  const add = (id: string, type: string, config: object, inputs: Record<string, string> = {}) => {
    graph.nodes.push({ id, type, data: { config } });
    for (const [targetHandle, source] of Object.entries(inputs))
      graph.edges.push({ id: `${source}-${id}-${targetHandle}`, source, target: id, targetHandle });
  };
  return { graph, add };
}

/** Two means of closed one-minute candles: its memory changes with each candle, and its order never fires. */
export function onCandles(index: number): Graph {
  const { graph, add } = openGraph();
  const symbol = SYMBOLS[index % SYMBOLS.length];
  add('close', 'crypto.candle', { symbol, interval: '1m', field: 'close' });
  add('fast', 'indicator', { kind: 'sma', period: 5 + Math.floor(index / SYMBOLS.length) }, { in: 'close' });
  add('slow', 'indicator', { kind: 'sma', period: 30 }, { in: 'close' });
  add('above', 'compare', { op: 'gt', hysteresis: 1 }, { a: 'fast', b: 'slow' });
  add('never', 'constant', { value: PRICE_MAX * 10 });
  add('far', 'compare', { op: 'gt' }, { a: 'close', b: 'never' });
  add('both', 'logic', { op: 'and' }, { in: 'above' });
  graph.edges.push({ id: 'far-both', source: 'far', target: 'both', targetHandle: 'in' });
  add('size', 'size', { mode: 'notional', notional: 100 }, { price: 'close' });
  add('buy', 'order', { instrument: symbol, side: 'buy', type: 'market' }, { when: 'both', amount: 'size' });
  return graph;
}

/** A strategy of 20 nodes on one symbol. It stores on which side of its level the price is; its order never fires. */
export function strategy(index: number): Graph {
  const { graph, add } = openGraph();
  const symbol = SYMBOLS[index % SYMBOLS.length];
  const level = Math.floor(((index / SYMBOLS.length + 0.5) * PRICE_MAX) / 10);
  add('price', 'crypto.price', { symbol, field: 'last' });
  add('level', 'constant', { value: level });
  add('never', 'constant', { value: PRICE_MAX * 10 });
  add('above', 'compare', { op: 'gt', hysteresis: 1 }, { a: 'price', b: 'level' });
  add('held', 'logic', { op: 'not' }, { a: 'above' });
  add('far', 'compare', { op: 'gt' }, { a: 'price', b: 'never' });
  add('close', 'crypto.candle', { symbol, interval: '15m', field: 'close' });
  for (let i = 0; i < 3; i++) {
    add(`mean${i}`, 'indicator', { kind: 'sma', period: 10 + i }, { in: 'close' });
    add(`ratio${i}`, 'math', { op: 'divide' }, { a: 'price', b: `mean${i}` });
    add(`low${i}`, 'compare', { op: 'lt' }, { a: `ratio${i}`, b: 'never' });
  }
  add('all', 'logic', { op: 'and' }, { in: 'far' });
  for (const source of ['held', 'low0', 'low1', 'low2']) {
    graph.edges.push({ id: `${source}-all`, source, target: 'all', targetHandle: 'in' });
  }
  add('size', 'size', { mode: 'notional', notional: 100 }, { price: 'price' });
  add('buy', 'order', { instrument: symbol, side: 'buy', type: 'market' }, { when: 'all', amount: 'size' });
  add('exit', 'exit', { instrument: symbol, stopLoss: 0.1, trailing: 0.05 });
  return graph;
}

type Filling = {
  readonly shardCount: number;
  readonly draw?: (index: number) => Graph;
  /** Deployments of each account, default ten. */
  readonly perAccount?: number;
  /** Called after each 10,000. May throw to end the filling. */
  readonly onFilled?: (filled: number) => void;
};

/** `count` running deployments, spread over the shards by account. */
export async function fill(db: Db, count: number, filling: Filling): Promise<void> {
  const { draw = strategy, onFilled = () => {} } = filling;
  const market = benchMarket(1_000);
  for (const symbol of SYMBOLS) await ensureInstrument(db, market, symbol);
  await sql`create table drawing (number int primary key, hash text, symbol text, visual jsonb)`.execute(db);
  for (let number = 0; number < Math.min(GRAPHS, count); number++) {
    const graph = draw(number);
    const { plan, issues } = compile(graph);
    if (plan === null) throw new Error(JSON.stringify(issues));
    const visual = JSON.stringify(graph);
    const hash = createHash('sha256').update(visual).digest('hex');
    await sql`insert into drawing values (${number}, ${hash}, ${SYMBOLS[number % SYMBOLS.length]}, ${visual}::jsonb)`.execute(
      db,
    );
  }
  for (let from = 0; from < count; from += BATCH) {
    const to = Math.min(from + BATCH, count);
    await fillBatch(db, from, to, filling);
    onFilled(to);
  }
  await sql`drop table drawing`.execute(db);
  await sql`analyze`.execute(db);
}

async function fillBatch(
  db: Db,
  from: number,
  to: number,
  { shardCount, perAccount = PER_ACCOUNT }: Filling,
): Promise<void> {
  const id = (kind: string, number: string) => sql.raw(`md5('${kind}' || (${number})::text)::uuid`);
  const account = id('account', `n / ${perAccount}`);
  const numbers = sql`generate_series(${from}::int, ${to - 1}::int) n`;
  const graph = sql`${numbers} join drawing on number = n % ${GRAPHS}::int`;
  const statements = [
    sql`insert into account (id, name, created_at) select distinct ${account}, 'bench', now() from ${numbers}
      on conflict do nothing`,
    sql`insert into blueprint (account_id, id, name, status, deployment_id, created_at, updated_at)
      select ${account}, ${id('blueprint', 'n')}, 'bench', 'running', ${id('deployment', 'n')}, now(), now() from ${numbers}`,
    sql`insert into release_body (account_id, hash, visual) select ${account}, hash, visual from ${graph}
      on conflict do nothing`,
    sql`insert into release (account_id, blueprint_id, number, body_hash, name, deployed_by, created_at)
      select ${account}, ${id('blueprint', 'n')}, 1, hash, 'bench', 'system', now() from ${graph}`,
    sql`insert into deployment (account_id, id, blueprint_id, release_number, mode, shard, token_ids, started_at)
      select ${account}, ${id('deployment', 'n')}, ${id('blueprint', 'n')}, 1, 'paper',
        (n / ${perAccount}::int) % ${shardCount}::int, array[symbol], now() from ${graph}`,
    sql`insert into deployment_state (account_id, deployment_id, updated_at)
      select ${account}, ${id('deployment', 'n')}, now() from ${numbers}`,
  ];
  for (const statement of statements) await statement.execute(db);
}
