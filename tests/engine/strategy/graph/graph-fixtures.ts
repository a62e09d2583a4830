/** Small graphs, small worlds, and a player that carries memory from one evaluation to the next. */

import { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Plan } from '../../../../engine/strategy/graph/run/run.ts';
import type {
  Candle,
  CandleSeries,
  Evaluation,
  GraphQuote,
  InstrumentFacts,
  Issue,
  KnownInstruments,
  Memory,
  NodeOrder,
  NodeOrders,
  NodeState,
  Position,
  Value,
  World,
} from '../../../../engine/strategy/graph/types.ts';
import { kindOf } from '../../../../venues/port.ts';

/** A Thursday at noon UTC, on the grid of every interval up to 12 h. */
export const T0 = Date.UTC(2026, 0, 1, 12);
export const MINUTE_MS = 60_000;

export type NodeConfig = readonly [type: string, config?: Record<string, unknown>];

/** `edges`: lines like `a -> b` or `a -> b.port`. */
export function draw(nodes: Record<string, NodeConfig>, edges: readonly string[] = []): Visual {
  return {
    nodes: Object.entries(nodes).map(([id, [type, config = {}]], index) => ({
      id,
      type,
      position: { x: 200 * index, y: 0 },
      data: { label: id, config },
    })),
    edges: edges.map((edge, index) => {
      const [source = '', end = ''] = edge.split(' -> ');
      const [target = '', port] = end.split('.');
      return {
        id: `e${index}`,
        source,
        sourceHandle: 'out',
        target,
        targetHandle: port ?? null,
      };
    }),
  };
}

export type Visual = {
  nodes: {
    id: string;
    type: string;
    position: { x: number; y: number };
    data: { label: string; config: unknown };
  }[];
  edges: { id: string; source: string; sourceHandle: string; target: string; targetHandle: string | null }[];
};

export function planOf(visual: unknown, known?: KnownInstruments): Plan {
  const { plan, issues } = compile(visual, known);
  if (plan === null)
    throw new Error(`The graph does not compile:\n${issues.map(({ message }) => message).join('\n')}`);
  return plan;
}

export function errorsOf(visual: unknown, known?: KnownInstruments): Issue[] {
  return compile(visual, known).issues.filter(({ severity }) => severity === 'error');
}

/** Returns the error of a graph that has exactly one. */
export function onlyError(visual: unknown, known?: KnownInstruments): Issue {
  const [issue, ...others] = errorsOf(visual, known);
  if (issue === undefined || others.length > 0)
    throw new Error(`One error was expected: ${JSON.stringify([issue, ...others])}`);
  return issue;
}

export function quote(over: Partial<GraphQuote> = {}): GraphQuote {
  return {
    bid: 99,
    ask: 101,
    last: 100,
    bidSize: 10,
    askSize: 10,
    volume24h: 1_000,
    openInterest: 500,
    change24h: 0.01,
    marketStatus: 'open',
    settlementValue: null,
    asOf: T0,
    seq: 1,
    ...over,
  };
}

export function facts(tokenId: string, over: Partial<InstrumentFacts> = {}): InstrumentFacts {
  return {
    tokenId,
    kind: kindOf(tokenId) ?? 'outcome',
    title: tokenId,
    quoteCurrency: 'USDT',
    tradable: true,
    tickSize: '0.01',
    priceRanges: [],
    stepSize: '0.001',
    minSize: '0.001',
    minNotional: null,
    opensAt: null,
    closesAt: null,
    hasEnded: false,
    ...over,
  };
}

export const EMPTY_WORLD: World = {
  quotes: new Map(),
  books: new Map(),
  candles: new Map(),
  instruments: new Map(),
  account: null,
  signals: new Map(),
  positions: new Map(),
  buying: new Map(),
  orders: new Map(),
  isHalted: false,
  observedSince: 0,
};

export function world(over: Partial<World> = {}): World {
  return { ...EMPTY_WORLD, ...over };
}

/** A world in which one instrument is quoted and known, at the time given. */
export function marketOf(
  tokenId: string,
  now: number,
  over: Partial<GraphQuote> = {},
  more: Partial<World> = {},
): World {
  return world({
    quotes: new Map([[tokenId, quote({ asOf: now, ...over })]]),
    instruments: new Map([[tokenId, facts(tokenId)]]),
    ...more,
  });
}

