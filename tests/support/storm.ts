/** Many orders at three venues while everything fails, and a check that books and venues agree in the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import { DomainError } from '../../engine/platform/errors.ts';
import { LIVE_STATUSES } from '../../engine/platform/order-states.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import type { TradingFault } from '../../simulator/trading/fault-plan.ts';
import { remainingOf } from '../../simulator/trading/orders.ts';
import { PolymarketTrading } from '../../simulator/trading/polymarket/index.ts';
import { keyedRandom, keyOf } from '../../simulator/world/keyed-random.ts';
import { VenueError } from '../../venues/errors.ts';
import { compareBooks } from './storm-books.ts';
import {
  areEntriesStopped,
  type CashStates,
  cashStatesOf,
  chargeTwice,
  misreportPrices,
} from './storm-misreports.ts';
import { openStormWorld, SETTINGS, type StormWorld, type VenueSetup } from './storm-world.ts';

export type StormOptions = {
  readonly seed: number;
  /** Orders sent to each venue. */
  readonly orders: number;
  /** The share of requests that meet each kind of fault: of those that place an order, and of all others. */
  readonly share: { readonly placing: number; readonly else: number };
  /** Includes faults that take a while to detect: requests that hang. */
  readonly isPatient?: boolean;
  /** Venues report fills with other fees than they charge, and charge one again when all orders have ended. */
  readonly isCheated?: boolean;
};

export type StormFigures = {
  /** Orders sent. */
  readonly sent: number;
  /** Requests to place one of these that met a fault. */
  readonly faulted: number;
  /** Orders whose answer was lost. */
  readonly unknown: number;
  /** The time after its last arrival at which the slowest state was known, s; negative: before it. */
  readonly slowestSec: number;
  /** The polls for that order: seconds after its last arrival, and their results. */
  readonly slowestLooks: readonly string[];
  readonly statuses: Readonly<Record<string, number>>;
  /** Differences between books and venues. Empty if all is well. */
  readonly differences: readonly string[];
  readonly standings: CashStates;
};

