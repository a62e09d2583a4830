import { describe, expect, test } from 'vitest';
import type { BacktestProgress } from '../../../../engine/research/playback/input.ts';
import { type BacktestRequest, EVALUATIONS_MAX } from '../../../../engine/research/playback/request.ts';
import { refuseTooMany } from '../../../../engine/research/playback/run-backtest.ts';
import {
  buyAtMarket,
  CLOSE,
  coin,
  factFromStart,
  graphFrom,
  IDEAL_FILLS,
  inputOf,
  NO_FEE,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, type Bars, barsFrom, flat, having, historyOf } from '../../../support/bars.ts';

const T = Date.UTC(2026, 0, 5);
const at = (bar: number): string => new Date(T + bar * BAR_MS).toISOString();

/** Buys ten coins once a close is at 100, and holds them. */
const holder = graphFrom([
  CLOSE,
  ['level', 'constant', { value: 100 }],
  ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'level' }],
  ['amount', 'constant', { value: 10 }],
  buyAtMarket({ when: 'high', amount: 'amount' }, { ifTrueAtDeploy: 'wait' }),
]);

type Terms = Partial<Pick<BacktestRequest, 'fees' | 'cash' | 'checks'>> & {
  readonly progress?: (progress: BacktestProgress) => void;
};

function played(bars: Bars, [from, to]: readonly [number, number], { progress, ...terms }: Terms = {}) {
  const request = requestOf({ from: at(from), to: at(to) }, { fills: IDEAL_FILLS, ...terms });
  const input = inputOf(request, {
    visual: holder,
    facts: [factFromStart(coin({ fee_schedule: { ...NO_FEE, takerRate: '0.001', makerRate: '0.001' } }))],
    histories: [historyOf('BTCUSDT', BAR_MS, bars)],
  });
  return run(input, progress === undefined ? {} : { progress }).summary;
}

describe('bars', () => {
  test('are those of the span, missing ones lie between two of them, and none counts that is before or after', () => {
    const all = barsFrom(
      T,
      BAR_MS,
      Array.from({ length: 13 }, (_, bar) => flat(99, { volume: [0, 4, 11, 12].includes(bar) ? 0 : 5 })),
    );
    const { bars, gaps, verdicts } = played(having(all, [0, 1, 3, 4, 5, 8, 9, 10, 11, 12]), [3, 11]);
    expect({ bars, gaps }).toEqual({ bars: 6, gaps: 2 });
    expect(verdicts.find(({ code }) => code === 'zero_volume')).toMatchObject({ count: 1 });
  });
});

describe('the return of holding', () => {
  const closes = [50, 80, 90, 95, 99, 12];
  const bars = barsFrom(
    T,
    BAR_MS,
    closes.map((close) => flat(close)),
  );

  test('is from the first close inside the span to the last, the end of the span included', () => {
    expect(played(bars, [1, 5]).buyAndHold).toBeCloseTo(99 / 80 - 1, 12);
    expect(played(bars, [1, 4]).buyAndHold).toBeCloseTo(95 / 80 - 1, 12);
  });

  test('is unknown if no candle closes in the span', () => {
    expect(played(bars, [1, 1.5]).buyAndHold).toBeNull();
  });
});

describe('a holding at the end', () => {
  const bars = barsFrom(T, BAR_MS, [flat(99), flat(100), flat(100), flat(98), flat(98)]);

  test('is sold at the bid, less its fee if fees are requested', () => {
    const charged = played(bars, [0, 5]);
    expect(charged).toMatchObject({ finalCash: '8999', finalEquity: '9979', exitEquity: '9978.02' });
    const free = played(bars, [0, 5], { fees: 'none' });
    expect(free).toMatchObject({ finalCash: '9000', finalEquity: '9980', exitEquity: '9980' });
  });
});

describe('progress', () => {
  test('is the completed share of the span in the run, and of all its passes in the checks', () => {
    const reports: BacktestProgress[] = [];
    const bars = barsFrom(
      T,
      BAR_MS,
      Array.from({ length: 2_500 }, () => flat(99)),
    );
    played(bars, [0, 2_500], { checks: true, progress: (each) => void reports.push(each) });
    const running = reports.filter(({ phase }) => phase === 'running');
    expect(running.length).toBeGreaterThan(1);
    expect(new Set(reports.map(({ phase }) => phase))).toEqual(new Set(['running', 'checks']));
    for (const { share, simulatedAtMs } of running)
      expect(share).toBe((simulatedAtMs - T) / (2_500 * BAR_MS));
    const checked = reports.filter(({ phase }) => phase === 'checks').map(({ share }) => share);
    expect(checked).toEqual(checked.toSorted((a, b) => a - b));
    expect(checked.at(-1)).toBeLessThanOrEqual(1);
    expect(running.at(-1)?.evaluations).toBeGreaterThan(running[0]?.evaluations ?? Number.NaN);
  });

  test('ends when a run exceeds the evaluations allowed, and states that number', () => {
    expect(() => refuseTooMany(EVALUATIONS_MAX)).not.toThrow();
    expect(() => refuseTooMany(EVALUATIONS_MAX + 1)).toThrow(
      'takes more than 10,000,000 evaluations. Take a shorter range',
    );
  });
});

describe('the hash of a result', () => {
  const bars = barsFrom(
    T,
    BAR_MS,
    Array.from({ length: 6 }, () => flat(99)),
  );

  test('is the same for the same, and another where any reported value is another', () => {
    const { resultHash } = played(bars, [0, 6]);
    expect(resultHash).toMatch(/^[0-9a-f]{64}$/);
    expect(played(bars, [0, 6]).resultHash).toBe(resultHash);
    expect(played(bars, [0, 6], { cash: '10001' }).resultHash).not.toBe(resultHash);
  });

  test('is another by the summary alone: nothing was traded, for other fees', () => {
    const charged = played(bars, [0, 6]);
    const free = played(bars, [0, 6], { fees: 'none' });
    expect(free.finalEquity).toBe(charged.finalEquity);
    expect(free.resultHash).not.toBe(charged.resultHash);
  });
});
