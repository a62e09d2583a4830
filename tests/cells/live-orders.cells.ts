import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { LivePerson } from './live-person.ts';
import { type CellNumber, openTwoCells, type TwoCells } from './two-cells.ts';

/** Moves of the account, there and back: a few of them show what a hundred would. */
const MOVES = Math.min(Number(process.env['CELL_MOVES'] ?? 3), 6);
/** A command is killed within this time after its start, which is longer than it takes. */
const KILL_WITHIN_MS = Number(process.env['CELL_KILL_MS'] ?? 5_000);
const CALLS_MAX = 20;
/** Orders accepted during one move, and the pause between two tries. They stay within the account's limits. */
const ORDERS_A_MOVE_MAX = 3;
const ORDER_PERIOD_MS = 1_500;

const figures = { liveMoves: 0, killedCommands: 0, orders: 0, ordersDuringMoves: 0, refused: 0 };
let cells: TwoCells;
let accountId: string;
let person: LivePerson;

beforeAll(async () => {
  cells = await openTwoCells();
  person = await LivePerson.open(cells);
  const { rows } = await sql<{ id: string }>`select id from account`.execute(cells.dbs[0]);
  accountId = rows[0]?.id ?? '';
});
afterAll(async () => {
  await cells?.[Symbol.asyncDispose]();
  process.stdout.write(`${JSON.stringify({ cells: 'live orders', figures })}\n`);
});

/** The owners of venue accounts in the directory of each cell. */
const venueAccountOwners = () =>
  Promise.all(
    cells.dbs.map((db) => db.selectFrom('venue_account_claim').select('owner_id as owner').execute()),
  );

/** Calls the command until it succeeds; the first calls are killed at a random moment. */
async function move(cellPair: readonly [CellNumber, CellNumber], kills: number): Promise<void> {
  for (let call = 1; call <= CALLS_MAX; call++) {
    const mover = cells.mover(accountId, cellPair);
    mover.start();
    if (call <= kills) {
      await Promise.race([sleep(randomInt(KILL_WITHIN_MS)), mover.ended()]);
      await mover.stop('SIGKILL');
      figures.killedCommands += 1;
    } else if ((await mover.ended()) === 0) return;
    if (call === CALLS_MAX) throw new Error(`It is not moved: ${mover.said}\n${cells.said()}`);
  }
}

/** Places orders until the move has ended; refused ones are not tried again, and at its end the session is none. */
async function placeDuring(moving: Promise<void>): Promise<void> {
  let hasEnded = false;
  const ended = moving.finally(() => {
    hasEnded = true;
  });
  for (let accepted = 0; accepted < ORDERS_A_MOVE_MAX && !hasEnded; ) {
    const isAccepted = await person.place();
    accepted += Number(isAccepted);
    figures[isAccepted ? 'ordersDuringMoves' : 'refused'] += 1;
    await sleep(ORDER_PERIOD_MS);
  }
  await ended;
}

test('live orders placed while the account moves under kills: the venue has each accepted one once, and the cell it moved to works them after a sign-in by code', async () => {
  for (let index = 0; index < MOVES; index++) {
    const [from, to] = index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    await placeDuring(move([from, to], index % 3));
    await person.signIn();
    await person.untilAllRest();
    expect(await venueAccountOwners()).toEqual([[{ owner: accountId }], []]);
    figures.liveMoves += 1;
  }
  expect(figures.ordersDuringMoves).toBeGreaterThan(0);
  figures.orders = person.orderIds.length;
  await person.cancelAll();
  for (const cell of [0, 1] as const) expect(await verifyLedger(cells.dbs[cell])).toEqual([]);
});
