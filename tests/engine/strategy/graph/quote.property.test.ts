import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  nodeOrdersOf,
  type OrderFacts,
  WITHOUT_ORDER,
} from '../../../../engine/strategy/deployments/node-orders.ts';
import type { Intent, NodeOrder } from '../../../../engine/strategy/graph/types.ts';
import { conditionInput, draw, marketOf, numberInput, Player, signals, T0 } from './graph-fixtures.ts';

const TICK_MS = 2_000;
const REFRESH_SEC = 6;
const UNITS = 10;
const when = conditionInput('a');
const GRAPH = draw(
  {
    ...when.nodes,
    ...numberInput('units'),
    ...numberInput('price'),
    quote: ['quote', { instrument: 'BTCUSDT', side: 'buy', refreshMinSec: REFRESH_SEC }],
  },
  [...when.edges, 'a -> quote.when', 'units -> quote.amount', 'price -> quote.price'],
);

/** Events between two steps. A cancel may be lost, be late, arrive twice, or lose to a fill. */
const EVENTS = [
  ...['decide', 'decide', 'decide', 'decide', 'deny', 'refuse', 'lose answer', 'find', 'fill', 'fill all'],
  ...['late fill', 'confirm cancel', 'confirm cancel', 'cancel elsewhere', 'expire', 'restart'],
] as const;

const step = fc.record({
  events: fc.array(fc.constantFrom(...EVENTS), { maxLength: 3 }),
  a: fc.constantFrom(true, true, true, true, false, null),
  price: fc.constantFrom(100, 100, 101, 105, null),
  isCancelLost: fc.boolean(),
  ticks: fc.integer({ min: 1, max: 5 }),
});

type Row = { -readonly [Key in keyof OrderFacts]: OrderFacts[Key] } & { round: number };

/** Orders of one node at a venue that does everything that venues do. */
class Venue {
  readonly rows: Row[] = [];
  undecided: Intent | null = null;
  /** The round in which that was raised: a fill of an order belongs to the round that wanted it, however late it is decided. */
  undecidedRound = 0;
  refusal: NodeOrder | null = null;

  get live(): Row | undefined {
    return this.rows.find(({ endedAtMs }) => endedAtMs === null);
  }

  orders(nowMs: number) {
    const outcomes = {
      orders: new Map([['quote', this.rows.slice(-2).toReversed()]]),
      undecided: new Map(this.undecided === null ? [] : [['quote', this.undecided]]),
      refusals: new Map(this.refusal === null ? [] : [['quote', this.refusal]]),
    };
    return nodeOrdersOf(outcomes, { nowMs, toFeed: (ms) => ms });
  }

  happen(event: (typeof EVENTS)[number], nowMs: number): void {
    const { live } = this;
    if (event === 'decide' || event === 'deny' || event === 'refuse') this.#decide(event, nowMs);
    const last = this.rows.at(-1);
    if (event === 'late fill' && live === undefined && this.undecided === null) this.#fill(last, 1);
    if (live === undefined) return;
    if (event === 'lose answer') live.status = 'unknown';
    if (event === 'find' && live.status === 'unknown') live.status = 'open';
    if (event === 'fill') this.#fill(live, 3);
    if (event === 'fill all') this.#fill(live, UNITS);
    const isFilled = live.filledAmount === live.amount;
    if (isFilled) this.#end(live, 'filled', nowMs);
    else if (event === 'confirm cancel' && live.isCanceling && live.status !== 'unknown')
      this.#end(live, 'canceled', nowMs);
    else if (event === 'cancel elsewhere') this.#end(live, 'canceled', nowMs);
    else if (event === 'expire') this.#end(live, 'expired', nowMs);
  }

  /** Requests a cancel, twice: the second changes nothing. */
  cancel(orderId: string): void {
    for (const row of [...this.rows, ...this.rows])
      if (row.id === orderId && row.endedAtMs === null) row.isCanceling = true;
  }

  #decide(event: 'decide' | 'deny' | 'refuse', nowMs: number): void {
    const intent = this.undecided;
    if (intent === null) return;
    this.undecided = null;
    if (event === 'refuse') {
      this.refusal = {
        ...WITHOUT_ORDER,
        id: `refused ${nowMs}`,
        status: 'denied',
        endedAt: nowMs,
        message: null,
      };
      return;
    }
    const isDenied = event === 'deny';
    this.rows.push({
      id: `o${this.rows.length}`,
      status: isDenied ? 'denied' : 'open',
      amount: intent.amount,
      limitPrice: intent.limitPrice ?? '0',
      isCanceling: false,
      filledAmount: '0',
      filledNotional: '0',
      fees: '0',
      endedAtMs: isDenied ? nowMs : null,
      message: null,
      round: this.undecidedRound,
    });
  }

  #fill(row: Row | undefined, most: number): void {
    if (row === undefined || row.status === 'denied') return;
    row.filledAmount = String(Math.min(Number(row.amount), Number(row.filledAmount) + most));
  }

  #end(row: Row, status: 'filled' | 'canceled' | 'expired', nowMs: number): void {
    row.status = status;
    row.endedAtMs = nowMs;
  }
}

test('whatever its venue does, a quote has one live order at most, none unwanted, and never fills more than its amount', () => {
  let most = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const venue = new Venue();
      const player = new Player(GRAPH);
      let [now, raisedAt, round] = [T0, Number.NEGATIVE_INFINITY, 0];
      let wasFalse = true;
      for (const { events, a, price, isCancelLost, ticks } of steps) {
        now += ticks * TICK_MS;
        for (const event of events) {
          if (event === 'restart') venue.refusal = null;
          venue.happen(event, now);
        }
        const orders = venue.orders(now);
        const { live } = orders.get('quote') ?? { live: null };
        const seen = marketOf('BTCUSDT', now, {}, { orders });
        const { intents, cancellations } = player.at(now, signals({ a, units: UNITS, price }, now, seen));
        if (a === true && wasFalse) round++;
        if (a !== null) wasFalse = a === false;

        const isCancelDue =
          (a !== true || price === null) && venue.live !== undefined && !venue.live.isCanceling;
        if (isCancelDue) expect(cancellations).toMatchObject([{ nodeId: 'quote', orderId: venue.live?.id }]);
        if (intents.length > 0) {
          expect([live, cancellations, a]).toEqual([null, [], true]);
          expect(intents).toHaveLength(1);
          expect(intents[0]?.limitPrice).toBe(String(price));
          expect(now - raisedAt).toBeGreaterThanOrEqual(REFRESH_SEC * 1_000);
          raisedAt = now;
          venue.undecided = intents[0] ?? null;
          venue.undecidedRound = round;
        }
        if (!isCancelLost) for (const { orderId } of cancellations) venue.cancel(orderId);
        for (const own of Map.groupBy(venue.rows, (row) => row.round).values()) {
          const filled = own.reduce((sum, { filledAmount }) => sum + Number(filledAmount), 0);
          most = Math.max(most, filled);
          expect(filled).toBeLessThanOrEqual(UNITS);
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(most).toBe(UNITS);
});
