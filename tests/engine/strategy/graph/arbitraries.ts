/** Random graphs that compile, and random worlds to evaluate them in. */
import fc from 'fast-check';
import { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { nodeTypes } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import type { InputPort } from '../../../../engine/strategy/graph/nodes/node.ts';
import type {
  Candle,
  CandleSeries,
  GraphQuote,
  NodeOrders,
  PortKind,
  Position,
  SignalArrival,
  World,
} from '../../../../engine/strategy/graph/types.ts';
import {
  draw,
  ended,
  facts,
  held,
  live,
  type NodeConfig,
  quote,
  series,
  T0,
  type Visual,
  world,
} from './graph-fixtures.ts';

export const INSTRUMENTS = ['BTCUSDT', 'ETHUSDT', 'KXBTC:yes'] as const;
const SYMBOLS = ['BTCUSDT', 'ETHUSDT'] as const;
const INTERVALS = { '1m': 60_000, '5m': 300_000 } as const;

const instrument = fc.constantFrom(...INSTRUMENTS);
const symbol = fc.constantFrom(...SYMBOLS);
const interval = fc.constantFrom('1m', '5m');
const period = fc.integer({ min: 2, max: 6 });
const small = fc.integer({ min: 1, max: 120 });
const sampling = fc.option(fc.constantFrom(5, 30), { nil: undefined });
const deploy = fc.constantFrom('fire', 'wait');
const kind = fc.constantFrom('number', 'boolean');

const CONFIGS: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  'market.price': fc.record({ instrument, field: fc.constantFrom('mid', 'bid', 'ask', 'last') }),
  'market.book': fc.oneof(
    fc.record({ instrument, measure: fc.constantFrom('spread', 'imbalance', 'depth') }),
    fc.record({ instrument, measure: fc.constant('priceForSize'), size: small }),
  ),
  'market.info': fc.record({
    instrument,
    field: fc.constantFrom('secondsToClose', 'volume24h', 'openInterest', 'listed'),
  }),
  'crypto.price': fc.record({ symbol, field: fc.constantFrom('last', 'bid', 'ask', 'change24h') }),
  'crypto.candle': fc.record({
    symbol,
    interval,
    field: fc.constantFrom('open', 'high', 'low', 'close', 'volume'),
    closedOnly: fc.boolean(),
  }),
  position: fc.record({
    instrument,
    field: fc.constantFrom('amount', 'averageCost', 'unrealizedPnl', 'unrealizedPct'),
  }),
  account: fc.oneof(
    fc.record({ field: fc.constantFrom('equity', 'freeCash', 'dayPnl', 'drawdown') }),
    fc.record({ field: fc.constant('exposure'), instrument: fc.option(instrument, { nil: undefined }) }),
  ),
  'order.result': fc.record({
    field: fc.constantFrom('filledAmount', 'averagePrice', 'fees', 'live', 'filled', 'refused'),
  }),
  schedule: fc.oneof(
    fc.record({ mode: fc.constant('every'), everySec: fc.integer({ min: 10, max: 600 }) }),
    fc.record({
      mode: fc.constant('daily'),
      from: fc.constant('12:01'),
      to: fc.constant('12:30'),
      monthDays: fc.constantFrom(undefined, '1, 15-31', 'last 20'),
      calendar: fc.constantFrom(undefined, 'nyseSession', 'nyseHoliday', 'fomcDecision'),
    }),
  ),
  signal: fc.record({
    name: fc.constantFrom('one', 'two'),
    kind: fc.constantFrom('number', 'boolean', 'arrival'),
    maxAgeSec: small,
  }),
  constant: fc.record({
    value: fc.oneof(fc.integer({ min: -3, max: 120 }), fc.double({ min: 0, max: 1, noNaN: true })),
  }),
  indicator: fc.oneof(
    fc.record({
      kind: fc.constantFrom(
        ...['sma', 'ema', 'rsi', 'atr', 'zscore', 'change', 'highest', 'lowest', 'sum', 'stddev', 'slope'],
        ...['percentRank', 'volatility'],
      ),
      period,
      sampleSec: sampling,
    }),
    fc.record({
      kind: fc.constant('macd'),
      fast: fc.constant(2),
      slow: fc.constant(3),
      signal: fc.constant(2),
      sampleSec: sampling,
    }),
    fc.record({ kind: fc.constantFrom('adx', 'cci', 'mfi', 'vwap', 'obv', 'supertrend'), period }),
    fc.record({ kind: fc.constant('stochastic'), period, smooth: fc.constant(2), band: fc.constant('d') }),
    fc.record({
      kind: fc.constantFrom('donchian', 'keltner'),
      period,
      band: fc.constantFrom('upper', 'lower'),
    }),
    fc.constantFrom(
      { kind: 'heikinAshi' },
      { kind: 'ichimoku', conversion: 2, base: 3, span: 5, band: 'spanA' },
      { kind: 'volatility', estimator: 'garmanKlass', period: 3 },
    ),
    fc.record({
      kind: fc.constant('bollinger'),
      period,
      band: fc.constantFrom('upper', 'lower'),
      sampleSec: sampling,
    }),
  ),
  correlation: fc.record({ period }),
  math: fc.record({
    op: fc.constantFrom(
      ...['add', 'multiply', 'min', 'max', 'subtract', 'divide', 'power', 'modulo', 'abs'],
      ...['round', 'floor', 'ceil', 'sign', 'sqrt', 'log', 'exp'],
    ),
  }),
  lag: fc.record({ kind, period, sampleSec: sampling }),
  select: fc.record({ kind }),
  fallback: fc.record({ kind }),
  number: fc.constant({}),
  count: fc.record({ period, sampleSec: sampling }),
  since: fc.record({ unit: fc.constantFrom('seconds', 'steps') }),
  aggregate: fc.record({ statistic: fc.constantFrom('sum', 'mean', 'max', 'min', 'count') }),
  'probability.edge': fc.constant({}),
  compare: fc.record({
    op: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'between', 'crossesAbove', 'crossesBelow'),
    hysteresis: fc.constantFrom(0, 0, 2),
  }),
  weight: fc.record({ max: fc.constantFrom(0.3, 1) }),
  top: fc.record({ k: fc.constant(1), from: fc.constantFrom('highest', 'lowest') }),
  logic: fc.oneof(
    fc.record({ op: fc.constantFrom('and', 'or', 'not') }),
    fc.constant({ op: 'atLeast', k: 1 }),
  ),
  hold: fc.record({ seconds: small }),
  memory: fc.constantFrom({ mode: 'latch' }, { mode: 'number' }, { mode: 'number', initial: 1 }),
  cooldown: fc.oneof(
    fc.record({ seconds: small }),
    fc.record({ seconds: small, maxCount: fc.constant(2), windowSec: small }),
  ),
  once: fc.oneof(
    fc.record({ per: fc.constantFrom('day', 'week', 'month', 'deploy') }),
    fc.record({ per: fc.constant('position'), instrument }),
  ),
  pulse: fc.record({ seconds: small, afterSec: fc.constantFrom(0, 60) }),
  guard: fc.record({ instrument, maxSpread: fc.constantFrom(1, 5) }),
  size: fc.constantFrom(
    { mode: 'amount', amount: 2 },
    { mode: 'notional', notional: 50 },
    { mode: 'equity', fraction: 0.1, capByHeadroom: true },
    { mode: 'kelly', fraction: 0.5 },
  ),
  order: fc.oneof(
    fc.record({
      instrument,
      side: fc.constantFrom('buy', 'sell'),
      type: fc.constant('market'),
      ifTrueAtDeploy: deploy,
    }),
    fc.record({
      instrument,
      side: fc.constantFrom('buy', 'sell'),
      type: fc.constant('limit'),
      priceOffset: fc.constantFrom(0, -1),
      ifTrueAtDeploy: deploy,
    }),
  ),
  quote: fc
    .record({
      instrument,
      side: fc.constantFrom('buy', 'sell'),
      refreshMinSec: fc.constantFrom(2, 60),
      afterFill: fc.constantFrom('stop', 'repeat'),
      oneCancelsOther: fc.constantFrom(undefined, 'one'),
    })
    .map((quote) => (quote.afterFill === 'repeat' ? { ...quote, oneCancelsOther: undefined } : quote)),
  leg: fc.record({
    instrument,
    basket: fc.constant('pair'),
    side: fc.constantFrom('buy', 'sell'),
    maxLoss: fc.constant(0.02),
  }),
  target: fc.record({ instrument, takeProfit: fc.constant(0.02), part: fc.constantFrom(1, 0.5) }),
  close: fc.record({ instrument, fraction: fc.constantFrom(1, 0.5) }),
  exit: fc.record({
    instrument,
    stopLoss: fc.constant(0.05),
    trailing: fc.constant(0.03),
    maxHoldSec: fc.constant(900),
  }),
  notify: fc.record({
    text: fc.constant('Value {n0}.'),
    severity: fc.constantFrom(undefined, 'info', 'warning', 'critical'),
    atMostEverySec: fc.constantFrom(undefined, 60, 90, 600),
    ifTrueAtDeploy: deploy,
  }),
};

