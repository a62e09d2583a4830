import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountFacts, GraphQuote, World } from '../../../../engine/strategy/graph/types.ts';
import {
  conditionInput,
  draw,
  held,
  marketOf,
  numberInput,
  Player,
  quote,
  signals,
  T0,
} from './graph-fixtures.ts';

describe('guard', () => {
  const { nodes, edges } = conditionInput('a');
  const guard = (config: Record<string, unknown>) =>
    new Player(
      draw({ ...nodes, node: ['guard', { instrument: 'KXBTC:yes', ...config }] }, [...edges, 'a -> node']),
    );
  const market = (over: Partial<GraphQuote> = {}): World['quotes'] =>
    new Map([['KXBTC:yes', quote({ bid: 0.4, ask: 0.42, asOf: T0, ...over })]]);
  const see = (config: Record<string, unknown>, a: boolean | null, over: Partial<World> = {}, now = T0) =>
    guard(config).state('node', now, signals({ a }, now, { quotes: market(), ...over }));

  test('lets the condition through while the market is fit', () => {
    expect(see({ maxSpread: 0.02 }, true)).toMatchObject({ status: 'ok', value: true });
    expect(see({ maxSpread: 0.02 }, false)).toMatchObject({ status: 'ok', value: false });
  });

  const thin = { bids: [{ price: 0.4, size: 5 }], asks: [{ price: 0.42, size: 50 }], asOf: T0 };
  test.each([
    ['spread_too_wide', { maxSpread: 0.01 }, {}],
    ['no_quote', { maxSpread: 0.5 }, { quotes: market({ ask: null }) }],
    ['market_closed', {}, { quotes: market({ marketStatus: 'closed' }) }],
    ['no_data', {}, { quotes: new Map() }],
    ['stale', { maxAgeSec: 5 }, { quotes: market({ asOf: T0 - 6_000 }) }],
    ['no_data', { minDepth: 10 }, {}],
    ['depth_too_thin', { minDepth: 10 }, { books: new Map([['KXBTC:yes', thin]]) }],
    ['position_too_large', { maxPosition: 5 }, { positions: new Map([['KXBTC:yes', held('5')]]) }],
    ['position_too_large', { maxPosition: 5 }, { buying: new Map([['KXBTC:yes', '5']]) }],
    [
      'position_too_large',
      { maxPosition: 5 },
      { positions: new Map([['KXBTC:yes', held('2')]]), buying: new Map([['KXBTC:yes', '3']]) },
    ],
  ] as const)('blocks with %s', (code, config, over) => {
    expect(see(config, true, over)).toMatchObject({ status: 'blocked', value: null, reason: { code } });
    expect(see(config, false, over)).toMatchObject({ status: 'ok', value: false });
  });

  test('an unknown condition is blocked', () => {
    expect(see({}, null)).toMatchObject({ status: 'blocked', value: null, reason: { code: 'no_data' } });
  });

  test('passes values at the limits', () => {
    const deep = { bids: [{ price: 0.4, size: 10 }], asks: [{ price: 0.42, size: 10 }], asOf: T0 };
    expect(see({ minDepth: 10 }, true, { books: new Map([['KXBTC:yes', deep]]) }).value).toBe(true);
    expect(see({ maxPosition: 5 }, true, { positions: new Map([['KXBTC:yes', held('4.999')]]) }).value).toBe(
      true,
    );
  });

  test('buys of another instrument, and rounding in the sum, do not count', () => {
    const other = { buying: new Map([['KXBTC:no', '50']]) };
    expect(see({ maxPosition: 5 }, true, other).value).toBe(true);
    const tenths = {
      positions: new Map([['KXBTC:yes', held('0.1')]]),
      buying: new Map([['KXBTC:yes', '0.2']]),
    };
    expect(see({ maxPosition: 0.3 }, true, tenths).value).toBe(null);
  });

  test('a block is no edge: a signal that has passed once does not pass again when the market calms down', () => {
    const visual = draw(
      {
        ...nodes,
        guard: ['guard', { instrument: 'BTCUSDT', maxSpread: 2 }],
        amount: ['constant', { value: 1 }],
        buy: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }],
      },
      [...edges, 'a -> guard', 'guard -> buy.when', 'amount -> buy.amount'],
    );
    const raised = (spreads: number[]) => {
      const player = new Player(visual);
      return spreads.map((spread, i) => {
        const now = T0 + 2_000 * i;
        const seen = marketOf('BTCUSDT', now, { bid: 100, ask: 100 + spread });
        return player.at(now, signals({ a: true }, now, seen)).intents.length;
      });
    };
    expect(raised([5, 5, 1, 5, 1, 1])).toEqual([0, 0, 1, 0, 0, 0]);
  });
});

