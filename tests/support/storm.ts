/** Many orders at three venues while everything goes wrong, and whether the books agree with the venues in the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import { DomainError } from '../../engine/platform/errors.ts';
import { LIVE_STATUSES } from '../../engine/platform/order-states.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/cancel.ts';
import type { TradingFault } from '../../simulator/trading/fault-plan.ts';
import { remainingOf } from '../../simulator/trading/orders.ts';
import { PolymarketTrading } from '../../simulator/trading/polymarket/index.ts';
import { keyOf, unit } from '../../simulator/world/hash.ts';
import { VenueError } from '../../venues/errors.ts';
import { compareBooks } from './storm-books.ts';
import { areStopped, chargeLater, misstate, type Standings, standingsOf } from './storm-lies.ts';
import { openStormWorld, type Place, SETTINGS, type StormWorld } from './storm-world.ts';

export type StormOptions = {
  readonly seed: number;
  /** That leave for each venue. */
  readonly orders: number;
  /** Of each kind of fault, how many of the requests that place an order meet one, and how many of all others do. */
  readonly share: { readonly placing: number; readonly else: number };
  /** Also what takes a while until anybody notices: requests that hang. */
  readonly isPatient?: boolean;
  /** Venues state fills otherwise than they charge them, and charge one once more when all orders have ended. */
  readonly isCheated?: boolean;
};

export type StormFigures = {
  /** Orders that left. */
  readonly sent: number;
  /** Of these, requests to place one that met a fault. */
  readonly faulted: number;
  /** Orders whose answer was lost. */
  readonly unknown: number;
  /** How long after its last arrival the fate of the slowest of them was known, s; negative: before it. */
  readonly slowestSec: number;
  /** When that one was looked for, s after its last arrival, and what was found. */
  readonly slowestLooks: readonly string[];
  readonly statuses: Readonly<Record<string, number>>;
  /** What differs between books and venues. Nothing, if all is well. */
  readonly differences: readonly string[];
  readonly standings: Standings;
};

/** One storm as a row, and how its orders ended. */
export function printStorm(
  seed: number,
  { differences, standings: _, statuses, slowestLooks, ...figures }: StormFigures,
): void {
  console.table([{ seed, ...figures, differences: differences.length }]);
  console.log(statuses, differences.slice(0, 20), slowestLooks);
}

const CREATE_FAULTS: readonly TradingFault[] = [
  { answer: 'cut' },
  { isProcessed: false, answer: 'cut' },
  { answer: 'half' },
  { answer: 'html' },
  { isProcessed: false, answer: 'html' },
  { isProcessed: false, answer: { status: 503, body: {} } },
  { delayMs: 4_000 },
  { delayMs: 50_000 },
  { date: 'absent' },
];
/** Of one venue alone. */
const OWN_FAULTS: Readonly<Record<Place['venue'], readonly TradingFault[]>> = {
  'venue-a': [{ answer: { status: 201, body: {} } }, { isProcessed: false, answer: 'too-many' }],
  'venue-b': [
    { isProcessed: false, answer: 'too-many' },
    { isProcessed: false, answer: { status: 425, body: { error: 'service is restarting' } } },
  ],
  crypto: [
    { isProcessed: false, answer: { retryAfterSec: 1 } },
    { answer: { status: 504, body: { code: -1007, msg: 'Timeout' } } },
  ],
};
const READ_FAULTS: readonly TradingFault[] = [
  { answer: 'html' },
  { answer: 'cut' },
  { answer: 'half' },
  { date: 'absent' },
];
const CANCEL_FAULTS: readonly TradingFault[] = [
  { method: 'DELETE', answer: 'cut' },
  { method: 'DELETE', isProcessed: false, answer: 'html' },
];
const DISTURBANCES = ['gap', 'duplicate', 'reorder', 'silence', null] as const;

