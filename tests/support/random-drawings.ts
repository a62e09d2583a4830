/** Random graphs over all node types that trade at the simulated venues: every executor, baskets, calendars, lists and modules. */
import fc from 'fast-check';
import { compile } from '../../engine/strategy/graph/compile/compile.ts';
import { DRAWN_TYPES, graphWith, randomOf } from '../engine/strategy/graph/arbitraries.ts';
import { draw, type NodeConfig, type Visual } from '../engine/strategy/graph/graph-fixtures.ts';
import { type ModularGraph, withModule } from '../engine/strategy/graph/with-module.ts';

const CONTRACT = 'KXPRESPARTY-2028-R:yes';
/** Units of an order: some hundred USD of a coin, some contracts. */
const UNITS: Readonly<Record<string, number>> = { BTCUSDT: 0.01, ETHUSDT: 0.2, [CONTRACT]: 10 };
const TRADED = Object.keys(UNITS);

/** A part of a graph: nodes, and edges as `draw` reads them. */
type Part = { readonly nodes: Record<string, NodeConfig>; readonly edges: readonly string[] };
type Random = () => number;

/** Returns `count` graphs that compile: each has a node type and an executor of its turn, whose conditions depend on random nodes. */
export const randomDrawings = (count: number, seed: number): unknown[] =>
  Array.from({ length: count }, (_, index) => {
    const type = DRAWN_TYPES[index % DRAWN_TYPES.length] ?? '';
    const [visual] = fc.sample(graphWith(type), { numRuns: 1, seed: seed + index });
    if (visual === undefined) throw new Error(`There is no random graph with ${type}.`);
    return tradable(visual, index, randomOf(seed + index));
  });

/** Node types that none of these graphs has, not in a module either. */
export const typesMissingIn = (drawings: readonly unknown[]): string[] =>
  DRAWN_TYPES.filter((type) => !JSON.stringify(drawings).includes(`"type":"${type}"`));

function tradable(visual: Visual, index: number, random: Random): unknown {
  const named = JSON.parse(JSON.stringify(visual).replaceAll('KXBTC:yes', CONTRACT)) as Visual;
  const sized = withUnits(named);
  const conditions = sized.nodes
    .filter(({ type }) => type === 'compare' || type === 'logic')
    .map(({ id }) => id);
  const whole = joined(sized, pickAt(EXECUTORS, index)(random, conditions));
  const { modular } = withModule(whole, random, 1 + (index % 3));
  // Not every graph may run twice: an instrument has one node that buys it in a basket.
  const shapes = [modular, withList(whole), whole];
  const shaped = [...shapes.slice(index % 3), whole, sized].find(compiles);
  if (shaped === undefined) throw new Error(`No form of drawing ${index} compiles.`);
  return shaped;
}

const compiles = (visual: unknown): boolean => compile(visual).plan !== null;

const joined = (visual: Visual, { nodes, edges }: Part): Visual => {
  const more = draw(nodes, edges);
  return {
    nodes: [...visual.nodes, ...more.nodes],
    edges: [...visual.edges, ...more.edges.map((edge) => ({ ...edge, id: `x${edge.id}` }))],
  };
};

/** Gives each action an amount that its account can pay, and a limit near the market. */
function withUnits({ nodes, edges }: Visual): Visual {
  const more: Part['nodes'] = {};
  const instrumentOf = (id: string): string | undefined =>
    Object(nodes.find((node) => node.id === id)?.data.config).instrument;
  const changed = edges.map((edge) => {
    const tokenId = instrumentOf(edge.target);
    if (tokenId === undefined || (edge.targetHandle !== 'amount' && edge.targetHandle !== 'price'))
      return edge;
    const source = `${edge.targetHandle}-${TRADED.indexOf(tokenId)}`;
    more[source] =
      edge.targetHandle === 'amount'
        ? ['constant', { value: UNITS[tokenId] }]
        : ['market.price', { instrument: tokenId, field: 'mid' }];
    return { ...edge, source, sourceHandle: 'out' };
  });
  return { nodes: [...nodes, ...draw(more).nodes], edges: changed };
}

