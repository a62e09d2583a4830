import { subtractRanges } from '../../../../engine/history/ranges.ts';
import { rowsFrom } from '../../../../engine/history/rows.ts';
import { seriesOf } from '../../../../engine/history/series-intervals.ts';
import { storedRanges, writeHistory } from '../../../../engine/history/store.ts';
import type { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import type { Candle } from '../../../../engine/strategy/graph/types.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import { type Rounds, startRounds } from '../../../kernel/rounds/rounds.ts';

const PERIOD_MS = 600_000;

/** Closed candles that strategies were stepped on, by symbol and interval. */
type Series = ReadonlyMap<string, { readonly closed: ClosedCandles }>;

/** Stores the closed candles that strategies read, as they were read; sends no request to the venue. */
export const startCandleRecorder = (
  context: Pick<RunnerContext, 'db' | 'clock'>,
  series: () => Series,
  log: LogOnce,
): Rounds =>
  startRounds(() => log.attempt('keeping candles', () => storeCandles(context, series())), PERIOD_MS);

/** Stores the candles not stored yet. The newest candle waits, because it may still be corrected. A gap is left out. */
export async function storeCandles(
  { db, clock }: Pick<RunnerContext, 'db' | 'clock'>,
  series: Series,
): Promise<void> {
  for (const [key, { closed }] of series) {
    const [symbol = '', interval = ''] = key.split('@');
    const history = seriesOf(symbol, interval);
    if (history === null) continue;
    const candles = [...closed].slice(0, -1);
    const held = await storedRanges(db, history);
    for (const run of unbroken(candles)) {
      for (const missing of subtractRanges([spanOf(run)], held)) {
        const news = run.filter(
          ({ openTimeMs }) => openTimeMs >= missing.fromMs && openTimeMs < missing.toMs,
        );
        const answered = { rows: rowsFrom('candle', news), held: missing, source: 'recorded' };
        await writeHistory(db, history, answered, await clock(db));
      }
    }
  }
}

const spanOf = (run: readonly Candle[]) => ({
  fromMs: run[0]?.openTimeMs ?? 0,
  toMs: (run.at(-1)?.closeTimeMs ?? -1) + 1,
});

/** Splits candles into runs without a gap. */
function unbroken(candles: readonly Candle[]): Candle[][] {
  const runs: Candle[][] = [];
  for (const candle of candles) {
    const run = runs.at(-1);
    if (run?.at(-1)?.closeTimeMs === candle.openTimeMs - 1) run.push(candle);
    else runs.push([candle]);
  }
  return runs;
}