/** What waits in real time for whom a venue has asked for rest. */
const REST_MAX_MS = 1_500;
/** Real time in which what is left has to be clear, also on a machine that is busy with other things. */
const DRAIN_MAX_MS = 180_000;
/**
 * Real time that the runner is given for a second of the world. While an absence is being proven it is a second, as in service: looks
 * wait for the database and for the turn of the account, which takes none of the world's time.
 */
const TICK_REAL_MS = { proving: 1_000, waiting: 20 };
/** From a second before it counts until it is over, however long the machine takes. */
const PROVING_BEFORE_MS = 1_000;
/** A look at a venue is waited for as long: the world's time does not run away from a runner on a busy machine. */
const LOOK_REAL_MAX_MS = 3_000;

export async function storm(options: StormOptions): Promise<StormFigures> {
  await using world = await openStormWorld(options.seed);
  await using watch = watchUnknown(world);
  const chance = draws(options.seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;
  let faulted = 0;
  const isMetBy = (share: number) => () => chance() < share;
  const [meetsPlacing, meets] = [isMetBy(options.share.placing), isMetBy(options.share.else)];

  const disturb = (place: Place) => {
    const { create, read } = place.paths;
    const slow = options.isPatient === true ? [{ answer: 'hang' } as const] : [];
    const planned = [...CREATE_FAULTS, ...OWN_FAULTS[place.venue], ...slow].filter(meetsPlacing);
    const [first] = planned;
    if (first !== undefined) {
      faulted += 1;
      place.desk.faults.add({ method: 'POST', path: create, ...first });
    }
    for (const fault of READ_FAULTS.filter(meets))
      place.desk.faults.add({ method: 'GET', path: read, ...fault });
    for (const fault of CANCEL_FAULTS.filter(meets)) place.desk.faults.add(fault);
  };

  if (options.isCheated === true) world.places.forEach(misstate);
  let left = 0;
  for (let number = 0; left < options.orders * world.places.length; number += 1) {
    const place = world.places[number % world.places.length] as Place;
    if (number % 10 === 0) await world.quote().catch(ignoreSlowness);
    disturb(place);
    if (await order(world, place, chance)) left += 1;
    if (chance() < 0.3) trade(place, chance);
    if (chance() < 0.15) await withdraw(world, pick);
    if (chance() < 0.05) {
      const disturbance = pick(DISTURBANCES);
      place.desk.streams.disturb(disturbance);
      // What was missed is listed once the stream is back.
      if (disturbance === null) place.desk.streams.cut();
    }
  }
  const late = await drain(world, { pick, meets, isProving: watch.isProving });
  if (options.isCheated === true) {
    const untilMs = performance.now() + DRAIN_MAX_MS;
    world.places.forEach(chargeLater);
    while (!(await areStopped(world)) && performance.now() < untilMs) await pass(world, watch.isProving);
  }
  const { unknown, slowest } = await watch.told();
  return {
    sent: left,
    faulted,
    unknown,
    slowestSec: slowest.ms / 1_000,
    slowestLooks: slowest.looks,
    statuses: await statusesOf(world),
    differences: [...late, ...(await compareBooks(world))],
    standings: await standingsOf(world),
  };
}

function draws(seed: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return unit(keyOf(`storm/${seed}`), count);
  };
}

