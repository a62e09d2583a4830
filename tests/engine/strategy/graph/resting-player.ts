/**
 * Plays a graph through the engine at a venue with one rule: an order that rests fills whole at its limit, as soon as a later
 * quote reaches it. A cancel comes after those fills, one moment after it was raised. What does not rest is filled at once.
 */
import type {
  GraphQuote,
  InstrumentFacts,
  Intent,
  NodeOrder,
  NodeOrders,
  Position,
  World,
} from '../../../../engine/strategy/graph/types.ts';
import type { RestingRow } from '../../../reference/resting-orders.ts';
import { held, Player, world } from './graph-fixtures.ts';

const CASH = 10_000;

export type Moment = { readonly now: number } & Pick<World, 'quotes'> & Partial<World>;
type Resting = { intent: Intent; id: string; isCanceling: boolean; until: number };

/** Returns all orders and cancels, those of one moment by node. A failure puts the blueprint into error, as in the service. */
export function playResting(
  visual: unknown,
  known: readonly InstrumentFacts[],
  moments: readonly (() => Moment)[],
): RestingRow[] {
  const player = new Player(visual, true);
  let isHalted = false;
  const instruments = new Map(known.map((each) => [each.tokenId, each]));
  const venue = new Venue(instruments);
  return moments.flatMap((momentOf) => {
    const moment = momentOf();
    venue.open(moment);
    const seen = { ...moment, instruments, ...venue.seen(), account: accountAt(moment.now), isHalted };
    const { intents, cancellations, failures } = player.at(moment.now, world(seen));
    isHalted ||= failures.length > 0;
    const canceled = cancellations.map(({ nodeId }) => venue.cancel(nodeId, moment.now));
    for (const intent of intents) venue.place(intent, moment);
    return [...canceled, ...intents.map((intent) => rowOf(intent, moment.now))].sort((a, b) =>
      a[1] < b[1] ? -1 : 1,
    );
  });
}

const accountAt = (asOf: number) => ({
  equity: CASH,
  freeCash: CASH,
  orderHeadroom: 100,
  dayPnl: 0,
  exposures: {},
  asOf,
});

function rowOf({ nodeId, side, tokenId, amount, limitPrice }: Intent, now: number): RestingRow {
  return [now, nodeId, side, tokenId, Number(amount), limitPrice === null ? null : Number(limitPrice)];
}

class Venue {
  readonly #resting = new Map<string, Resting>();
  readonly #ended = new Map<string, NodeOrder>();
  readonly #positions = new Map<string, Position>();
  readonly #instruments: World['instruments'];
  #count = 0;

  constructor(instruments: World['instruments']) {
    this.#instruments = instruments;
  }

  /** Fills what this moment reaches, then cancels and expires the rest. */
  open({ now, quotes }: Moment): void {
    for (const [nodeId, order] of this.#resting) {
      const { side, tokenId, amount, limitPrice } = order.intent;
      const { bid = null, ask = null } = quotes.get(tokenId) ?? {};
      const isReached =
        side === 'buy'
          ? ask !== null && ask <= Number(limitPrice)
          : bid !== null && bid >= Number(limitPrice);
      if (isReached) this.#book(order.intent, Number(amount), Number(limitPrice), now);
      const status = isReached ? 'filled' : order.isCanceling ? 'canceled' : 'expired';
      if (status === 'expired' && now < order.until) continue;
      this.#resting.delete(nodeId);
      this.#end(order.intent, order.id, status, isReached ? amount : '0', now);
    }
  }

