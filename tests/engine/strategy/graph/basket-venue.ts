/** A basket of two legs, and a venue that does with its orders what venues do. */
import { expect } from 'vitest';
import { inheritedMemory } from '../../../../engine/strategy/deployments/inherited-memory.ts';
import {
  nodeOrdersOf,
  type OrderFacts,
  WITHOUT_ORDER,
} from '../../../../engine/strategy/deployments/node-orders.ts';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type {
  Evaluation,
  Intent,
  Memory,
  NodeOrder,
  World,
} from '../../../../engine/strategy/graph/types.ts';
import {
  conditionInput,
  draw,
  facts,
  held,
  numberInput,
  planOf,
  quote,
  signals,
  stateOf,
  T0,
} from './graph-fixtures.ts';

export const TICK_MS = 2_000;
export const UNITS = 10;
export const LIMIT = 100;
export const MAX_LOSS = 0.05;
export const FLOOR = 95;
export const CEILING = 105;
/** Units of a leg that sells, before. */
export const STOCK = 1_000;
export const LEGS = ['one', 'two'] as const;
export type LegName = (typeof LEGS)[number];
const TOKENS: Readonly<Record<LegName, string>> = { one: 'BTCUSDT', two: 'ETHUSDT' };

const when = conditionInput('a');
export const legConfig = (leg: LegName, over: object = {}) => ({
  instrument: TOKENS[leg],
  basket: 'pair',
  maxLoss: MAX_LOSS,
  fillWithinSec: 20,
  undoWithinSec: 60,
  ...over,
});
export const basketGraph = (over: object = {}, sides = BUYS) =>
  draw(
    {
      ...when.nodes,
      ...numberInput('units'),
      ...numberInput('price'),
      ...Object.fromEntries(LEGS.map((leg) => [leg, ['leg', legConfig(leg, { side: sides[leg], ...over })]])),
    },
    [
      ...when.edges,
      ...LEGS.flatMap((leg) => [`a -> ${leg}.when`, `units -> ${leg}.amount`, `price -> ${leg}.price`]),
    ],
  );

export type Sides = Readonly<Record<LegName, 'buy' | 'sell'>>;
const BUYS: Sides = { one: 'buy', two: 'buy' };

type Order = { -readonly [Key in keyof OrderFacts]: OrderFacts[Key] } & {
  side: 'buy' | 'sell';
  isUndo: boolean;
};

/** Orders and holdings of one leg. */
export class LegVenue {
  readonly rows: Order[] = [];
  undecided: Intent | null = null;
  refusal: NodeOrder | null = null;
  units = 0;
  bid = 99;
  readonly #name: LegName;
  readonly side: 'buy' | 'sell';

  constructor(name: LegName, side: 'buy' | 'sell') {
    this.#name = name;
    this.side = side;
    this.units = this.stock;
  }

  get stock(): number {
    return this.side === 'buy' ? 0 : STOCK;
  }

  /** Units that it has traded and not undone. */
  get traded(): number {
    return Math.abs(this.units - this.stock);
  }

  /** The market leaves the undo, or comes back. */
  turn(isAway: boolean): void {
    if (isAway) this.bid = this.side === 'buy' ? FLOOR - 1 : CEILING;
    else this.bid = LIMIT - 1;
  }

  get live(): Order | undefined {
    return this.rows.find(({ endedAtMs }) => endedAtMs === null);
  }

  accept(status: 'open' | 'pending' = 'open'): void {
    const intent = this.undecided;
    if (intent === null) return;
    this.undecided = null;
    this.rows.push({
      id: `${this.#name}${this.rows.length}`,
      status,
      side: intent.side,
      isUndo: intent.timeInForce === 'ioc',
      amount: intent.amount,
      limitPrice: String(intent.limitPrice),
      isCanceling: false,
      filledAmount: '0',
      filledNotional: '0',
      fees: '0',
      endedAtMs: null,
      message: null,
    });
  }

  deny(nowMs: number): void {
    if (this.undecided === null) return;
    this.undecided = null;
    const id = `refused ${nowMs}`;
    this.refusal = { ...WITHOUT_ORDER, id, status: 'denied', endedAt: nowMs, message: null };
  }

  /** Fills an order; that of an undo if the market allows. */
  fill(most: number, nowMs: number, row = this.live): void {
    if (row === undefined) return;
    const isBeyond =
      row.side === 'sell' ? this.bid < Number(row.limitPrice) : this.bid + 1 > Number(row.limitPrice);
    if (row.isUndo && isBeyond) return;
    const more = Math.min(most, Number(row.amount) - Number(row.filledAmount));
    row.filledAmount = String(Number(row.filledAmount) + more);
    this.units += row.side === 'buy' ? more : -more;
    if (row.filledAmount === row.amount && row.endedAtMs === null) this.end('filled', nowMs);
  }

  end(status: 'filled' | 'canceled' | 'expired', nowMs: number): void {
    const { live } = this;
    if (live !== undefined) [live.status, live.endedAtMs] = [status, nowMs];
  }

  /** A venue in good order: it decides, fills orders of undos or ends them, and confirms cancels. It may fill others. */
  settle(nowMs: number, fillsAll = false): void {
    this.accept();
    const { live } = this;
    if (live?.status === 'unknown') live.status = 'open';
    if (live?.isUndo || fillsAll) this.fill(UNITS, nowMs);
    if (this.live?.isUndo || this.live?.isCanceling === true) this.end('canceled', nowMs);
  }
}