/** Raises an order; whether it is on its way. */
async function order(
  { work, blueprintId, orders }: StormWorld,
  { tokenId, amount, restsAt }: Place,
  chance: () => number,
): Promise<boolean> {
  const kind = chance();
  const terms =
    kind < 0.65
      ? { type: 'market' as const, timeInForce: 'ioc' as const }
      : { type: 'limit' as const, timeInForce: 'gtc' as const, limitPrice: restsAt };
  const raise = async () => {
    if (kind < 0.2) return (await closePosition(work, { tokenId, amount }, SETTINGS)).status;
    const wish = { origin: 'order' as const, blueprintId, tokenId, side: 'buy' as const, amount, inputs: [] };
    return (await proposeIntent(work, { ...wish, ...terms }, SETTINGS)).status;
  };
  try {
    const status = await raise();
    orders.nudge();
    return status === 'queued';
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Somebody takes what rests, in part or all of it; and venue B takes trades back. */
function trade({ desk, account }: Place, chance: () => number): void {
  const { exchange } = desk.venue;
  const open = exchange.openOrders(account);
  const resting = open[Math.floor(chance() * open.length)];
  if (resting !== undefined) {
    const rest = remainingOf(resting);
    const half = rest.dividedBy(2).toDecimalPlaces(rest.decimalPlaces(), Decimal.ROUND_UP);
    exchange.hit(resting, chance() < 0.5 ? rest : half);
  }
  if (!(desk.venue instanceof PolymarketTrading) || chance() >= 0.1) return;
  const last = exchange.fills.at(-1);
  if (last?.order.account !== account) return;
  const { trades } = desk.venue.clearing;
  const made = trades.get(last.id);
  // What is confirmed stays so.
  if (made === undefined || ['CONFIRMED', 'FAILED'].includes(trades.statusOf(made, exchange.now()))) return;
  desk.venue.clearing.force(last.id, 'FAILED');
}

/** Somebody changes their mind about an order. */
async function withdraw({ work }: StormWorld, pick: <T>(items: readonly T[]) => T): Promise<void> {
  const ids = await openOrders(work);
  if (ids.length > 0) await cancelOrder(work, pick(ids)).catch(ignoreRefusal);
}

const openOrders = async ({ db, accountId }: StormWorld['work']): Promise<string[]> =>
  (
    await db
      .selectFrom('trade_order')
      .select('id')
      .where('account_id', '=', accountId)
      .where('status', 'in', LIVE_STATUSES)
      .execute()
  ).map(({ id }) => id);

/** Prices stay what they were where the machine is too busy to tell them. */
function ignoreSlowness(error: unknown): void {
  if (!(error instanceof VenueError)) throw error;
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}

/**
 * Takes back what rests and lets the world's time pass, with faults at first, until everything has ended and was compared.
 *
 * @returns what was waited for in vain.
 */
async function drain(
  world: StormWorld,
  {
    pick,
    meets,
    isProving,
  }: { pick: <T>(items: readonly T[]) => T; meets: () => boolean; isProving: () => boolean },
): Promise<string[]> {
  const { work, places } = world;
  for (const id of await openOrders(work)) await cancelOrder(work, id).catch(ignoreRefusal);
  await sleep(REST_MAX_MS);
  let untilMs = performance.now() + DRAIN_MAX_MS;
  for (let sec = 0; performance.now() < untilMs; sec += 1) {
    for (const { desk, paths } of places)
      if (meets()) desk.faults.add({ method: 'GET', path: paths.read, ...pick(READ_FAULTS) });
    await pass(world, isProving);
    if (sec % 5 === 0 && (await openOrders(work)).length === 0) break;
  }
  for (const { desk } of places) {
    desk.faults.clear();
    desk.streams.disturb(null);
    desk.streams.cut();
  }
  untilMs = performance.now() + DRAIN_MAX_MS;
  while (!(await isSettled(world))) {
    if (performance.now() > untilMs) return ['not everything has ended and was compared in time'];
    await pass(world, isProving);
  }
  return [];
}

/** A second of the world passes. While an absence is being proven the runner is left as much real time for it as in service. */
async function pass({ simulator, isLooking }: StormWorld, isProving: () => boolean): Promise<void> {
  simulator.clock.advance(1);
  await sleep(isProving() ? TICK_REAL_MS.proving : TICK_REAL_MS.waiting);
  const patientUntilMs = performance.now() + LOOK_REAL_MAX_MS;
  while (isProving() && isLooking() && performance.now() < patientUntilMs) await sleep(5);
}

/** Whether every account was compared with its venue since nothing has moved any more, and nothing stands open or is under way. */
async function isSettled({ work, now }: StormWorld): Promise<boolean> {
  if ((await openOrders(work)).length > 0) return false;
  const { db, accountId } = work;
  const { last } = await db
    .selectFrom('trade_order as o')
    .leftJoin('fill as f', (join) =>
      join.onRef('f.account_id', '=', 'o.account_id').onRef('f.order_id', '=', 'o.id'),
    )
    .select(({ fn }) => fn.max(fn<string>('greatest', ['o.ended_at', 'f.applied_at'])).as('last'))
    .where('o.account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const quietSince = new Date(last ?? 0).getTime() + 31_000;
  if (now() < quietSince) return false;
  const connections = await db
    .selectFrom('venue_connection')
    .select('reconciled_at')
    .where('account_id', '=', accountId)
    .execute();
  if (connections.some(({ reconciled_at: at }) => at === null || new Date(at).getTime() <= quietSince))
    return false;
  const passing = await db
    .selectFrom('venue_difference')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .where('kind', 'in', ['in_flight', 'lag'])
    .limit(1)
    .execute();
  return passing.length === 0;
}

type Slowest = { readonly ms: number; readonly looks: readonly string[] };

/**
 * Follows every order whose answer was lost until its fate is known. Whose request is still under way counts as being proven:
 * it is given up after ten seconds of the machine's time, which must not be minutes of the world's.
 */
function watchUnknown({ db, work: { accountId }, now, looksAt }: StormWorld) {
  const open = new Map<string, number>();
  let count = 0;
  let slowest: Slowest = { ms: Number.NEGATIVE_INFINITY, looks: [] };
  let isOver = false;
  let isUnderWay = false;
  const look = async () => {
    const rows = await db
      .selectFrom('trade_order as o')
      .innerJoin('order_dispatch as d', (join) =>
        join.onRef('d.account_id', '=', 'o.account_id').onRef('d.order_id', '=', 'o.id'),
      )
      .select(['o.id', 'o.status', 'd.arrives_by'])
      .where('o.account_id', '=', accountId)
      .where('o.status', 'in', ['submitted', 'unknown'])
      .execute();
    isUnderWay = rows.some(({ status }) => status === 'submitted');
    const lost = rows.filter(({ status }) => status === 'unknown');
    const ids = new Set(lost.map(({ id }) => id));
    for (const { id, arrives_by: at } of lost) {
      if (!open.has(id)) count += 1;
      open.set(id, new Date(at).getTime());
    }
    for (const [id, arrivesMs] of open) {
      if (ids.has(id)) continue;
      open.delete(id);
      if (now() - arrivesMs <= slowest.ms) continue;
      slowest = { ms: now() - arrivesMs, looks: looksAt(id) };
    }
  };
  const watching = (async () => {
    while (!isOver) {
      // A database that a busy machine kept waiting is asked again; what it says in the end counts.
      await look().catch(() => {});
      await sleep(20);
    }
  })();
  return {
    isProving: () => isUnderWay || [...open.values()].some((ms) => now() > ms - PROVING_BEFORE_MS),
    async told() {
      isOver = true;
      await watching;
      await look();
      const [left] = open.keys();
      if (left !== undefined) slowest = { ms: Number.POSITIVE_INFINITY, looks: looksAt(left) };
      return { unknown: count, slowest };
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await watching;
    },
  };
}

async function statusesOf({ db, work: { accountId } }: StormWorld): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('trade_order')
    .select(({ fn }) => ['venue', 'status', 'reason_code', fn.countAll().as('count')])
    .where('account_id', '=', accountId)
    .groupBy(['venue', 'status', 'reason_code'])
    .orderBy('venue')
    .orderBy('status')
    .execute();
  return Object.fromEntries(
    rows.map(({ venue, status, reason_code, count }) => [
      `${venue} ${status} ${reason_code ?? ''}`.trim(),
      Number(count),
    ]),
  );
}