/** Lets all nodes of one coin run once for each of two. */
function withList(visual: Visual): ModularGraph {
  const text = JSON.stringify(visual).replaceAll(
    /"(instrument|symbol)":"BTCUSDT"/g,
    '"$1":{"parameter":"coins"}',
  );
  return { ...(JSON.parse(text) as Visual), parameters: { coins: { value: ['BTCUSDT', 'ETHUSDT'] } } };
}

type Executor = (random: Random, conditions: readonly string[]) => Part;

/** `when`: true for a while at each of its beats, unless it is stopped by a random condition. */
function beat(random: Random, conditions: readonly string[], seconds: number): Part {
  const condition = conditions[Math.floor(random() * conditions.length)];
  return {
    nodes: {
      beat: ['schedule', { mode: 'every', everySec: 60 + 10 * Math.floor(random() * seconds) }],
      spell: ['pulse', { seconds: 20 + 10 * Math.floor(random() * seconds) }],
      when: ['logic', { op: 'or' }],
    },
    edges: [
      'beat -> spell',
      'spell -> when',
      ...(condition === undefined || random() < 0.5 ? [] : [`${condition} -> when`]),
    ],
  };
}

/** Puts an order's amount and price beside it. `away`: what is added to the midpoint, as a part of it. */
const near = (name: string, tokenId: string, away: number): Part => ({
  nodes: {
    [`${name}At`]: ['math', { op: 'multiply' }],
    [`${name}Mid`]: ['market.price', { instrument: tokenId, field: 'mid' }],
    [`${name}Away`]: ['constant', { value: 1 + away }],
    [`${name}Units`]: ['constant', { value: UNITS[tokenId] }],
  },
  edges: [
    `${name}Mid -> ${name}At.in`,
    `${name}Away -> ${name}At.in`,
    `${name}At -> ${name}.price`,
    `${name}Units -> ${name}.amount`,
  ],
});

const together = (...parts: readonly Part[]): Part => ({
  nodes: Object.assign({}, ...parts.map(({ nodes }) => nodes)),
  edges: parts.flatMap(({ edges }) => edges),
});
const action = (name: string, type: string, config: object, edges: readonly string[] = []): Part => ({
  nodes: { [name]: [type, { ...config }] },
  edges,
});
const units = (name: string, tokenId: string): Part => ({
  nodes: { [`${name}Units`]: ['constant', { value: UNITS[tokenId] }] },
  edges: [`${name}Units -> ${name}.amount`],
});
const pickAt = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;
const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  pickAt(items, Math.floor(random() * items.length));

/** Buys at the market; a stop, a take, a trailing stop or a time limit sells. */
const bought: Executor = (random, conditions) => {
  const instrument = pick(random, TRADED);
  return together(
    beat(random, conditions, 60),
    action('buyX', 'order', { instrument, side: 'buy', type: 'market' }, ['when -> buyX.when']),
    units('buyX', instrument),
    action('outX', 'exit', {
      instrument,
      ...pick(random, [{ stopLoss: 0.0008, takeProfit: 0.0008 }, { trailing: 0.001 }, { maxHoldSec: 300 }]),
    }),
  );
};

/** Bids below the market for a while; targets and a stop share what it buys. */
const bracket: Executor = (random, conditions) => {
  const instrument = pick(random, TRADED);
  const profit = pick(random, [0.0005, 0.001, 0.01]);
  return together(
    beat(random, conditions, 90),
    action(
      'buyX',
      'order',
      { instrument, side: 'buy', type: 'limit', timeInForce: 'gtc', expireAfterSec: 120 },
      ['when -> buyX.when'],
    ),
    near('buyX', instrument, pick(random, [-0.0002, 0, 0.002])),
    action('near', 'target', { instrument, takeProfit: profit, part: 0.5 }),
    action('far', 'target', { instrument, takeProfit: 2 * profit, part: 0.5 }),
    action('stopX', 'exit', { instrument, stopLoss: pick(random, [0.0005, 0.005]), maxHoldSec: 1_800 }),
  );
};

