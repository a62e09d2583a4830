/** Steps that are passed because nothing happens in them: nothing of a result may show that. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runStateAt } from '../../../../engine/research/playback/run-state.ts';
import { PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import {
  buyAtMarket,
  CLOSE,
  contract,
  FREE_COIN,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, barsFrom, coinHistory, flat, historyOf } from '../../../support/bars.ts';
import { RANDOM_SPAN_MS, randomInput } from '../../../support/random-input.ts';
import { graphWith } from '../../strategy/graph/arbitraries.ts';
import type { Visual } from '../../strategy/graph/graph-fixtures.ts';

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

test('a run over random graphs is the same, byte for byte, if none of its steps is passed', () => {
  const { idle } = PlanEvaluator.prototype;
  const drawn = fc.constantFrom('order', 'close', 'notify').chain((type) => graphWith(type, true));
  let passed = 0;
  const played = (visual: Visual, seed: number, isPassing: boolean): string => {
    PlanEvaluator.prototype.idle = function (this: PlanEvaluator, ...step) {
      const after = isPassing ? idle.apply(this, step) : null;
      if (after !== null) passed++;
      return after;
    };
    const input = randomInput(visual, seed);
    return JSON.stringify([run(input), runStateAt(input, iso(T + RANDOM_SPAN_MS / 2), () => false)]);
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
