import type { Selectable } from 'kysely';
import type { Database } from '../../db/tables.ts';
import { type MarkedQuote, steadyMarkOf } from '../books/accounting/mark.ts';
import { utcDay } from '../platform/clock/utc-day.ts';
import { Exact, exact, ZERO } from '../platform/decimal.ts';
import { isLive, isPastItsTime } from '../platform/order-states.ts';
import { type DrawdownStateRow, parseDrawdownState } from './drawdown-state.ts';
import type { HeldInstrument, RiskSnapshot } from './risk-snapshot.ts';
import { rulesOf } from './rule-limits.ts';
import type { RuleColumns } from './rules/catalogue.ts';

type Row<Table extends keyof Database> = Readonly<Selectable<Database[Table]>>;

/** Rows that the rules measure: of one account, in one mode. */
export type MeasuredRows = {
  readonly rules: RuleColumns & { readonly version: number };
  readonly account: Pick<Row<'trading_account'>, 'cash' | 'realized_pnl' | 'last_loss_at' | 'tripped_at'>;
  /** Row of the drawdown stop; null while it is off. */
  readonly watch: DrawdownStateRow | null;
  /** Returns the row of a UTC day, if the day is open. */
  readonly dayOn: (
    day: string,
  ) => Pick<Row<'account_day'>, 'realized_pnl' | 'opening_unrealized_pnl'> | undefined;
  /** Contains at least the orders that are live or were queued in the last minute. */
  readonly orders: Iterable<
    Pick<
      Row<'trade_order'>,
      | 'id'
      | 'side'
      | 'status'
      | 'expires_at'
      | 'queued_at'
      | 'token_id'
      | 'blueprint_id'
      | 'limit_price'
      | 'amount'
      | 'filled_amount'
      | 'worst_fee'
      | 'fees'
    >
  >;
  /** Contains at least the positions that are not empty. */
  readonly positions: Iterable<Pick<Row<'position'>, 'token_id' | 'blueprint_id' | 'amount' | 'total_cost'>>;
  readonly quoteOf: (
    tokenId: string,
  ) => Pick<MarkedQuote, 'mark_price' | 'mark_at' | 'mark_fell_at' | 'mark_before_fall'> | undefined;
};

type Held = MeasuredRows['positions'];
type MeasuredOrder = MeasuredRows['orders'] extends Iterable<infer Order> ? Order : never;

const MINUTE_MS = 60_000;

/**
 * Measures rows at `now`. `readRiskSnapshot` measures stored rows the same way, in one statement. `leaveOut` is a pending
 * order that must not count against itself when it is rechecked.
 */
export function measureRisk(measured: MeasuredRows, now: Date, leaveOut?: string): RiskSnapshot {
  const { rules, account, orders } = measured;
  const positions = [...measured.positions].filter(({ amount }) => exact(amount).gt(0));
  const reserves = new Map<string, Exact>();
  const stakes = costByBlueprint(positions);
  let queuedLastMinute = 0;
  for (const order of orders) {
    if (order.side !== 'buy') continue;
    const { id, status, queued_at, token_id, blueprint_id } = order;
    if (queued_at !== null && Date.parse(queued_at) > now.getTime() - MINUTE_MS) queuedLastMinute++;
    if (!isLive(status) || isPastItsTime(order, now) || id === leaveOut) continue;
    const reserve = reserveOf(order);
    reserves.set(token_id, reserve.plus(reserves.get(token_id) ?? ZERO));
    stakes.set(blueprint_id, reserve.plus(stakes.get(blueprint_id) ?? ZERO));
  }
  const day = measured.dayOn(utcDay(now));
  return {
    rules: rulesOf(rules),
    rulesVersion: rules.version,
    buying: byName(reserves).map(([tokenId, reserve]) => ({ tokenId, reserve })),
    stakes: byName(stakes).map(([blueprintId, atStake]) => ({ blueprintId, atStake })),
    queuedLastMinute,
    cash: exact(account.cash),
    realizedPnl: exact(account.realized_pnl),
    watch: measured.watch === null ? null : parseDrawdownState(measured.watch),
    lastLossAt: account.last_loss_at === null ? null : new Date(account.last_loss_at),
    trippedAt: trippedOn(account.tripped_at, now),
    held: heldOf(positions, measured.quoteOf, now),
    day:
      day === undefined
        ? null
        : {
            realizedPnl: exact(day.realized_pnl),
            openingUnrealizedPnl: exact(day.opening_unrealized_pnl),
          },
  };
}