type Gene = {
  type: string;
  config: Record<string, unknown>;
  /** Which of the possible sources feeds each port. */
  picks: number[];
};

/** Every node type in random graphs. */
export const DRAWN_TYPES: readonly string[] = Object.keys(CONFIGS);

const geneOf = (type: string): fc.Arbitrary<Gene> =>
  fc.record({
    type: fc.constant(type),
    config: CONFIGS[type] as fc.Arbitrary<Record<string, unknown>>,
    picks: fc.array(fc.nat(1_000), { minLength: 4, maxLength: 4 }),
  });
const gene = fc.constantFrom(...DRAWN_TYPES).chain(geneOf);

const QUOTES: NodeConfig = ['market.price', { instrument: 'BTCUSDT' }];
const CANDLES: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }];

/** A graph that compiles; nodes that the compiler refuses are removed. */
export const graph: fc.Arbitrary<Visual> = fc
  .array(gene, { minLength: 3, maxLength: 30 })
  .map((genes) => prune(wire(genes, QUOTES)))
  .filter(({ nodes }) => nodes.length > 0);

/** Sources right before a node that takes few others. */
const OWN_SOURCES: Readonly<Record<string, readonly Gene[]>> = {
  correlation: SYMBOLS.map((symbol) => ({
    type: 'crypto.candle',
    config: { symbol, interval: '1m' },
    picks: [],
  })),
};

