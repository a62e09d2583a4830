/** One run of a sweep. */

import { compile } from '../../strategy/graph/compile/compile.ts';
import type { BacktestInput } from '../playback/input.ts';
import type { EquityPartRow, TradePartRow } from '../playback/result.ts';
import { runBacktest } from '../playback/run-backtest.ts';
import { SharedSeries } from '../playback/shared-series.ts';
import { inputWithinRange } from './input-within-range.ts';
import { runNeedsOf, type SweepPlan, seriesName } from './plan.ts';
import type { Space } from './request.ts';
import { type Combination, graphWith } from './space.ts';
import { type Range, type Trial, TrialRecorder } from './trial.ts';

/** Runs trials one after the other over one input: an indicator of a series is computed once for all of them. */
export class TrialRunner {
  readonly #input: BacktestInput;
  readonly #space: Space;
  readonly #candles: SweepPlan['candles'];
  /** The input cut to the range of the last run. */
  #part: { readonly range: Range; readonly input: BacktestInput; readonly shared: SharedSeries } | null =
    null;

  /** @param input of the sweep: its graph, and the history of all trials */
  constructor(input: BacktestInput, space: Space, candles: SweepPlan['candles']) {
    this.#input = input;
    this.#space = space;
    this.#candles = candles;
  }

  /**
   * Null if it was canceled.
   *
   * @throws BacktestError like a single run.
   */
  run(combination: Combination, range: Range, isCanceled: () => boolean): Trial | null {
    const { input, shared } = this.#partOf(range);
    const visual = graphWith(input.visual, this.#space, combination);
    const needs = runNeedsOf(compile(visual).needs, visual, input.request);
    // Recorded quotes that only other trials read are left out, as in a run of this one alone.
    const recorded = input.recorded.filter(
      ({ tokenId, quotes }) => quotes.length > 0 && needs.quotes.some((need) => need.tokenId === tokenId),
    );
    const minutes = needs.minutes.filter(({ key }) =>
      recorded.some(({ tokenId }) => tokenId === key.tokenId),
    );
    const names = new Set([...needs.series, ...minutes].map(seriesName));
    const recorder = new TrialRecorder(range);
    const summary = runBacktest(
      {
        ...input,
        visual,
        histories: input.histories.filter((history) => names.has(seriesName(history))),
        recorded,
      },
      {
        part: ({ kind, rows }) => {
          if (kind === 'equity') recorder.equity(rows as readonly EquityPartRow[]);
          if (kind === 'trade') recorder.trades(rows as readonly TradePartRow[]);
        },
        progress: () => {},
        isCanceled,
      },
      shared,
    );
    return isCanceled() ? null : recorder.trial(combination, summary);
  }

  #partOf(range: Range) {
    const last = this.#part;
    if (last !== null && last.range.fromMs === range.fromMs && last.range.toMs === range.toMs) return last;
    this.#part = {
      range,
      input: inputWithinRange(this.#input, range),
      shared: new SharedSeries(this.#candles),
    };
    return this.#part;
  }
}
