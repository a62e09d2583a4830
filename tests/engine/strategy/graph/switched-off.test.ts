import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intrabarTriggersOf } from '../../../../engine/research/playback/intrabar-triggers.ts';
import { chartIndicatorsOf } from '../../../../engine/strategy/graph/chart-indicators.ts';
import { compile, compileExits } from '../../../../engine/strategy/graph/compile/compile.ts';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Plan } from '../../../../engine/strategy/graph/run/run.ts';
import type { Evaluation, Memory } from '../../../../engine/strategy/graph/types.ts';
import { actionsOf, graph, moments, randomOf, tradedBy } from './arbitraries.ts';
import { draw, marketOf, onlyError, Player, planOf, stateOf, T0, type Visual } from './graph-fixtures.ts';

const BTC = 'BTCUSDT';

/** The graph with these of its nodes switched off. */
const without = (visual: Visual, ...ids: string[]): Visual => ({
  ...visual,
  nodes: visual.nodes.map((node) =>
    ids.includes(node.id) ? { ...node, data: { ...node.data, disabled: true } } : node,
  ),
});

/** The graph with neither these nodes nor those that depend on them. */
function deleted(visual: Visual, ids: readonly string[]): Visual {
  const gone = new Set(ids);
  for (const id of gone) for (const { source, target } of visual.edges) if (source === id) gone.add(target);
  return {
    nodes: visual.nodes.filter(({ id }) => !gone.has(id)),
    edges: visual.edges.filter(({ source, target }) => !gone.has(source) && !gone.has(target)),
  };
}

/** Buys once the price is above 50 and below 200. */
const buys = draw(
  {
    price: ['crypto.price', { symbol: BTC }],
    low: ['constant', { value: 50 }],
    high: ['constant', { value: 200 }],
    above: ['compare', { op: 'gt' }],
    below: ['compare', { op: 'lt' }],
    both: ['logic', { op: 'and' }],
    amount: ['size', { mode: 'amount', amount: 1 }],
    buy: ['order', { instrument: BTC, side: 'buy', type: 'market' }],
    stop: ['exit', { instrument: BTC, stopLoss: 0.1 }],
  },
  [
    'price -> above.a',
    'low -> above.b',
    'price -> below.a',
    'high -> below.b',
    'above -> both.in',
    'below -> both.in',
    'both -> buy.when',
    'amount -> buy.amount',
  ],
);

const now = (visual: unknown) => new Player(visual).at(T0, marketOf(BTC, T0));
const warned = (visual: unknown) =>
  compile(visual)
    .issues.filter(({ code }) => code === 'switched_off' || code === 'no_longer_sells')
    .map(({ nodeId, code, message }) => [nodeId, code, message]);

