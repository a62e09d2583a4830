import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../db/tables.ts';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { FaultClient } from '../faults/fault-client.ts';
import { waitUntil } from '../ha/cluster-process.ts';
import { PauseMeter } from '../ha/floor-writer.ts';
import { type CellNumber, openTwoCells, type TwoCells } from './two-cells.ts';

/** Moves of the account, there and back; of four, one is undisturbed, and its pause of writes is a figure. */
const MOVES = Number(process.env['CELL_MOVES'] ?? 20);
/** A command is killed within this time after its start, which is longer than it takes. */
const KILL_WITHIN_MS = Number(process.env['CELL_KILL_MS'] ?? 5_000);
const COMPLETED_WITHIN_CALLS = 20;
const PROBE_PERIOD_MS = 50;

const figures = {
  moves: 0,
  movesUnderKills: 0,
  killedCommands: 0,
  undone: 0,
  killedServices: 0,
  undisturbed: [] as { rows: number; pauseSec: number }[],
};
let cells: TwoCells;
let moved: FaultClient;
let neighbour: FaultClient;
let accountId: string;
const writes = new PauseMeter();
const ending = new AbortController();
let probing = Promise.resolve();

beforeAll(async () => {
  cells = await openTwoCells();
  moved = await FaultClient.open(cells.base);
  accountId = (await accountsOf(0))[0] ?? '';
  neighbour = await FaultClient.open(cells.base);
  for (const client of [moved, neighbour]) await client.trade();
  probing = probe();
  await sleep(2_000);
});

afterAll(async () => {
  ending.abort();
  await probing;
  await Promise.all([moved, neighbour].map((client) => client?.rest()));
  await cells?.[Symbol.asyncDispose]();
  process.stdout.write(`${JSON.stringify({ cells: 'moves', figures })}\n`);
});

/** Writes of the account that moves, one after the other, each tried once. */
async function probe(): Promise<void> {
  while (!ending.signal.aborted) {
    if (await moved.isServed('PUT', 5_000).catch(() => false)) writes.acknowledge();
    await sleep(PROBE_PERIOD_MS);
  }
}

const dbOf = (cell: CellNumber): Db => cells.dbs[cell];

async function accountsOf(cell: CellNumber): Promise<string[]> {
  return (await sql<{ id: string }>`select id from account`.execute(dbOf(cell))).rows.map(({ id }) => id);
}

async function ordersOf(cell: CellNumber): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from trade_order where account_id = ${accountId} order by id`.execute(dbOf(cell));
  return rows.map(({ id }) => id);
}

/** Rows of the largest tables of the account. */
async function countRows(cell: CellNumber): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from audit_event where account_id = ${accountId})::int
      + (select count(*) from account_event where account_id = ${accountId})::int
      + (select count(*) from ledger_link where account_id = ${accountId})::int
      + (select count(*) from idempotency_key where account_id = ${accountId})::int as count`.execute(
    dbOf(cell),
  );
  return rows[0]?.count ?? 0;
}

const isIn = async (cell: CellNumber): Promise<boolean> => (await accountsOf(cell)).includes(accountId);

/** Calls the command until it succeeds. With `kills`, it is killed at a random moment, and some calls are taken back. */
async function move([from, to]: readonly [CellNumber, CellNumber], kills: number): Promise<void> {
  for (let call = 1; ; call++) {
    const isKilled = call <= kills;
    const isUndone = isKilled && randomInt(3) === 0;
    const mover = cells.mover(accountId, [from, to], isUndone ? ['--undo'] : []);
    mover.start();
    if (isKilled) {
      const late = sleep(randomInt(KILL_WITHIN_MS)).then(() => mover.stop('SIGKILL'));
      await mover.ended();
      await late;
      figures.killedCommands += 1;
      if (isUndone) figures.undone += 1;
      // Whatever was killed: never in both. The new cell is asked first: what is there has left the old one.
      const isThere = await isIn(to);
      expect([isThere, await isIn(from)]).not.toEqual([true, true]);
      continue;
    }
    const code = await mover.ended();
    if (code === 0) return;
    if (call - kills >= COMPLETED_WITHIN_CALLS)
      throw new Error(`It is not moved: ${mover.said}\n${cells.said()}`);
  }
}

/** Waits until an order that is decided from now on, in this cell, is filled. */
async function tradesIn(cell: CellNumber): Promise<void> {
  const known = new Set(await ordersOf(cell));
  await waitUntil(`the account trades in cell ${cell}`, async () => {
    const { rows } = await sql<{ id: string }>`
      select id from trade_order where account_id = ${accountId} and status = 'filled'`.execute(dbOf(cell));
    return rows.some(({ id }) => !known.has(id));
  });
}

test('moved there and back under traffic and kills: in one cell at any time, nothing acknowledged is lost, no order is lost or doubled, the ledger agrees', async () => {
  for (let index = 0; index < MOVES; index++) {
    const [from, to] = index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    const before = await ordersOf(from);
    const kills = index % 4;
    if (kills === 3) {
      await cells.restart(index % 8 < 4 ? from : to);
      figures.killedServices += 1;
    }
    writes.takeLongestSec();
    await move([from, to], kills);
    await waitUntil('the account is served', () => moved.isServed('PUT', 5_000));
    await sleep(500);
    figures.moves += 1;
    const pauseSec = Number(writes.takeLongestSec().toFixed(2));
    if (kills === 0) figures.undisturbed.push({ rows: await countRows(to), pauseSec });
    else figures.movesUnderKills += 1;
    expect([await isIn(from), await isIn(to)]).toEqual([false, true]);
    expect(await ordersOf(to)).toEqual(expect.arrayContaining(before));
    if (index % 10 < 2) await tradesIn(to);
  }
  await Promise.all([moved, neighbour].map((client) => client.rest()));
  for (const client of [moved, neighbour]) await client.check();
  for (const cell of [0, 1] as const) {
    expect(await verifyLedger(dbOf(cell))).toEqual([]);
    const { rows: doubled } = await sql`
      select account_id, deployment_id, node_id, step_at from trade_order where deployment_id is not null
      group by 1, 2, 3, 4 having count(*) > 1`.execute(dbOf(cell));
    expect(doubled).toEqual([]);
    expect((await sql`select from arriving_part`.execute(dbOf(cell))).rows).toEqual([]);
  }
});
