import { execFileSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordedQuote } from '../../../../engine/history/quote-columns.ts';
import type { History } from '../../../../engine/history/series.ts';
import { exact } from '../../../../engine/platform/decimal.ts';
import { rowsAs } from '../../../../engine/research/playback/bars/choose-prices.ts';
import { CandleFeed } from '../../../../engine/research/playback/candle-feed.ts';
import type { BacktestInput } from '../../../../engine/research/playback/input.ts';
import { IntentCounter } from '../../../../engine/research/playback/intent-counter.ts';
import { intrabarTriggersOf } from '../../../../engine/research/playback/intrabar-triggers.ts';
import { Recorder } from '../../../../engine/research/playback/record/recorder.ts';
import { PLAIN_PASS } from '../../../../engine/research/playback/run-backtest.ts';
import { runPass } from '../../../../engine/research/playback/run-pass.ts';
import { candlesFrom } from '../../../../engine/research/playback/shared-series.ts';
import { SimulatedDeployment } from '../../../../engine/research/playback/simulated-deployment.ts';
import { SimulatedMarkets } from '../../../../engine/research/playback/trader/simulated-markets.ts';
import {
  checkLookAhead,
  lookAheadCutsOf,
  type RepeatPass,
} from '../../../../engine/research/playback/verdicts/look-ahead-check.ts';
import { truncateInputAt } from '../../../../engine/research/playback/verdicts/truncate-input.ts';
import { ClosedCandles, isLookAhead } from '../../../../engine/strategy/graph/candles.ts';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import type { Computation } from '../../../../engine/strategy/graph/run/run.ts';
import {
  buyAtMarket,
  CLOSE,
  coin,
  crossingGraph,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, cut, historyOf, recordedBars } from '../../../support/bars.ts';
import { quoteOf } from '../../../support/contracts.ts';

const ROWS = 150;
const WARM = 60;

/** Strategies on closes, on exits inside bars, on current prices, and with resting orders. */
const graphs = fc.record({
  fast: fc.integer({ min: 2, max: 8 }),
  more: fc.integer({ min: 1, max: 20 }),
  stopLoss: fc.option(fc.constantFrom(0.002, 0.005), { nil: undefined }),
  trailing: fc.option(fc.constantFrom(0.003, 0.01), { nil: undefined }),
  offset: fc.option(fc.constantFrom(-20, -5, 0), { nil: null }),
  isOfMoment: fc.boolean(),
});

function drawn(graph: typeof graphs extends fc.Arbitrary<infer Value> ? Value : never) {
  const { fast, more, stopLoss, trailing, offset, isOfMoment } = graph;
  const base = crossingGraph(fast, fast + more, 0.05);
  const extra: Parameters<typeof graphFrom>[0][number][] = [];
  if (stopLoss !== undefined || trailing !== undefined)
    extra.push([
      'exit',
      'exit',
      { instrument: 'BTCUSDT', ...(stopLoss && { stopLoss }), ...(trailing && { trailing }) },
    ]);
  if (offset !== null)
    extra.push([
      'rest',
      'order',
      {
        instrument: 'BTCUSDT',
        side: 'buy',
        type: 'limit',
        priceOffset: offset,
        timeInForce: 'gtc',
        expireAfterSec: 1_800,
      },
      { when: 'above', amount: 'amount', price: 'close' },
    ]);
  if (isOfMoment)
    extra.push(
      ['now', 'crypto.price', { symbol: 'BTCUSDT' }],
      ['under', 'compare', { op: 'lt' }, { a: 'now', b: 'fast' }],
      [
        'dip',
        'order',
        { instrument: 'BTCUSDT', side: 'buy', type: 'market' },
        { when: 'under', amount: 'amount' },
      ],
    );
  const added = graphFrom(extra);
  return { nodes: [...base.nodes, ...added.nodes], edges: [...base.edges, ...added.edges] };
}

function inputAt(start: number, visual: unknown): BacktestInput {
  const rows = cut(recordedBars(), start, start + ROWS);
  const { openTimeMs, closeTimeMs } = rows.columns;
  return inputOf(
    requestOf({ from: iso(openTimeMs[WARM] as number), to: iso((closeTimeMs[ROWS - 1] as number) + 1) }),
    { visual, facts: [factFromStart(coin())], histories: [historyOf('BTCUSDT', BAR_MS, rows)] },
  );
}

const cases = fc.tuple(graphs, fc.nat(100_000), fc.integer({ min: WARM + 5, max: ROWS - 5 }));
const closeOf = ({ histories }: BacktestInput, row: number): number =>
  (histories[0]?.rows.columns.closeTimeMs[row] as number) + 1;