describe('a node that is switched off', () => {
  test('is silent, and so is all that depends on it, however little', () => {
    expect(now(buys).intents).toHaveLength(1);
    const off = now(without(buys, 'below'));
    expect(off.intents).toEqual([]);
    const silent = (id: string) => {
      const { status, value, reason } = stateOf(off, id);
      return [status, value, reason?.code, reason?.message];
    };
    expect(silent('below')).toEqual(['idle', null, 'switched_off', 'This step is switched off.']);
    for (const id of ['both', 'buy'])
      expect(silent(id)).toEqual([
        'idle',
        null,
        'switched_off',
        'It depends on “below”, which is switched off.',
      ]);
    expect(stateOf(off, 'above')).toMatchObject({ status: 'ok', value: true });
  });

  test.each(['or', 'not', 'atLeast'])(
    'passes nothing through: not by “%s” either, which could be certain without it',
    (op) => {
      const visual = draw(
        {
          price: ['crypto.price', { symbol: BTC }],
          low: ['constant', { value: 50 }],
          above: ['compare', { op: 'gt' }],
          other: ['compare', { op: op === 'not' ? 'lt' : 'gt' }],
          any: ['logic', op === 'atLeast' ? { op, k: 1 } : { op }],
          say: ['notify', { text: 'Now' }],
        },
        [
          'price -> above.a',
          'low -> above.b',
          'price -> other.a',
          'low -> other.b',
          ...(op === 'not' ? ['other -> any.a'] : ['above -> any.in', 'other -> any.in']),
          'any -> say.when',
        ],
      );
      expect(now(visual).notifications).toHaveLength(1);
      expect(now(without(visual, 'other')).notifications).toEqual([]);
    },
  );

  test('silences nodes that read it a step later, through a memory too', () => {
    const visual = draw(
      {
        beat: ['schedule', { mode: 'every', everySec: 10 }],
        latch: ['memory', { mode: 'latch' }],
        say: ['notify', { text: 'On' }],
      },
      ['beat -> latch.set', 'latch -> say.when'],
    );
    const off = planOf(without(visual, 'beat'));
    expect(off.settles).toEqual([]);
    expect(off.actions).toEqual([]);
  });

  test('requests no prices, candles or account, and trades nothing', () => {
    expect(planOf(buys).needs).toMatchObject({ quotes: [BTC], traded: [BTC], positions: [BTC] });
    expect(planOf(without(buys, 'price', 'stop')).needs).toEqual({
      quotes: [],
      books: [],
      candles: [],
      instruments: [],
      listings: [],
      positions: [],
      traded: [],
      account: false,
      signals: [],
    });
    expect(intrabarTriggersOf(buys)).toMatchObject({ hasMovingConditions: true, exits: [{ stopLoss: 0.1 }] });
    expect(intrabarTriggersOf(without(buys, 'price', 'stop'))).toEqual({
      hasMovingConditions: false,
      exits: [],
    });
  });

  test('has no line over the price', () => {
    const visual = draw(
      {
        close: ['crypto.candle', { symbol: BTC, interval: '5m' }],
        mean: ['indicator', { kind: 'sma', period: 3 }],
      },
      ['close -> mean'],
    );
    expect(chartIndicatorsOf(visual, BTC)).toHaveLength(1);
    for (const id of ['close', 'mean']) expect(chartIndicatorsOf(without(visual, id), BTC)).toEqual([]);
  });

  test('may be incomplete, and so may those that depend on it, until it is switched on', () => {
    const visual = draw(
      {
        price: ['crypto.price', { symbol: 'nonsense' }],
        buy: ['order', {}],
        free: ['constant', { value: 1 }],
      },
      ['price -> buy.when'],
    );
    expect(compile(visual).plan).toBeNull();
    expect(compile(without(visual, 'price')).plan?.nodeIds).toEqual(['price', 'buy', 'free']);
  });

  test('has no value that a text could quote', () => {
    const visual = draw(
      {
        price: ['crypto.price', { symbol: BTC }],
        low: ['constant', { value: 50 }],
        above: ['compare', { op: 'gt' }],
        other: ['constant', { value: 7 }],
        say: ['notify', { text: 'Other is {other}' }],
      },
      ['price -> above.a', 'low -> above.b', 'above -> say.when'],
    );
    expect(now(visual).notifications).toMatchObject([{ text: 'Other is 7' }]);
    expect(now(without(visual, 'other')).notifications).toMatchObject([{ text: 'Other is unknown' }]);
  });

  test('causes a warning with all that depends on it, and one of its own for a sale that no longer happens', () => {
    expect(warned(buys)).toEqual([]);
    expect(warned(without(buys, 'stop'))).toEqual([
      [
        'stop',
        'no_longer_sells',
        `“stop” is switched off: it does not sell ${BTC} any more, whatever happens to the price.`,
      ],
    ]);
    expect(warned(without(buys, 'high'))).toEqual([
      [
        'high',
        'switched_off',
        '“high” is switched off: it has no value and does nothing. Neither do 3 steps that depend on it: “below”, “both”, “buy”.',
      ],
    ]);
    const closing = draw(
      { beat: ['schedule', { mode: 'every', everySec: 10 }], shut: ['close', { instrument: BTC }] },
      ['beat -> shut.when'],
    );
    expect(warned(without(closing, 'beat'))).toEqual([
      [
        'beat',
        'switched_off',
        '“beat” is switched off: it has no value and does nothing. Neither does “shut”, which depends on it.',
      ],
      [
        'shut',
        'no_longer_sells',
        `“shut” depends on “beat”, which is switched off: it does not sell ${BTC} any more, whatever happens to the price.`,
      ],
    ]);
  });

  test('stays switched off in the exits that guard a blueprint in error', () => {
    expect(compileExits(buys).actions).toHaveLength(1);
    expect(compileExits(without(buys, 'stop')).actions).toEqual([]);
    expect(compileExits(without(buys, 'price')).actions).toHaveLength(1);
  });

  test.each([[1], [0], ['true'], [''], [{}], [[]]])('is marked by true only: %j is refused', (disabled) => {
    const visual = {
      nodes: [{ id: 'one', type: 'constant', data: { config: { value: 1 }, disabled } }],
      edges: [],
    };
    expect(onlyError(visual)).toMatchObject({
      code: 'not_a_switch',
      nodeId: 'one',
      path: '/nodes/0/data/disabled',
    });
  });

  test.each([false, null, undefined])(
    'is on with %j, as drawings are that never said anything',
    (disabled) => {
      const visual = {
        nodes: [{ id: 'one', type: 'constant', data: { config: { value: 1 }, disabled } }],
        edges: [],
      };
      expect(compile(visual).issues).toEqual([]);
      expect(now(visual).nodeStates['one']).toMatchObject({ status: 'ok', value: 1 });
    },
  );

  test('all of the largest drawing can be switched off, which is a warning for each and no error', () => {
    const many = draw(
      Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [
          `n${index}`,
          ['exit', { instrument: BTC, stopLoss: 0.1 }] as const,
        ]),
      ),
    );
    const { plan, issues } = compile(without(many, ...many.nodes.map(({ id }) => id)));
    expect(plan?.actions).toEqual([]);
    expect(issues.every(({ severity }) => severity === 'warning')).toBe(true);
  });
});