/** Quotes both sides, again and again. */
const quotes: Executor = (random, conditions) => {
  const instrument = pick(random, TRADED);
  const repeat = { instrument, refreshMinSec: pick(random, [10, 60]), afterFill: 'repeat' };
  return together(
    beat(random, conditions, 120),
    action('bidX', 'quote', { ...repeat, side: 'buy', timeInForce: 'gtx' }, ['when -> bidX.when']),
    near('bidX', instrument, -0.0001),
    action('askX', 'quote', { ...repeat, side: 'sell' }, ['when -> askX.when']),
    near('askX', instrument, 0.0001),
    action('outX', 'exit', { instrument, maxHoldSec: 3_600 }),
  );
};

/** Alternatives: the first to fill cancels the other; a close sells part of what was bought. */
const alternatives: Executor = (random, conditions) => {
  const [one, other] = pick(random, [
    ['BTCUSDT', 'ETHUSDT'],
    ['ETHUSDT', CONTRACT],
  ] as const);
  const oneCancelsOther = 'entry';
  return together(
    beat(random, conditions, 120),
    action('oneX', 'quote', { instrument: one, side: 'buy', oneCancelsOther }, ['when -> oneX.when']),
    near('oneX', one, 0.0002),
    action('otherX', 'quote', { instrument: other, side: 'buy', oneCancelsOther }, ['when -> otherX.when']),
    near('otherX', other, -0.0002),
    action('not', 'logic', { op: 'not' }, ['spell -> not']),
    action('sellX', 'close', { instrument: one, fraction: 0.5 }, ['not -> sellX.when']),
    action('soldX', 'order.result', { field: 'averagePrice' }, ['oneX -> soldX.of']),
  );
};

/** A basket that enters two instruments, and one that leaves them. */
const basket: Executor = (random, conditions) => {
  const [one, other] = pick(random, [
    ['BTCUSDT', 'ETHUSDT'],
    ['ETHUSDT', CONTRACT],
  ] as const);
  const away = pick(random, [0.0002, 0.001]);
  const terms = {
    maxLoss: pick(random, [0.0002, 0.01]),
    fillWithinSec: pick(random, [20, 60]),
    undoWithinSec: 600,
  };
  const leg = (name: string, instrument: string, side: string, when: string): Part =>
    together(
      action(name, 'leg', { ...terms, basket: side, side, instrument }, [`${when} -> ${name}.when`]),
      near(name, instrument, side === 'buy' ? away : -away),
    );
  return together(
    beat(random, conditions, 120),
    action('not', 'logic', { op: 'not' }, ['spell -> not']),
    leg('inOne', one, 'buy', 'when'),
    leg('inOther', other, 'buy', 'when'),
    leg('offOne', one, 'sell', 'not'),
    leg('offOther', other, 'sell', 'not'),
  );
};

/** Buys once a signal has arrived or in the hours of a calendar, and reads what became of the order. */
const signaled: Executor = (random) => {
  const instrument = pick(random, ['BTCUSDT', 'ETHUSDT']);
  const calendar = pick(random, [undefined, 'nyseSession', 'nyseHoliday']);
  return together(
    action('came', 'signal', { name: 'one', kind: 'arrival', maxAgeSec: 60 }),
    action('hours', 'schedule', {
      mode: 'daily',
      from: '00:00',
      to: '23:59',
      ...(calendar && { calendar, zone: 'America/New_York' }),
    }),
    action('whenX', 'logic', { op: 'or' }, ['came -> whenX', 'hours -> whenX']),
    action('buyX', 'order', { instrument, side: 'buy', type: 'market' }, ['whenX -> buyX.when']),
    units('buyX', instrument),
    action('paid', 'order.result', { field: 'averagePrice' }, ['buyX -> paid.of']),
    action('nowX', 'crypto.price', { symbol: instrument, field: 'bid' }),
    action('won', 'compare', { op: 'gt' }, ['nowX -> won.a', 'paid -> won.b']),
    action('sellX', 'close', { instrument }, ['won -> sellX.when']),
  );
};

const EXECUTORS: readonly Executor[] = [bought, bracket, quotes, alternatives, basket, signaled];