test('row 14: a run that is cut off at any instant did the same before it as the whole run', {
  tags: ['long'],
}, () => {
  fc.assert(
    fc.property(cases, ([graph, start, row]) => {
      const input = inputAt(start, drawn(graph));
      const at = closeOf(input, row);
      const whole = runPass(input, { ...PLAIN_PASS, marks: [at] });
      const part = runPass(truncateInputAt(input, at), { ...PLAIN_PASS, marks: [at] });
      expect(part.noted.get(at)).toBe(whole.noted.get(at));
      expect(whole.noted.get(at)?.length).toBeGreaterThan(100);
    }),
    { numRuns: 50, seed: 14 },
  );
});

/** Quotes every half a minute along the bars, on the way from the open of each to its close. */
function quotesAlong({ histories: [history] }: BacktestInput): RecordedQuote[] {
  const { openTimeMs, open, close } = rowsAs(history as History, 'candle').columns;
  return Array.from(openTimeMs).flatMap((openMs, row) =>
    Array.from({ length: 10 }, (_, part) => {
      const [from, to] = [open[row] as number, close[row] as number];
      const last = Math.round(100 * (from + ((to - from) * part) / 10)) / 100;
      return quoteOf({
        atMs: openMs + 30_000 * part,
        bid: last - 1,
        ask: last + 1,
        bidSize: 5,
        askSize: 5,
        last,
      });
    }),
  );
}

test('row 14: so has a run over recorded quotes, cut off at any millisecond', { tags: ['long'] }, () => {
  const instants = fc.integer({ min: (WARM + 5) * BAR_MS, max: (ROWS - 5) * BAR_MS });
  fc.assert(
    fc.property(graphs, fc.nat(100_000), instants, (graph, start, offsetMs) => {
      const bars = inputAt(start, drawn(graph));
      const input = { ...bars, recorded: [{ tokenId: 'BTCUSDT', quotes: quotesAlong(bars) }] };
      const at = (bars.histories[0]?.rows.columns.openTimeMs[0] as number) + offsetMs;
      const whole = runPass(input, { ...PLAIN_PASS, marks: [at] });
      expect(whole.pace).toBe('quotes');
      expect(runPass(truncateInputAt(input, at), { ...PLAIN_PASS, marks: [at] }).noted.get(at)).toBe(
        whole.noted.get(at),
      );
    }),
    { numRuns: 50, seed: 141 },
  );
});

test('row 15: poisoned values after an instant change nothing before it', { tags: ['long'] }, () => {
  const poisons = fc.constantFrom(
    () => Number.NaN,
    (value: number) => value * 1_000,
    (value: number) => -value,
  );
  fc.assert(
    fc.property(cases, poisons, ([graph, start, row], poison) => {
      const input = inputAt(start, drawn(graph));
      const at = closeOf(input, row);
      // A run that reaches NaN ends, so this one stops before: the values only exist to be read too early.
      const until = { ...input, request: { ...input.request, to: iso(at) } };
      const played = Number.isNaN(poison(1)) ? until : input;
      const clean = runPass(input, { ...PLAIN_PASS, marks: [at] }).noted.get(at);
      for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) {
        const column = input.histories[0]?.rows.columns[name];
        for (let later = row + 1; later < ROWS; later++)
          column?.fill(poison(column[later] as number), later, later + 1);
      }
      expect(runPass(played, { ...PLAIN_PASS, marks: [at] }).noted.get(at)).toBe(clean);
    }),
    { numRuns: 50, seed: 15 },
  );
});

test('row 16: a candle that has not closed has no address: reading it throws, with a message that ends the run', () => {
  const { columns } = recordedBars();
  const view = ClosedCandles.over(columns).slice(0, 100);
  expect(view.count).toBe(100);
  for (const place of [100, 101, 50_000]) {
    expect(() => view.at(place)).toThrow(RangeError);
    expect(() => view.valueAt(place, 'close')).toThrow(RangeError);
    expect(() => view.window('close', 90, place + 1)).toThrow(RangeError);
  }
  try {
    view.closedAt(100);
  } catch (error) {
    expect(isLookAhead(String(error))).toBe(true);
  }
});