const RUNS = { numRuns: 150 };

type Scene = { visual: Visual; ids: string[]; seed: number };

/** A random graph, some of its nodes, and a random feed. */
function onScenes(look: (scene: Scene) => void): void {
  fc.assert(
    fc.property(graph, fc.nat(), (visual, seed) => {
      const random = randomOf(seed + 7);
      const ids = visual.nodes.map(({ id }) => id).filter(() => random() < 0.2);
      // A basket with one leg switched off is an error.
      if (compile(without(visual, ...ids)).plan !== null) look({ visual, seed, ids });
    }),
    RUNS,
  );
}

/** Plays one feed to two plans, each with a memory of its own. */
function sideBySide(
  { visual, seed }: Scene,
  [one, other]: readonly [Plan, Plan],
  look: (one: Evaluation, other: Evaluation) => void,
): void {
  const memories: [Memory | null, Memory | null] = [null, null];
  for (const { now: at, seen } of moments(seed, 12, actionsOf(visual))) {
    const first = evaluate(one, seen, memories[0], at);
    const second = evaluate(other, seen, memories[1], at);
    look(first, second);
    memories[0] = first.memory;
    memories[1] = second.memory;
  }
}

describe('random graphs with nodes switched off', () => {
  test('do exactly what they would with those and all that depends on them deleted', () => {
    onScenes((scene) => {
      const rest = deleted(scene.visual, scene.ids);
      // A text that mentions a deleted node does not compile; one that mentions a silent node says “unknown”.
      if (compile(rest).plan === null) return;
      sideBySide(scene, [planOf(without(scene.visual, ...scene.ids)), planOf(rest)], (off, less) => {
        expect(off.intents).toEqual(less.intents);
        expect(off.notifications).toEqual(less.notifications);
        expect(off.memory.nodes).toEqual(less.memory.nodes);
        for (const { id } of rest.nodes) expect(off.nodeStates[id]).toEqual(less.nodeStates[id]);
        expect(off.failures).toEqual([]);
      });
    });
  });

  test('raise no additional order, unless a silent node would have traded the same instrument', () => {
    onScenes((scene) => {
      const [all, off] = [planOf(scene.visual), planOf(without(scene.visual, ...scene.ids))];
      // Evaluation does not wait for candles that nothing reads: then the same steps come at other instants.
      if (JSON.stringify(all.clocks) !== JSON.stringify(off.clocks)) return;
      const left = new Set(deleted(scene.visual, scene.ids).nodes.map(({ id }) => id));
      const silent = { ...scene.visual, nodes: scene.visual.nodes.filter(({ id }) => !left.has(id)) };
      const shared = tradedBy(silent);
      sideBySide(scene, [all, off], (before, after) => {
        const raised = ({ intents }: Evaluation) =>
          intents.filter(({ nodeId, tokenId }) => left.has(nodeId) && !shared.has(tokenId));
        expect(raised(after)).toEqual(raised(before));
        expect(after.intents.filter(({ nodeId }) => !left.has(nodeId))).toEqual([]);
      });
    });
  });
});