/** A graph with two nodes of a type and some of others; on request, all on one series of candles. */
export function graphWith(type: string, isOfCandles = false): fc.Arbitrary<Visual> {
  const others = isOfCandles ? fc.constantFrom(...CANDLE_TYPES).chain(geneOf) : gene;
  const sources = isOfCandles ? [] : (OWN_SOURCES[type] ?? []);
  return fc
    .tuple(fc.array(others, { maxLength: 8 }), geneOf(type), fc.array(others, { maxLength: 4 }), geneOf(type))
    .map(([before, one, between, other]) =>
      prune(
        wire([...before, ...sources, one, ...between, ...sources, other], isOfCandles ? CANDLES : QUOTES),
      ),
    )
    .filter(({ nodes }) => nodes.some((node) => node.type === type))
    .filter(({ nodes }) => !isOfCandles || !JSON.stringify(nodes).includes('"per":"position"'));
}

const MEMORIES: ReadonlySet<string> = new Set(['memory', 'cooldown', 'once', 'pulse']);

/** Node types whose output depends on their inputs only. */
export const CANDLE_TYPES: readonly string[] = DRAWN_TYPES.filter((name) => {
  const group = nodeTypes.get(name)?.group;
  return name === 'constant' || group === 'transform' || group === 'condition' || MEMORIES.has(name);
});

