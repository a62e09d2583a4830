/** Steps that are passed because nothing happens in them: nothing of a result may show that. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runStateAt } from '../../../../engine/research/playback/run-state.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import {
  buyAtMarket,
  CLOSE,
  coin,
  contract,
  FREE_COIN,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, type Bars, barsFrom, coinHistory, flat, having, historyOf } from '../../../support/bars.ts';
import { graphWith, INSTRUMENTS, randomOf } from '../../strategy/graph/arbitraries.ts';
import { draw, type Visual } from '../../strategy/graph/graph-fixtures.ts';

const T = Date.UTC(2026, 0, 5);
const YES = 'KXBTC:yes';

/** Buys ten once a candle of BTCUSDT closes above 100. */
const buyAbove = (instrument: string) =>
  graphFrom([
    CLOSE,
    ['level', 'constant', { value: 100 }],
    ['above', 'compare', { op: 'gt' }, { a: 'close', b: 'level' }],
    ['amount', 'constant', { value: 10 }],
    buyAtMarket({ when: 'above', amount: 'amount' }, { instrument }),
  ]);
const spanOf = (bars: number) => ({ from: iso(T), to: iso(T + bars * BAR_MS) });
const closing = (closes: readonly number[]) => closes.map((close) => flat(close));

test('the state at an instant is that of the last step before it, not of a candle that closes then', () => {
  const input = inputOf(requestOf(spanOf(6)), {
    visual: buyAbove('BTCUSDT'),
    facts: [factFromStart(FREE_COIN)],
    histories: [coinHistory(T, BAR_MS, closing([99, 98, 97, 96, 101, 101]))],
  });
  const stateAt = (ms: number) => runStateAt(input, iso(ms), () => false).nodes;
  for (const bar of [1, 2, 3, 4, 5]) {
    const closesMs = T + bar * BAR_MS;
    expect(stateAt(closesMs)).toEqual(stateAt(closesMs - 1));
  }
  expect(stateAt(T + 4 * BAR_MS)).toMatchObject({ close: { value: 97, updatedAt: T + 3 * BAR_MS } });
});

test('a holding without a bid is valued at the last known one, also if that was of a step without events', () => {
  const { fills, summary } = run(
    inputOf(requestOf(spanOf(6), { fees: 'none', fills: { halfSpread: '0.01' } }), {
      visual: buyAbove(YES),
      facts: [factFromStart(FREE_COIN), factFromStart(contract(YES))],
      histories: [
        coinHistory(T, BAR_MS, closing([99, 99, 99, 101, 101, 101])),
        historyOf(YES, BAR_MS, barsFrom(T, BAR_MS, closing([0.5, 0.5, 0.05, 0.01, 0.01, 0.01]))),
      ],
    }),
  );
  expect(fills).toMatchObject([{ amount: '10', price: '0.02' }]);
  expect(summary.finalEquity).toBe('10000.2');
});

const MINUTE_MS = 60_000;
const SPAN_MS = 60 * MINUTE_MS;
const COINS = ['BTCUSDT', 'ETHUSDT'] as const;

/** Lets some readers of one series read one of the others, if it still compiles. */
function withSeries({ nodes, edges }: Visual, random: () => number): Visual {
  const more = draw({
    slow: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
    other: ['crypto.candle', { symbol: 'ETHUSDT', interval: '1m' }],
  });
  const mixed = edges.map((edge) =>
    edge.source === 'n0' && random() < 0.5 ? { ...edge, source: random() < 0.5 ? 'slow' : 'other' } : edge,
  );
  const visual = { nodes: [...nodes, ...more.nodes], edges: mixed };
  return compile(visual).plan === null ? { nodes, edges } : visual;
}

/** A random walk of bars, some of which are missing. */
function walk(random: () => number, ms: number, scale: number): Bars {
  let price = 100 * scale;
  const bars = Array.from({ length: SPAN_MS / ms }, () => {
    price = Math.max(scale / 100, price + (4 * random() - 2) * scale);
    return flat(price, { volume: 40 * random() });
  });
  const all = barsFrom(T, ms, bars);
  return having(
    all,
    [...bars.keys()].filter(() => random() > 0.05),
  );
}

test('a run over random graphs is the same, byte for byte, if none of its steps is passed', () => {
  const { idle } = PlanEvaluator.prototype;
  const drawn = fc.constantFrom('order', 'close', 'notify').chain((type) => graphWith(type, true));
  let passed = 0;
  const played = (visual: Visual, seed: number, isPassing: boolean): string => {
    const random = randomOf(seed);
    PlanEvaluator.prototype.idle = function (this: PlanEvaluator, ...step) {
      const after = isPassing ? idle.apply(this, step) : null;
      if (after !== null) passed++;
      return after;
    };
    const series = [
      ...COINS.map((symbol) => [symbol, MINUTE_MS, 1] as const),
      ['BTCUSDT', BAR_MS, 1] as const,
      ['KXBTC:yes', MINUTE_MS, 0.005] as const,
    ];
    const input = inputOf(
      requestOf({ from: iso(T), to: iso(T + SPAN_MS) }, { fills: { halfSpread: '0.1' } }),
      {
        visual: withSeries(visual, random),
        facts: INSTRUMENTS.map((id) => factFromStart(id === YES ? contract(id) : coin({ token_id: id }))),
        histories: series.map(([id, ms, scale]) => historyOf(id, ms, walk(random, ms, scale))),
      },
    );
    return JSON.stringify([run(input), runStateAt(input, iso(T + SPAN_MS / 2), () => false)]);
  };
  try {
    fc.assert(
      fc.property(drawn, fc.nat(), (visual, seed) => {
        expect(played(visual, seed, true)).toBe(played(visual, seed, false));
      }),
      { numRuns: 40, seed: 20_261_130 },
    );
  } finally {
    PlanEvaluator.prototype.idle = idle;
  }
  expect(passed).toBeGreaterThan(100);
});