/** Adds a newly stored order to a measurement made at the same moment. */
export function withMeasuredOrder(snapshot: RiskSnapshot, order: MeasuredOrder): RiskSnapshot {
  if (order.side !== 'buy' || !isLive(order.status)) return snapshot;
  const reserve = reserveOf(order);
  const reserves = new Map(snapshot.buying.map(({ tokenId, reserve }) => [tokenId, reserve]));
  reserves.set(order.token_id, reserve.plus(reserves.get(order.token_id) ?? ZERO));
  const stakes = new Map(snapshot.stakes.map(({ blueprintId, atStake }) => [blueprintId, atStake]));
  stakes.set(order.blueprint_id, reserve.plus(stakes.get(order.blueprint_id) ?? ZERO));
  return {
    ...snapshot,
    queuedLastMinute: snapshot.queuedLastMinute + (order.queued_at === null ? 0 : 1),
    buying: byName(reserves).map(([tokenId, reserve]) => ({ tokenId, reserve })),
    stakes: byName(stakes).map(([blueprintId, atStake]) => ({ blueprintId, atStake })),
  };
}

/** Returns the reserve of a live buy: its remaining maximum cost, not rounded. */
const reserveOf = (
  order: Pick<Row<'trade_order'>, 'limit_price' | 'amount' | 'filled_amount' | 'worst_fee' | 'fees'>,
): Exact =>
  exact(order.amount)
    .minus(exact(order.filled_amount))
    .times(order.limit_price)
    .plus(Exact.max(exact(order.worst_fee).minus(order.fees), ZERO));

function costByBlueprint(positions: Held): Map<string, Exact> {
  const costs = new Map<string, Exact>();
  for (const { blueprint_id, total_cost } of positions) {
    costs.set(blueprint_id, exact(total_cost).plus(costs.get(blueprint_id) ?? ZERO));
  }
  return costs;
}

/** Returns the time of the trip if it is of today: a trip ends at 00:00 UTC. */
const trippedOn = (trippedAt: string | null, now: Date): Date | null =>
  trippedAt !== null && utcDay(new Date(trippedAt)) >= utcDay(now) ? new Date(trippedAt) : null;

function heldOf(positions: Held, quoteOf: MeasuredRows['quoteOf'], now: Date): HeldInstrument[] {
  const held = new Map<string, { amount: Exact; totalCost: Exact }>();
  for (const { token_id, amount, total_cost } of positions) {
    const before = held.get(token_id) ?? { amount: ZERO, totalCost: ZERO };
    held.set(token_id, {
      amount: before.amount.plus(amount),
      totalCost: before.totalCost.plus(total_cost),
    });
  }
  return byName(held).map(([tokenId, { amount, totalCost }]) => {
    const quote = quoteOf(tokenId);
    const steady = quote === undefined ? null : steadyMarkOf(quote, now);
    return {
      tokenId,
      amount,
      totalCost,
      mark: quote?.mark_price == null ? null : exact(quote.mark_price),
      markAt: quote?.mark_at == null ? null : new Date(quote.mark_at),
      steadyMark: steady === null ? null : exact(steady),
    };
  });
}

const byName = <Value>(values: ReadonlyMap<string, Value>): [string, Value][] =>
  [...values].sort(([a], [b]) => (a < b ? -1 : 1));