function wire(genes: readonly Gene[], first: NodeConfig): Visual {
  const nodes: Record<string, NodeConfig> = {
    n0: first,
    n1: ['constant', { value: 100 }],
    n2: ['compare', { op: 'gt' }],
  };
  const edges = ['n0 -> n2.a', 'n1 -> n2.b'];
  const sources: Record<PortKind, string[]> = { number: ['n0', 'n1'], boolean: ['n2'] };
  const later: { id: string; port: InputPort; pick: number }[] = [];
  for (const [i, { type, config, picks }] of genes.entries()) {
    const id = `n${i + 3}`;
    const settings = JSON.parse(JSON.stringify(config)) as Record<string, unknown>;
    const exists = (port: { when?: InputPort['when'] }) =>
      port.when === undefined || port.when.in.includes(String(settings[port.when.setting]));
    const nodeType = nodeTypes.get(type);
    if (nodeType === undefined) throw new Error(`There is no node type ${type}.`);
    for (const [j, port] of nodeType.inputs.filter(exists).entries()) {
      const pick = picks[j] as number;
      if (!port.required && pick % 2 === 0) continue;
      if (type === 'memory') later.push({ id, port, pick });
      else edges.push(`${choose(sources[port.kind], pick)} -> ${id}.${port.name}`);
      if (port.many && pick % 3 > 0)
        edges.push(`${choose(sources[port.kind], picks[3] as number)} -> ${id}.${port.name}`);
    }
    const out = nodeType.outputs.find(exists);
    if (out !== undefined) sources[out.kind].push(id);
    nodes[id] = [type, settings];
  }
  // Memory may read later nodes, so it is connected last.
  for (const { id, port, pick } of later)
    edges.push(`${choose(sources[port.kind], pick)} -> ${id}.${port.name}`);
  return draw(nodes, edges);
}

function choose(from: readonly string[], pick: number): string {
  // Late nodes are preferred: deep graphs cover more than wide ones.
  return from[from.length - 1 - (pick % Math.min(from.length, 8))] as string;
}

function prune(visual: Visual): Visual {
  let current = visual;
  for (;;) {
    const bad = new Set(
      compile(current).issues.flatMap(({ severity, nodeId }) =>
        severity === 'error' && nodeId !== null ? [nodeId] : [],
      ),
    );
    if (bad.size === 0) return current;
    const nodes = current.nodes.filter(({ id }) => !bad.has(id));
    const kept = new Set(nodes.map(({ id }) => id));
    current = {
      nodes,
      edges: current.edges.filter(({ source, target }) => kept.has(source) && kept.has(target)),
    };
  }
}

/** A small generator of its own (mulberry32), so that a world is a pure function of its seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const actionNodes = ({ nodes }: Visual) =>
  nodes.filter(({ type }) => nodeTypes.get(String(type))?.group === 'action');

/** The nodes that act: those that can have orders. */
export const actionsOf = (visual: Visual): string[] => actionNodes(visual).map(({ id }) => id);

/** The instruments that these nodes would trade. */
export const tradedBy = (visual: Visual): Set<unknown> =>
  new Set(actionNodes(visual).map(({ data }) => (data.config as { instrument?: unknown }).instrument));

export type Moment = {
  now: number;
  seen: World;
};

/** A feed with gaps, stale quotes, closed markets and pauses; strictly later from moment to moment. */
export function moments(seed: number, count: number, actions: readonly string[]): Moment[] {
  const random = randomOf(seed);
  const past = candlesOf(random);
  let now = T0 + 3_600_000;
  return Array.from({ length: count }, () => {
    const pause = random() < 0.1 ? 900_000 : 30_000;
    now += 1 + Math.floor(random() * pause);
    return { now, seen: worldAt(random, now, past, actions) };
  });
}