describe('a guard that caps the position', () => {
  const { nodes, edges } = conditionInput('a');
  /** Buys of these amounts in one step, all behind one guard or each behind its own. */
  const buys = (amounts: readonly number[], guards: 'one' | 'each', maxPosition: number) =>
    draw(
      Object.assign(
        { ...nodes },
        ...amounts.map((value, i) => ({
          [`guard${i}`]: ['guard', { instrument: 'BTCUSDT', maxPosition }],
          [`amount${i}`]: ['constant', { value }],
          [`buy${i}`]: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc' }],
        })),
      ),
      [
        ...edges,
        ...amounts.flatMap((_, i) => [
          `a -> guard${i}`,
          `guard${guards === 'one' ? 0 : i} -> buy${i}.when`,
          `amount${i} -> buy${i}.amount`,
        ]),
      ],
    );
  const seen = (now: number, more: Partial<World> = {}) =>
    signals({ a: true }, now, marketOf('BTCUSDT', now, { bid: 100, ask: 101 }, more));
  const amountsOf = (player: Player, now: number, more: Partial<World> = {}) =>
    player.at(now, seen(now, more)).intents.map(({ amount }) => amount);

  test.each(['one', 'each'] as const)('is not passed by two buys in one step, behind %s', (guards) => {
    const player = new Player(buys([1, 1], guards, 1));
    expect(amountsOf(player, T0)).toEqual(['1']);
    const buying = new Map([['BTCUSDT', '1']]);
    expect(amountsOf(player, T0 + 2_000, { buying })).toEqual([]);
    expect(amountsOf(player, T0 + 4_000, { positions: new Map([['BTCUSDT', held('1')]]) })).toEqual([]);
    // A buy that the guard held up is not lost: the first buy was canceled.
    expect(amountsOf(player, T0 + 6_000)).toEqual(['1']);
  });

  test('lets both through where there is room for both', () => {
    expect(amountsOf(new Player(buys([1, 1], 'each', 1.5)), T0)).toEqual(['1', '1']);
  });

  test('does not hold up a buy that is not behind it', () => {
    const free = buys([1, 1], 'each', 1);
    free.edges = free.edges.map((edge) =>
      edge.source === 'guard1' && edge.target === 'buy1' ? { ...edge, source: 'a' } : edge,
    );
    expect(amountsOf(new Player(free), T0)).toEqual(['1', '1']);
  });

  test('whatever is held, resting and raised at once: the last buy starts below the cap', () => {
    const units = fc.integer({ min: 1, max: 400 }).map((hundredths) => hundredths / 100);
    fc.assert(
      fc.property(
        fc.array(units, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('one' as const, 'each' as const),
        units,
        units,
        units,
        (amounts, guards, cap, has, rests) => {
          const more = {
            positions: new Map([['BTCUSDT', held(String(has))]]),
            buying: new Map([['BTCUSDT', String(rests)]]),
          };
          const raised = amountsOf(new Player(buys(amounts, guards, cap)), T0, more).map(Number);
          const before = raised.slice(0, -1).reduce((sum, amount) => sum + amount, has + rests);
          if (raised.length > 0) expect(before).toBeLessThan(cap);
          else expect(has + rests).toBeGreaterThan(cap - 1e-9);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('size', () => {
  const account: AccountFacts = {
    equity: 1_000,
    freeCash: 300,
    orderHeadroom: 100,
    dayPnl: -5,
    exposures: { BTCUSDT: 40 },
    asOf: T0,
  };
  function see(
    config: Record<string, unknown>,
    ports: Record<string, number | null>,
    over: Partial<World> = { account },
  ) {
    const names = Object.keys(ports);
    const nodes = Object.assign({}, ...names.map(numberInput), { node: ['size', config] });
    const player = new Player(
      draw(
        nodes,
        names.map((name) => `${name} -> node.${name}`),
      ),
    );
    return player.state('node', T0, signals(ports, T0, over));
  }

  test.each([
    ['a fixed amount', { mode: 'amount', amount: 3 }, {}, 3],
    ['a fixed sum', { mode: 'notional', notional: 50 }, { price: 0.5 }, 100],
    ['a fraction of equity', { mode: 'equity', fraction: 0.1 }, { price: 4 }, 25],
    [
      'a fraction of Kelly',
      { mode: 'kelly', fraction: 0.5 },
      { price: 0.5, fair: 0.6 },
      (0.2 * 0.5 * 1_000) / 0.5,
    ],
    [
      'a fraction of Kelly, of which the fee is a part',
      { mode: 'kelly', fraction: 0.5, feeRate: 0.25, feeExponent: 2 },
      { price: 0.5, fair: 0.6 },
      (((0.6 - 0.515625) / (1 - 0.515625)) * 0.5 * 1_000) / 0.515625,
    ],
    [
      'nothing where the fee takes the edge',
      { mode: 'kelly', fraction: 1, feeRate: 0.07 },
      { price: 0.5, fair: 0.51 },
      0,
    ],
    ['nothing without an edge', { mode: 'kelly', fraction: 1 }, { price: 0.5, fair: 0.4 }, 0],
    ['a capped amount', { mode: 'amount', amount: 300, capByHeadroom: true }, { price: 1 }, 100],
    ['a capped sum', { mode: 'notional', notional: 500, capByHeadroom: true }, { price: 2 }, 50],
  ])('%s', (_, config, ports, value) => {
    expect(see(config, ports as Record<string, number>).value).toBeCloseTo(value, 9);
  });

  test('without account data, a price above 0 or a probability it is unknown', () => {
    expect(see({ mode: 'equity', fraction: 0.1 }, { price: 4 }, {}).reason?.code).toBe('no_account_data');
    expect(see({ mode: 'notional', notional: 5 }, { price: 0 }).reason?.code).toBe('out_of_range');
    expect(see({ mode: 'notional', notional: 5 }, { price: null }).value).toBe(null);
    expect(see({ mode: 'kelly', fraction: 1 }, { price: 1, fair: 0.5 }).reason?.code).toBe('out_of_range');
    const noHeadroom = { account: { ...account, orderHeadroom: null } };
    expect(see({ mode: 'notional', notional: 5, capByHeadroom: true }, { price: 1 }, noHeadroom).value).toBe(
      null,
    );
  });

  test('a capped size never costs more than free cash and headroom allow, and is never negative', () => {
    const money = fc.integer({ min: -10_000, max: 100_000_000 }).map((cents) => cents / 100);
    fc.assert(
      fc.property(
        money,
        money,
        fc.double({ min: 0.01, max: 1e5, noNaN: true }),
        (freeCash, orderHeadroom, price) => {
          const seen = { account: { ...account, equity: 1e6, freeCash, orderHeadroom } };
          const { value } = see({ mode: 'equity', fraction: 1, capByHeadroom: true }, { price }, seen);
          const cost = Number(value) * price;
          expect(cost).toBeGreaterThanOrEqual(0);
          expect(cost).toBeLessThanOrEqual(Math.max(0, Math.min(freeCash, orderHeadroom)) * (1 + 1e-12));
        },
      ),
      { numRuns: 60 },
    );
  });
});
