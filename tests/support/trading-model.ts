import { expect } from 'vitest';
import { differencesOf, walkAccount } from '../../engine/ledger/verify-ledger.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import type { Work } from '../../engine/platform/context.ts';
import { exact, ZERO } from '../../engine/platform/decimal.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { transact } from '../../engine/platform/transact.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { applyReport } from '../../engine/trading/orders/execution/execution-report.ts';
import { findPastGoodTill, findToCancel } from '../../engine/trading/orders/execution/queue.ts';
import { reconcileOrder, syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/cancel.ts';
import { declineOrder } from '../../engine/trading/orders/lifecycle/decline.ts';
import { expireOrder } from '../../engine/trading/orders/lifecycle/expire.ts';
import { cancelDeploymentOrders } from '../../engine/trading/orders/lifecycle/stop.ts';
import { findToSettle, settleAccount } from '../../engine/trading/positions/settle.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import type { VenueOrder } from '../../venues/broker.ts';
import { endDeployment } from './deployments.ts';
import { addInstrument, type Desk, intentOf, type QuoteFields, type Trader } from './desk.ts';
import { ScriptedBroker } from './scripted-broker.ts';
import type { Move } from './trading-moves.ts';

type Play = {
  desk: Desk;
  trader: Trader;
  blueprints: string[];
  tokens: string[];
  broker: ScriptedBroker;
  /** Every answer of the venue so far: an old answer may come again at any time. */
  answers: [id: string, answer: VenueOrder][];
  /** The quote of each market; the feed polls again after every wave. */
  quotes: Map<string, QuoteFields>;
  deploymentId: string;
  step: number;
};

/** How a client reaches the database. */
export type Place = <Result>(trader: Trader, task: (work: Work) => Promise<Result>) => Promise<Result>;

/** Runs as a request of this process. */
export const here: Place = (trader, task) => task(trader.work());

/**
 * Runs as a request of another process. A task inside its own transaction bypasses the locks of this process. It meets the
 * others at the database's lock only.
 */
export const elsewhere: Place = (trader, task) => transact(trader.work(), task);

let games = 0;

/** Plays the waves on an account of its own, and then checks every invariant. */
export async function play(desk: Desk, game: readonly Move[][], place: Place = here): Promise<void> {
  await played(desk, game, place);
}

/** Does the same, and returns the account. */
export async function played(desk: Desk, game: readonly Move[][], place: Place = here): Promise<Trader> {
  const trader = await desk.trader({
    maxOrderSize: 60,
    maxOrdersPerMinute: 30,
    maxOpenPositions: 3,
    requireApprovalAbove: 20,
  });
  const tokens = [0, 1, 2].map((index) => `GAME-${++games}-${index}:yes`);
  for (const token of tokens) {
    await addInstrument(desk.db, token);
    await desk.quote(token);
  }
  const table: Play = {
    desk,
    trader,
    tokens,
    blueprints: [trader.blueprintId, await desk.addBlueprint(trader.accountId)],
    broker: new ScriptedBroker(desk.now),
    answers: [],
    quotes: new Map(tokens.map((token) => [token, {}])),
    deploymentId: await desk.addDeployment(trader),
    step: 0,
  };
  for (const wave of game) {
    await Promise.all(
      wave.map((each) => {
        const run = each.do === 'send' || each.do === 'stop' ? here : place;
        return run(trader, (work) => makeMove(table, work, each)).catch(forgiveRefusals);
      }),
    );
    for (const [token, quote] of table.quotes) await desk.quote(token, { ...quote, ageMs: 0 });
  }
  await holds(table);
  return trader;
}

/** A refusal is a valid result; anything else is a bug. */
function forgiveRefusals(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}

async function makeMove(table: Play, work: Work, now: Move): Promise<unknown> {
  const { desk, broker } = table;
  const system = { ...work, actor: 'system' };
  switch (now.do) {
    case 'rules':
      return updateRules(work, now.rules);
    case 'buy':
    case 'sell':
      return propose(table, work, now);
    case 'close':
      return closePosition(work, {
        tokenId: table.tokens[now.token] ?? '',
        amount: String(now.amount),
        ...(now.blueprint === null ? {} : { blueprintId: table.blueprints[now.blueprint] ?? '' }),
      });
    case 'approve':
      return onOrder(table, now.order, ['pending'], (id) => approveOrder(work, id));
    case 'decline':
      return onOrder(table, now.order, ['pending'], (id) => declineOrder(work, id));
    case 'cancel':
      return onOrder(table, now.order, null, (id) => cancelOrder(work, id));
    case 'expire':
      return onOrder(table, now.order, null, (id) => expireOrder(system, id));
    case 'sync':
      return onOrder(table, now.order, ['open', 'partially_filled'], async (id) => {
        await cancelAtVenue(system, broker, id);
        await syncOrder(system, broker, id);
      });
    case 'reconcile':
      return onOrder(table, now.order, ['submitted', 'unknown'], (id) => reconcileOrder(system, broker, id));
    case 'repeat': {
      const [id, answer] = table.answers[now.order % Math.max(table.answers.length, 1)] ?? [];
      return id && answer && applyReport(system, id, answer);
    }
    case 'send':
      broker.next = now.venue === 'reject' ? 'answer' : now.venue;
      broker.arriving =
        now.venue === 'reject'
          ? { status: 'rejected', reasonCode: 'too_small', reason: 'Too small.' }
          : { status: 'open', reasonCode: null, reason: null };
      return onOrder(table, now.order, ['queued'], (id) => sendOrder(system, broker, id));
    case 'fill':
      return fill(table, system, now);
    case 'stop':
      return stop(table, work);
    case 'tidy':
      return tidy(table, system);
    case 'quote': {
      const [bid, ask] = [now.bid, now.ask].map((price) =>
        price === null ? null : (price / 100).toFixed(2),
      );
      return desk.quote(table.tokens[now.token] ?? '', {
        bid: bid ?? null,
        ask: ask ?? null,
        ageMs: now.ageMs,
      });
    }
    case 'wait':
      return desk.wait(now.ms);
    case 'settle':
      return settle(table, system, now.token, now.value);
  }
}

async function propose(
  table: Play,
  work: Work,
  now: Extract<Move, { do: 'buy' | 'sell' }>,
): Promise<unknown> {
  const { trader, deploymentId, blueprints, tokens, desk } = table;
  const { do: side, market, node, expireAfterSec } = now;
  return proposeIntent(
    work,
    intentOf(trader, {
      side,
      tokenId: tokens[now.token] ?? '',
      amount: String(now.amount),
      ...(market ? { type: 'market' } : { limitPrice: (now.price / 100).toFixed(2) }),
      ...(expireAfterSec === null ? {} : { expireAfterSec }),
      ...(node
        ? {
            deploymentId,
            nodeId: `n${now.amount % 3}`,
            stepAt: new Date(desk.now().getTime() - (table.step++ % 3)),
            ...(side === 'sell' ? { origin: 'exit', preapprovedRelease: 1 } : {}),
          }
        : { blueprintId: blueprints[now.blueprint] ?? '' }),
    }),
  );
}

/** Acts on one of the account's orders, of those in the given statuses where it matters. */
async function onOrder(
  { desk, trader }: Play,
  index: number,
  statuses: string[] | null,
  act: (id: string) => Promise<unknown>,
): Promise<unknown> {
  const orders = await desk.db
    .selectFrom('trade_order')
    .select(['id', 'status'])
    .where('account_id', '=', trader.accountId)
    .orderBy('id', 'desc')
    .execute();
  const fitting = statuses === null ? orders : orders.filter(({ status }) => statuses.includes(status));
  const chosen = fitting[index % Math.max(fitting.length, 1)];
  return chosen && act(chosen.id);
}

/** The venue trades part of an order, within its limit, and reports it. */
async function fill(table: Play, system: Work, now: Extract<Move, { do: 'fill' }>): Promise<unknown> {
  const { broker } = table;
  const ids = [...broker.orders].filter(([, { status }]) => status === 'open' || now.ends).map(([id]) => id);
  const id = ids[now.order % Math.max(ids.length, 1)];
  const placed = broker.placed.find((order) => order.id === id);
  const known = id === undefined ? undefined : broker.orders.get(id);
  if (id === undefined || placed === undefined || known === undefined || known.status === 'rejected') return;
  const done = known.fills.reduce((sum, { amount }) => sum.plus(amount), ZERO);
  const left = exact(placed.amount).minus(done);
  if (left.lte(0)) return;
  const amount = left.times(now.amount).div(1_000).toDecimalPlaces(3).toFixed();
  if (exact(amount).isZero()) return;
  const limit = exact(placed.limitPrice);
  const better = exact(now.price).div(1_000);
  const price = placed.side === 'buy' ? limit.minus(better) : limit.plus(better);
  const whole = left.eq(amount);
  const answer = broker.fill(
    id,
    { amount, price: (price.lte(0) ? limit : price).toFixed(), fee: exact(now.fee).div(100_000).toFixed() },
    whole ? 'filled' : known.status === 'open' && now.ends ? 'canceled' : known.status,
  );
  table.answers.push([id, answer]);
  return applyReport(system, id, answer);
}

async function stop(table: Play, work: Work): Promise<void> {
  const { desk, trader, deploymentId } = table;
  await underAccountLock(work, async (tx, now) => {
    await endDeployment(tx.db, deploymentId, now);
    await cancelDeploymentOrders(tx, deploymentId, { now, reason: 'Stopped.' });
  });
  if (table.deploymentId === deploymentId)
    table.deploymentId = await desk.addDeployment(trader).catch(() => deploymentId);
}

/** Work of the service: sends requested cancels, and cancels orders past their good-till time. */
async function tidy({ desk, trader, broker }: Play, system: Work): Promise<void> {
  const due = [
    ...(await findToCancel(desk.db, 1_000)),
    ...(await findPastGoodTill(desk.db, desk.now(), 1_000)),
  ];
  for (const { accountId, id } of due) {
    if (accountId === trader.accountId) await cancelAtVenue(system, broker, id);
  }
}

async function settle(
  { desk, trader, tokens }: Play,
  system: Work,
  token: number,
  value: number,
): Promise<void> {
  await desk.closeMarket(tokens[token] ?? '', String(value / 100));
  for (const due of await findToSettle(desk.db)) {
    if (due.accountId === trader.accountId) await settleAccount(system, due.tokenId);
  }
}

/** The invariants of every sequence. */
async function holds({ desk, trader, broker }: Play): Promise<void> {
  const { accountId } = trader;
  const differences = await desk.db
    .transaction()
    .execute((trx) => differencesOf(walkAccount(trx, { accountId, mode: 'paper' }, desk.now())));
  expect(differences).toEqual([]);

  const handedOver = broker.placed.map(({ id }) => id);
  expect(new Set(handedOver).size, 'one order at the venue per intent').toBe(handedOver.length);

  const cleared = await desk.db
    .selectFrom('order_transition')
    .select('order_id')
    .where('account_id', '=', accountId)
    .where('to_status', '=', 'queued')
    .execute();
  const clearedIds = new Set(cleared.map(({ order_id }) => order_id));
  expect(
    handedOver.filter((id) => !clearedIds.has(id)),
    'an order that was never queued does not reach the venue',
  ).toEqual([]);

  await endsHold(desk, accountId);

  const told = [...broker.orders.values()].flatMap(({ fills }) => fills.map(({ tradeId }) => tradeId));
  const booked = await desk.db
    .selectFrom('fill')
    .select('venue_trade_id')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'trade')
    .execute();
  const bookedIds = booked.map(({ venue_trade_id }) => venue_trade_id);
  expect(bookedIds.sort(), 'every fill that the venue reported is booked, once').toEqual(told.sort());
}

/** An order with a good-till time is not sent after it. It has expired, unless a cancel was requested. */
async function endsHold(desk: Desk, accountId: string): Promise<void> {
  const sent = await desk.db
    .selectFrom('trade_order')
    .select(['id', 'status', 'submitted_at', 'ended_at', 'good_till', 'cancel_requested_at'])
    .where('account_id', '=', accountId)
    .where('submitted_at', 'is not', null)
    .where('good_till', 'is not', null)
    .execute();
  for (const { id, status, submitted_at, ended_at, good_till, cancel_requested_at } of sent) {
    const [sentAt, end, endedAt] = [submitted_at, good_till, ended_at].map((at) => Date.parse(at ?? ''));
    expect(sentAt, `sent before its end: ${id}`).toBeLessThan(end ?? Number.NaN);
    if (cancel_requested_at !== null || (status !== 'canceled' && status !== 'expired')) continue;
    const isOver = (endedAt ?? Number.NaN) >= (end ?? Number.NaN);
    expect(status, `its final status without a cancel request: ${id}`).toBe(isOver ? 'expired' : 'canceled');
  }
}