  seen(): Pick<World, 'orders' | 'positions' | 'buying'> {
    const orders = new Map<string, NodeOrders>();
    const [buying, selling] = [new Map<string, string>(), new Map<string, number>()];
    for (const [nodeId, last] of this.#ended) orders.set(nodeId, { live: null, last });
    for (const [nodeId, { intent, id, isCanceling }] of this.#resting) {
      const live = { ...orderOf(intent, id, 'open', '0', null), isCanceling };
      orders.set(nodeId, { live, last: this.#ended.get(nodeId) ?? null });
      const { side, tokenId, amount } = intent;
      if (side === 'sell') selling.set(tokenId, (selling.get(tokenId) ?? 0) + Number(amount));
      else buying.set(tokenId, String(Number(buying.get(tokenId) ?? 0) + Number(amount)));
    }
    const positions = [...this.#positions].map(([token, position]): [string, Position] => [
      token,
      { ...position, free: round(Number(position.amount) - (selling.get(token) ?? 0)) },
    ]);
    return { orders, buying, positions: new Map(positions) };
  }

  cancel(nodeId: string, now: number): RestingRow {
    const order = this.#resting.get(nodeId);
    if (order === undefined || order.isCanceling) throw new Error(`${nodeId} cancels no live order.`);
    order.isCanceling = true;
    const [, , , token, amount, limit] = rowOf(order.intent, now);
    return [now, nodeId, 'cancel', token, amount, limit];
  }

  place(intent: Intent, moment: Moment): void {
    const { nodeId, tokenId, side, timeInForce, expireAfterSec = Number.POSITIVE_INFINITY } = intent;
    if (this.#resting.has(nodeId)) throw new Error(`${nodeId} has a live order already.`);
    const id = `${nodeId} ${this.#count++}`;
    if (timeInForce === 'gtc') {
      const until = moment.now + 1_000 * expireAfterSec;
      this.#resting.set(nodeId, { intent, id, isCanceling: false, until });
      return;
    }
    const { price, units } = atOnce(intent, moment.quotes.get(tokenId));
    const filled = Math.min(Number(intent.amount), this.#toStep(tokenId, units));
    if (filled > 0) this.#book({ side, tokenId }, filled, price, moment.now);
    const status = filled === Number(intent.amount) ? 'filled' : 'canceled';
    this.#end(intent, id, status, String(filled), moment.now);
  }

  #toStep(tokenId: string, units: number): number {
    const step = Number(this.#instruments.get(tokenId)?.stepSize ?? 1);
    return Number.isFinite(units) ? Number((Math.floor(units / step) * step).toFixed(5)) : units;
  }

  #end(intent: Intent, id: string, status: string, filled: string, now: number): void {
    this.#ended.set(intent.nodeId, orderOf(intent, id, status, filled, now));
  }

  #book(
    { side, tokenId }: Pick<Intent, 'side' | 'tokenId'>,
    units: number,
    price: number,
    now: number,
  ): void {
    const before = this.#positions.get(tokenId);
    const [had, cost] = [Number(before?.amount ?? 0), Number(before?.averageCost ?? 0)];
    const has = round(had + (side === 'buy' ? units : -units));
    if (has === '0') this.#positions.delete(tokenId);
    else
      this.#positions.set(
        tokenId,
        held(has, {
          averageCost: String(side === 'buy' ? (had * cost + units * price) / Number(has) : cost),
          openedAt: before?.openedAt ?? now,
        }),
      );
  }
}

const round = (units: number): string => String(Number(units.toFixed(5)));

/** A buy takes what is offered at its price; a sell at the market fills whole. */
function atOnce({ side, limitPrice }: Intent, { bid, ask, askSize }: Partial<GraphQuote> = {}) {
  if (side === 'sell') return { price: bid ?? 0, units: bid == null ? 0 : Number.POSITIVE_INFINITY };
  const isOffered = ask != null && (limitPrice === null || ask <= Number(limitPrice));
  return { price: ask ?? 0, units: isOffered ? (askSize ?? 0) : 0 };
}

function orderOf(
  { amount, limitPrice }: Intent,
  id: string,
  status: string,
  filledAmount: string,
  endedAt: number | null,
): NodeOrder {
  const money = { filledNotional: '0', fees: '0' };
  return {
    id,
    status,
    amount,
    limitPrice,
    isCanceling: false,
    filledAmount,
    ...money,
    endedAt,
    message: null,
  };
}