export type Seen = { a?: boolean | null; units?: number | null; price?: number | null; isHalted?: boolean };

/** Steps a basket: its memory is stored as JSON after each step. */
export class BasketTrial {
  readonly venue: Readonly<Record<LegName, LegVenue>>;
  readonly missing = new Set<LegName>();
  lot: object = { stepSize: '1', minSize: '1' };
  now = T0;
  memory: Memory | null = null;
  readonly failures: string[] = [];
  #plan;
  #visual;

  constructor(over: object = {}, sides = BUYS) {
    this.venue = { one: new LegVenue('one', sides.one), two: new LegVenue('two', sides.two) };
    this.#visual = basketGraph(over, sides);
    this.#plan = planOf(this.#visual);
  }

  redeploy(visual = this.#visual): void {
    this.memory = inheritedMemory(this.memory, visual);
    [this.#visual, this.#plan] = [visual, planOf(visual)];
  }

  world({ a = true, units = UNITS, price = LIMIT, isHalted = false }: Seen = {}): World {
    const outcomes = {
      orders: new Map(LEGS.map((leg) => [leg, this.venue[leg].rows.slice(-2).toReversed()])),
      undecided: new Map(
        LEGS.flatMap((leg) => (this.venue[leg].undecided === null ? [] : [[leg, this.venue[leg].undecided]])),
      ),
      refusals: new Map(
        LEGS.flatMap((leg) => (this.venue[leg].refusal === null ? [] : [[leg, this.venue[leg].refusal]])),
      ),
    };
    const traded = LEGS.map((leg) => TOKENS[leg]);
    return signals({ a, units, price }, this.now, {
      quotes: new Map(
        LEGS.filter((leg) => !this.missing.has(leg)).map((leg) => [
          TOKENS[leg],
          quote({ bid: this.venue[leg].bid, ask: this.venue[leg].bid + 1, asOf: this.now }),
        ]),
      ),
      instruments: new Map(traded.map((token) => [token, facts(token, this.lot)])),
      positions: new Map(
        LEGS.flatMap((leg) =>
          this.venue[leg].units > 0 ? [[TOKENS[leg], held(String(this.venue[leg].units))]] : [],
        ),
      ),
      orders: nodeOrdersOf(outcomes as Parameters<typeof nodeOrdersOf>[0], {
        nowMs: this.now,
        toFeed: (ms) => ms,
      }),
      isHalted,
    });
  }

  /** One step later; returns what was raised, as `buy 10 at 100` or `cancel`, by leg. */
  step(seen: Seen = {}, options: { ticks?: number; isCancelLost?: boolean } = {}): Record<string, string> {
    const { ticks = 1, isCancelLost = false } = options;
    this.now += ticks * TICK_MS;
    const evaluation = evaluate(this.#plan, this.world(seen), this.memory, this.now);
    this.memory = JSON.parse(JSON.stringify(evaluation.memory)) as Memory;
    this.evaluation = evaluation;
    this.failures.push(...evaluation.failures.map(({ nodeId }) => nodeId));
    const raised: Record<string, string> = {};
    for (const { nodeId, orderId } of evaluation.cancellations) {
      raised[nodeId] = 'cancel';
      const row = this.venue[nodeId as LegName].rows.find(({ id }) => id === orderId);
      if (row !== undefined && row.endedAtMs === null && !isCancelLost) row.isCanceling = true;
    }
    for (const intent of evaluation.intents) {
      const { nodeId, side, amount, limitPrice } = intent;
      raised[nodeId] = `${side} ${amount} at ${limitPrice}`;
      const venue = this.venue[nodeId as LegName];
      if (venue.undecided !== null || venue.live !== undefined) throw new Error(`${nodeId} has two orders.`);
      venue.undecided = intent;
    }
    return raised;
  }

  evaluation: Evaluation | null = null;

  stateOf(leg: LegName) {
    if (this.evaluation === null) throw new Error('Nothing was evaluated yet.');
    return stateOf(this.evaluation, leg);
  }

  /** Steps on with a venue in good order, until a minute after the last limit of time. */
  calm(seen: Seen = {}, fillsAll = false): void {
    for (let tick = 0; tick < 90; tick++) {
      for (const leg of LEGS) this.venue[leg].settle(this.now, fillsAll);
      this.step(seen);
    }
  }
}

export const BOTH = { one: 'buy 10 at 100', two: 'buy 10 at 100' };
export const SELL = 'sell 10 at 95';

/** A basket whose two orders rest. */
export function begun(over: object = {}, sides = BUYS): BasketTrial {
  const trial = new BasketTrial(over, sides);
  trial.step({ a: false });
  expect(trial.step()).toEqual({ one: `${sides.one} 10 at 100`, two: `${sides.two} 10 at 100` });
  for (const leg of LEGS) trial.venue[leg].accept();
  return trial;
}

/** A basket whose first leg is filled. */
export function halfFilled(over: object = {}, sides = BUYS): BasketTrial {
  const trial = begun(over, sides);
  trial.venue.one.fill(UNITS, trial.now);
  expect(trial.step()).toEqual({});
  return trial;
}
