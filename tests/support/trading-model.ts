import { expect } from 'vitest';
import { collectDifferences, walkAccount } from '../../engine/ledger/verify-ledger.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import type { Work } from '../../engine/platform/context.ts';
import { exact, ZERO } from '../../engine/platform/decimal.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { transact } from '../../engine/platform/transact.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { createManualOrder } from '../../engine/trading/orders/entry/manual-order.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { applyReport } from '../../engine/trading/orders/execution/apply-report.ts';
import { findPastGoodTill, findToCancel } from '../../engine/trading/orders/execution/queue.ts';
import { reconcileOrder, syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelDeploymentOrders } from '../../engine/trading/orders/lifecycle/cancel-orders.ts';
import { cancelOrder, declineOrder, expireOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { findHoldingsToSettle, settleHolding } from '../../engine/trading/positions/settle-holding.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import type { VenueOrder } from '../../venues/broker.ts';
import { endDeployment } from './deployments.ts';
import { ScriptedBroker } from './scripted-broker.ts';
import {
  addInstrument,
  intentOf,
  type QuoteFields,
  type Trader,
  type TradingFixture,
} from './trading-fixture.ts';
import { type Move, manualOrderOf } from './trading-moves.ts';

type Play = {
  fixture: TradingFixture;
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
export type RunAs = <Result>(trader: Trader, task: (work: Work) => Promise<Result>) => Promise<Result>;

/** Runs as a request of this process. */
export const inThisProcess: RunAs = (trader, task) => task(trader.work());

/**
 * Runs as a request of another process. A task inside its own transaction bypasses the locks of this process. It meets the
 * others at the database's lock only.
 */
export const inOtherProcess: RunAs = (trader, task) => transact(trader.work(), task);

let games = 0;

/** Plays the waves on an account of its own, and then checks every invariant. */
export async function playWaves(
  fixture: TradingFixture,
  game: readonly Move[][],
  place: RunAs = inThisProcess,
): Promise<void> {
  await playWavesOf(fixture, game, place);
}

/** Does the same, and returns the account. */
export async function playWavesOf(
  fixture: TradingFixture,
  game: readonly Move[][],
  place: RunAs = inThisProcess,
): Promise<Trader> {
  const trader = await fixture.trader({
    maxOrderSize: 60,
    maxOrdersPerMinute: 30,
    maxOpenPositions: 3,
    requireApprovalAbove: 20,
  });
  const tokens = [0, 1, 2].map((index) => `GAME-${++games}-${index}:yes`);
  for (const token of tokens) {
    await addInstrument(fixture.db, token);
    await fixture.quote(token);
  }
  const table: Play = {
    fixture,
    trader,
    tokens,
    blueprints: [trader.blueprintId, await fixture.addBlueprint(trader.accountId)],
    broker: new ScriptedBroker(fixture.now),
    answers: [],
    quotes: new Map(tokens.map((token) => [token, {}])),
    deploymentId: await fixture.addDeployment(trader),
    step: 0,
  };
  for (const wave of game) {
    await Promise.all(
      wave.map((each) => {
        const run = each.do === 'send' || each.do === 'stop' ? inThisProcess : place;
        return run(trader, (work) => makeMove(table, work, each)).catch(forgiveRefusals);
      }),
    );
    for (const [token, quote] of table.quotes) await fixture.quote(token, { ...quote, ageMs: 0 });
  }
  await expectInvariants(table);
  return trader;
}

/** A refusal is a valid result; anything else is a bug. */
function forgiveRefusals(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}

async function makeMove(table: Play, work: Work, now: Move): Promise<unknown> {
  const { fixture, broker } = table;
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
    case 'by_hand':
      return createManualOrder(work, manualOrderOf(now, table.tokens[now.token] ?? ''));
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
      return cancelDue(table, system);
    case 'quote': {
      const [bid, ask] = [now.bid, now.ask].map((price) =>
        price === null ? null : (price / 100).toFixed(2),
      );
      return fixture.quote(table.tokens[now.token] ?? '', {
        bid: bid ?? null,
        ask: ask ?? null,
        ageMs: now.ageMs,
      });
    }
    case 'wait':
      return fixture.wait(now.ms);
    case 'settle':
      return settle(table, system, now.token, now.value);
  }
}

async function propose(
  table: Play,
  work: Work,
  now: Extract<Move, { do: 'buy' | 'sell' }>,
): Promise<unknown> {
  const { trader, deploymentId, blueprints, tokens, fixture } = table;
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
            stepAt: new Date(fixture.now().getTime() - (table.step++ % 3)),
            ...(side === 'sell' ? { origin: 'exit', preapprovedRelease: 1 } : {}),
          }
        : { blueprintId: blueprints[now.blueprint] ?? '' }),
    }),
  );
}

/** Acts on one of the account's orders, of those in the given statuses where it matters. */
async function onOrder(
  { fixture, trader }: Play,
  index: number,
  statuses: string[] | null,
  act: (id: string) => Promise<unknown>,
): Promise<unknown> {
  const orders = await fixture.db
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
  const { fixture, trader, deploymentId } = table;
  await underAccountLock(work, async (tx, now) => {
    await endDeployment(tx.db, deploymentId, now);
    await cancelDeploymentOrders(tx, deploymentId, { now, reason: 'Stopped.' });
  });
  if (table.deploymentId === deploymentId)
    table.deploymentId = await fixture.addDeployment(trader).catch(() => deploymentId);
}

/** Work of the service: sends requested cancels, and cancels orders past their good-till time. */
async function cancelDue({ fixture, trader, broker }: Play, system: Work): Promise<void> {
  const due = [
    ...(await findToCancel(fixture.db, 1_000)),
    ...(await findPastGoodTill(fixture.db, fixture.now(), 1_000)),
  ];
  for (const { accountId, id } of due) {
    if (accountId === trader.accountId) await cancelAtVenue(system, broker, id);
  }
}

async function settle(
  { fixture, trader, tokens }: Play,
  system: Work,
  token: number,
  value: number,
): Promise<void> {
  await fixture.closeMarket(tokens[token] ?? '', String(value / 100));
  for (const due of await findHoldingsToSettle(fixture.db)) {
    if (due.accountId === trader.accountId) await settleHolding(system, due.tokenId);
  }
}

/** The invariants of every sequence. */
async function expectInvariants({ fixture, trader, broker }: Play): Promise<void> {
  const { accountId } = trader;
  const differences = await fixture.db
    .transaction()
    .execute((trx) => collectDifferences(walkAccount(trx, { accountId, mode: 'paper' }, fixture.now())));
  expect(differences).toEqual([]);

  const handedOver = broker.placed.map(({ id }) => id);
  expect(new Set(handedOver).size, 'one order at the venue per intent').toBe(handedOver.length);

  const cleared = await fixture.db
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

  await expectEndsRespected(fixture, accountId);

  const reported = [...broker.orders.values()].flatMap(({ fills }) => fills.map(({ tradeId }) => tradeId));
  const booked = await fixture.db
    .selectFrom('fill')
    .select('venue_trade_id')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'trade')
    .execute();
  const bookedIds = booked.map(({ venue_trade_id }) => venue_trade_id);
  expect(bookedIds.sort(), 'every fill that the venue reported is booked, once').toEqual(reported.sort());
}

/** An order with a good-till time is not sent after it. It has expired, unless a cancel was requested. */
async function expectEndsRespected(fixture: TradingFixture, accountId: string): Promise<void> {
  const sent = await fixture.db
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