export function held(amount: string, over: Partial<Position> = {}): Position {
  return { amount, free: amount, averageCost: '100', openedAt: T0, ...over };
}

const TERMS = { amount: '1', limitPrice: '100', isCanceling: false };

export function ended(id: string, over: Partial<NodeOrder> = {}): NodeOrders {
  return {
    live: null,
    last: {
      id,
      ...TERMS,
      status: 'filled',
      filledAmount: '1',
      filledNotional: '100',
      fees: '0.1',
      endedAt: T0,
      message: null,
      ...over,
    },
  };
}

export function live(id: string): NodeOrders {
  const filled = { filledAmount: '0', filledNotional: '0', fees: '0' };
  return { live: { id, status: 'open', ...TERMS, ...filled, endedAt: null, message: null }, last: null };
}

/** One-minute candles that closed one after another, the first at `firstCloseAt`. */
export function minuteCandles(closes: readonly number[], firstCloseAt = T0 + MINUTE_MS): Candle[] {
  return closes.map((close, i) => {
    const closeAt = firstCloseAt + i * MINUTE_MS;
    const open = closes[i - 1] ?? close;
    return {
      openTimeMs: closeAt - MINUTE_MS,
      closeTimeMs: closeAt - 1,
      open,
      high: Math.max(open, close),
      low: Math.min(open, close),
      close,
      volume: 1,
    };
  });
}

export function series(closed: readonly Candle[] | ClosedCandles): CandleSeries {
  return {
    closed: closed instanceof ClosedCandles ? closed : ClosedCandles.of(closed),
    open: null,
    openAsOf: null,
  };
}

/** Evaluates one deployment again and again; memory goes through JSON, as it does in the database. */
export class Player {
  readonly plan: Plan;
  memory: Memory | null = null;
  readonly #mayFail: boolean;

  constructor(visual: unknown, mayFail = false) {
    this.plan = planOf(visual);
    this.#mayFail = mayFail;
  }

  at(now: number, seen: World): Evaluation {
    const result = evaluate(this.plan, seen, this.memory, now);
    if (result.failures.length > 0 && !this.#mayFail) throw new Error(JSON.stringify(result.failures));
    this.memory = JSON.parse(JSON.stringify(result.memory)) as Memory;
    return result;
  }

  /** The state of one node. */
  state(id: string, now: number, seen: World): NodeState {
    return stateOf(this.at(now, seen), id);
  }
}

export function stateOf(evaluation: Evaluation, id: string): NodeState {
  const state = evaluation.nodeStates[id];
  if (state === undefined) throw new Error(`There is no node ${id}.`);
  return state;
}

/** Returns the value that a node's state shows: numbers and booleans, `null` for unknown. */
export function displayedValue(value: Value): number | boolean | null {
  return typeof value === 'object' ? null : value;
}

/** Symbols stand in for inputs in tests of single nodes: the last price of `AUSDT` is the number of input a. */
const symbolOf = (name: string) => `${name.toUpperCase()}USDT`;

/** Nodes that give a number named `name`, taken from {@link signals}. */
export function numberInput(name: string): Record<string, NodeConfig> {
  return { [name]: ['crypto.price', { symbol: symbolOf(name) }] };
}

/** Nodes and edges that give a condition named `name`, taken from {@link signals}. */
export function conditionInput(name: string): { nodes: Record<string, NodeConfig>; edges: string[] } {
  return {
    nodes: {
      [`${name}Price`]: ['crypto.price', { symbol: symbolOf(name) }],
      [`${name}Half`]: ['constant', { value: 0.5 }],
      [name]: ['compare', { op: 'gt' }],
    },
    edges: [`${name}Price -> ${name}.a`, `${name}Half -> ${name}.b`],
  };
}

/** A world in which the inputs have these values now; `null` is unknown. */
export function signals(
  values: Record<string, number | boolean | null>,
  now: number,
  over: Partial<World> = {},
): World {
  const quotes = new Map<string, GraphQuote>();
  for (const [name, value] of Object.entries(values))
    if (value !== null) quotes.set(symbolOf(name), quote({ last: Number(value), asOf: now }));
  for (const [tokenId, known] of over.quotes ?? []) quotes.set(tokenId, known);
  return world({ ...over, quotes });
}