function worldAt(
  random: () => number,
  now: number,
  past: ReadonlyMap<string, ClosedCandles>,
  actions: readonly string[],
): World {
  const lag = random() < 0.2 ? 120_000 * random() : 0;
  const candles = new Map<string, CandleSeries>();
  for (const [key, all] of past) {
    const closed = all.slice(0, all.indexAt(now - lag) + 1);
    if (random() > 0.05)
      candles.set(key, {
        ...series(closed),
        open: closed.count < all.count ? all.at(closed.count) : null,
        openAsOf: now - 40_000 * random(),
      });
  }
  const quotes = new Map<string, GraphQuote>();
  const positions = new Map<string, Position>();
  const books = new Map();
  for (const tokenId of INSTRUMENTS) {
    const bid = 90 + 20 * random();
    const some = {
      bid: random() < 0.1 ? null : bid,
      ask: random() < 0.1 ? null : bid + 4 * random(),
      last: bid,
    };
    const marketStatus = random() < 0.1 ? 'paused' : 'open';
    if (random() > 0.1) quotes.set(tokenId, quote({ ...some, marketStatus, asOf: now - 15_000 * random() }));
    if (random() > 0.5)
      positions.set(
        tokenId,
        held((1 + Math.floor(random() * 9)).toString(), { openedAt: T0, free: random() < 0.2 ? '0' : '1' }),
      );
    if (random() > 0.2)
      books.set(tokenId, {
        bids: [{ price: bid, size: 10 * random() }],
        asks: [{ price: bid + 1, size: 20 }],
        asOf: now - 20_000 * random(),
      });
  }
  const money = () => (random() < 0.2 ? null : 1_000 * random());
  return world({
    candles,
    quotes,
    books,
    positions,
    orders: new Map(
      actions.flatMap((id): [string, NodeOrders][] => {
        const kind = random();
        if (kind < 0.6) return [];
        const status = random() < 0.3 ? 'denied' : 'filled';
        return [
          [
            id,
            kind < 0.7
              ? live(`o${now}`)
              : ended(`o${now}`, {
                  status,
                  endedAt: now - 50_000 * random(),
                  filledAmount: status === 'denied' ? '0' : '1',
                }),
          ],
        ];
      }),
    ),
    instruments: new Map(
      INSTRUMENTS.filter(() => random() > 0.05).map((tokenId) => [
        tokenId,
        facts(tokenId, {
          opensAt: random() < 0.3 ? now + 600_000 * random() - 300_000 : null,
          closesAt: now + 600_000,
          hasEnded: random() < 0.2,
        }),
      ]),
    ),
    account:
      random() < 0.1
        ? null
        : {
            equity: money(),
            freeCash: money(),
            orderHeadroom: money(),
            dayPnl: (now % 100) - 50,
            exposures: { BTCUSDT: now % 70 },
            asOf: now,
          },
    signals: new Map(
      ['one', 'two'].flatMap((name): [string, SignalArrival][] => {
        const at = now - 90_000 * random();
        return random() < 0.3 ? [] : [[name, { value: Math.round(random()), at, id: String(at) }]];
      }),
    ),
    isHalted: random() < 0.1,
    observedSince: 0,
  });
}

function candlesOf(random: () => number): Map<string, ClosedCandles> {
  const all = new Map<string, ClosedCandles>();
  for (const name of SYMBOLS) {
    for (const [length, ms] of Object.entries(INTERVALS)) {
      let close = 100;
      const candles: Candle[] = [];
      for (let openTimeMs = T0; openTimeMs < T0 + 6 * 3_600_000; openTimeMs += ms) {
        const open = close;
        close += 4 * random() - 2;
        // A venue out of order leaves holes.
        if (random() < 0.02) continue;
        candles.push({
          openTimeMs,
          closeTimeMs: openTimeMs + ms - 1,
          open,
          high: Math.max(open, close) + 1,
          low: Math.min(open, close) - 1,
          close,
          volume: random(),
        });
      }
      all.set(`${name}@${length}`, ClosedCandles.of(candles));
    }
  }
  return all;
}