/** Prints one storm as a row, and the final statuses of its orders. */
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
/** Faults of one venue only. */
const OWN_FAULTS: Readonly<Record<VenueSetup['venue'], readonly TradingFault[]>> = {
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

/** The longest real-time pause that a venue may impose. */
const REST_MAX_MS = 1_500;
/** Real time within which the rest has to finish, also on a busy machine. */
const DRAIN_MAX_MS = 180_000;
/**
 * Real time that the runner gets for a second of the world. While an absence is being proven it is a second, as in service.
 * Polls wait for the database and for the account lock, which takes none of the world's time.
 */
const TICK_REAL_MS = { proving: 1_000, waiting: 20 };
/** Proving begins a second before it counts and lasts until it is over, however slow the machine is. */
const PROVING_BEFORE_MS = 1_000;
/** The longest wait for a poll: the world's time does not run ahead of a runner on a busy machine. */
const LOOK_REAL_MAX_MS = 3_000;

export async function storm(options: StormOptions): Promise<StormFigures> {
  await using world = await openStormWorld(options.seed);
  await using watch = watchUnknown(world);
  const chance = draws(options.seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;
  let faulted = 0;
  const isMetBy = (share: number) => () => chance() < share;
  const [meetsPlacing, meets] = [isMetBy(options.share.placing), isMetBy(options.share.else)];

  const disturb = (setup: VenueSetup) => {
    const { create, read } = setup.paths;
    const slow = options.isPatient === true ? [{ answer: 'hang' } as const] : [];
    const planned = [...CREATE_FAULTS, ...OWN_FAULTS[setup.venue], ...slow].filter(meetsPlacing);
    const [first] = planned;
    if (first !== undefined) {
      faulted += 1;
      setup.venueServer.faults.add({ method: 'POST', path: create, ...first });
    }
    for (const fault of READ_FAULTS.filter(meets))
      setup.venueServer.faults.add({ method: 'GET', path: read, ...fault });
    for (const fault of CANCEL_FAULTS.filter(meets)) setup.venueServer.faults.add(fault);
  };

  if (options.isCheated === true) world.setups.forEach(misreportPrices);
  let left = 0;
  for (let number = 0; left < options.orders * world.setups.length; number += 1) {
    const setup = world.setups[number % world.setups.length] as VenueSetup;
    if (number % 10 === 0) await world.quote().catch(ignoreSlowness);
    disturb(setup);
    if (await order(world, setup, chance)) left += 1;
    if (chance() < 0.3) trade(setup, chance);
    if (chance() < 0.15) await withdraw(world, pick);
    if (chance() < 0.05) {
      const disturbance = pick(DISTURBANCES);
      setup.venueServer.streams.disturb(disturbance);
      // Missed events are listed once the stream is back.
      if (disturbance === null) setup.venueServer.streams.cut();
    }
  }
  const late = await drain(world, { pick, meets, isProving: watch.isProving });
  if (options.isCheated === true) {
    const untilMs = performance.now() + DRAIN_MAX_MS;
    world.setups.forEach(chargeTwice);
    while (!(await areEntriesStopped(world)) && performance.now() < untilMs)
      await pass(world, watch.isProving);
  }
  const { unknown, slowest } = await watch.finish();
  return {
    sent: left,
    faulted,
    unknown,
    slowestSec: slowest.ms / 1_000,
    slowestLooks: slowest.looks,
    statuses: await statusesOf(world),
    differences: [...late, ...(await compareBooks(world))],
    standings: await cashStatesOf(world),
  };
}

function draws(seed: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return keyedRandom(keyOf(`storm/${seed}`), count);
  };
}

/** Raises an order; returns whether it was queued. */
async function order(
  { work, blueprintId, orders }: StormWorld,
  { tokenId, amount, restsAt }: VenueSetup,
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
    orders.wake();
    return status === 'queued';
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Another member trades with a resting order, in part or in full; venue B reverses trades. */
function trade({ venueServer, account }: VenueSetup, chance: () => number): void {
  const { exchange } = venueServer.venue;
  const open = exchange.openOrders(account);
  const resting = open[Math.floor(chance() * open.length)];
  if (resting !== undefined) {
    const rest = remainingOf(resting);
    const half = rest.dividedBy(2).toDecimalPlaces(rest.decimalPlaces(), Decimal.ROUND_UP);
    exchange.fillResting(resting, chance() < 0.5 ? rest : half);
  }
  if (!(venueServer.venue instanceof PolymarketTrading) || chance() >= 0.1) return;
  const last = exchange.fills.at(-1);
  if (last?.order.account !== account) return;
  const { trades } = venueServer.venue.clearing;
  const made = trades.get(last.id);
  // A confirmed trade stays confirmed.
  if (made === undefined || ['CONFIRMED', 'FAILED'].includes(trades.statusOf(made, exchange.now()))) return;
  venueServer.venue.clearing.setTradeStatus(last.id, 'FAILED');
}

/** Requests the cancel of a random open order. */
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

/** Prices stay unchanged where the machine is too busy to report them. */
function ignoreSlowness(error: unknown): void {
  if (!(error instanceof VenueError)) throw error;
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}

/**
 * Cancels resting orders and advances the world's time, with faults at first, until everything has ended and was compared.
 *
 * @returns the conditions that were never met.
 */
async function drain(
  world: StormWorld,
  {
    pick,
    meets,
    isProving,
  }: { pick: <T>(items: readonly T[]) => T; meets: () => boolean; isProving: () => boolean },
): Promise<string[]> {
  const { work, setups } = world;
  for (const id of await openOrders(work)) await cancelOrder(work, id).catch(ignoreRefusal);
  await sleep(REST_MAX_MS);
  let untilMs = performance.now() + DRAIN_MAX_MS;
  for (let sec = 0; performance.now() < untilMs; sec += 1) {
    for (const { venueServer, paths } of setups)
      if (meets()) venueServer.faults.add({ method: 'GET', path: paths.read, ...pick(READ_FAULTS) });
    await pass(world, isProving);
    if (sec % 5 === 0 && (await openOrders(work)).length === 0) break;
  }
  for (const { venueServer } of setups) {
    venueServer.faults.clear();
    venueServer.streams.disturb(null);
    venueServer.streams.cut();
  }
  untilMs = performance.now() + DRAIN_MAX_MS;
  while (!(await isSettled(world))) {
    if (performance.now() > untilMs) return ['not everything has ended and was compared in time'];
    await pass(world, isProving);
  }
  return [];
}

/** Advances the world by a second. While an absence is being proven the runner gets as much real time for it as in service. */
async function pass({ simulator, isLooking }: StormWorld, isProving: () => boolean): Promise<void> {
  simulator.clock.advance(1);
  await sleep(isProving() ? TICK_REAL_MS.proving : TICK_REAL_MS.waiting);
  const patientUntilMs = performance.now() + LOOK_REAL_MAX_MS;
  while (isProving() && isLooking() && performance.now() < patientUntilMs) await sleep(5);
}

/** Whether every account was compared with its venue after the last movement, with nothing open or in flight. */
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
 * Follows every order whose answer was lost until its state is known. An order whose request is still under way counts as being
 * proven. The request times out after ten seconds of the machine's time, which must not be minutes of the world's.
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
      // Retries when a busy machine made the database time out; the final result counts.
      await look().catch(() => {});
      await sleep(20);
    }
  })();
  return {
    isProving: () => isUnderWay || [...open.values()].some((ms) => now() > ms - PROVING_BEFORE_MS),
    async finish() {
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