test('row 16: a node that reads the candle that has not closed ends the run, and is named', () => {
  const input = inputAt(2_000, crossingGraph(2, 5, 0.05));
  const { plan } = compile(input.visual, new Map());
  if (plan === null) throw new Error('The drawing does not compile.');
  const [rows] = input.histories.map((history) => rowsAs(history, 'candle'));
  const [need] = plan.needs.candles;
  if (rows === undefined || need === undefined) throw new Error('The drawing reads no candle.');
  const slot = plan.nodeIds.indexOf('fast');
  const peeks = (each: Computation): Computation =>
    each.slot === slot
      ? {
          ...each,
          compute: ({ cursors }) => cursors.candles[0]?.valueAt(cursors.candles[0].count, 'close') ?? 0,
        }
      : each;
  const fromMs = Date.parse(input.request.from);
  const opening = {
    fromMs,
    toMs: Date.parse(input.request.to),
    start: '10000',
    riskFree: 0,
    isChecked: false,
    visuals: [],
  };
  const listing = { tokenId: 'BTCUSDT', facts: input.facts, prices: null, minutes: null, barMs: 1 };
  const session = new SimulatedDeployment({
    input,
    visual: input.visual,
    plan: { ...plan, computations: plan.computations.map(peeks) },
    market: new SimulatedMarkets([listing], [new CandleFeed(need, candlesFrom(rows, 0))], []),
    watch: intrabarTriggersOf(input.visual),
    pace: 'candles',
    recorder: new Recorder(opening, () => {}),
    tally: new IntentCounter(),
    accountIndex: 0,
    fromMs,
    start: exact(input.request.cash),
  });
  const ended = (): void => {
    session.begin(fromMs);
    for (;;) session.process(session.nextMs());
  };
  expect(ended).toThrow(
    expect.objectContaining({ code: 'look_ahead', message: expect.stringContaining('fast') }),
  );
});

const HASH_OF = path.join(import.meta.dirname, '../../../support/backtest-child.ts');

test('row 21: the same request gives the same bytes: twice, in another process, time zone and locale, with nodes shuffled', () => {
  const visual = drawn({
    fast: 3,
    more: 5,
    stopLoss: 0.005,
    trailing: undefined,
    offset: null,
    isOfMoment: false,
  });
  const input = inputAt(1_000, visual);
  const first = run(input).summary.resultHash;
  expect(run(input).summary.resultHash).toBe(first);
  const shuffled = { nodes: visual.nodes.toReversed(), edges: visual.edges.toReversed() };
  expect(run({ ...input, visual: shuffled }).summary.resultHash).toBe(first);
  const elsewhere = execFileSync(process.execPath, [HASH_OF, JSON.stringify(visual)], {
    env: { ...process.env, TZ: 'Asia/Kolkata', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
    encoding: 'utf8',
  });
  expect(elsewhere.trim()).toBe(run(inputAt(1_000, visual)).summary.resultHash);
  expect(run({ ...input, request: { ...input.request, cash: '9999' } }).summary.resultHash).not.toBe(first);
});

test('a run checks itself: it is cut off at three instants and started with twice the candles', () => {
  const visual = drawn({ fast: 5, more: 10, stopLoss: 0.005, trailing: 0.01, offset: -5, isOfMoment: true });
  const input = inputAt(5_000, visual);
  const phases = new Set<string>();
  const plain = run(input).summary;
  const checked = run(
    { ...input, request: { ...input.request, checks: true } },
    { progress: ({ phase }) => phases.add(phase) },
  );
  expect({ ...checked.summary, resultHash: '' }).toEqual({ ...plain, resultHash: '' });
});

test('a result that depends on its deploy time is reported as such', () => {
  const buysAboveMean = (amount: number) =>
    graphFrom([
      CLOSE,
      ['mean', 'indicator', { kind: 'sma', period: 40 }, { in: 'close' }],
      ['above', 'compare', { op: 'gt' }, { a: 'close', b: 'mean' }],
      ['amount', 'constant', { value: amount }],
      buyAtMarket({ when: 'above', amount: 'amount' }),
    ]);
  const input = inputAt(9_000, buysAboveMean(0.05));
  const late = { ...input, request: { ...input.request, checks: true } };
  expect(run(late).summary.verdicts.map(({ code }) => code)).not.toContain('warm_up_sensitive');
  const marks = lookAheadCutsOf(late);
  const main = runPass(late, { ...PLAIN_PASS, marks });
  const codes = (replay: RepeatPass) => checkLookAhead(late, main, replay).map(({ code }) => code);
  expect(codes((part, pass) => runPass(part, { ...PLAIN_PASS, ...pass }))).toEqual([]);
  // A graph whose values reach further back than it declares behaves otherwise with more history.
  const other = buysAboveMean(0.06);
  const reaching: RepeatPass = (part, pass) =>
    runPass(pass.warmUpTimes === 2 ? { ...part, visual: other } : part, { ...PLAIN_PASS, ...pass });
  expect(codes(reaching)).toEqual(['warm_up_sensitive']);
  const foreseeing: RepeatPass = (part, pass) =>
    runPass({ ...part, visual: other }, { ...PLAIN_PASS, ...pass });
  expect(() => codes(foreseeing)).toThrow(expect.objectContaining({ code: 'look_ahead' }));
});
