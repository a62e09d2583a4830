import type { History, SeriesRows } from '../../../history/series.ts';
import type { Random } from '../bars/random.ts';
import type { BacktestInput } from '../input.ts';
import { toIsoCached } from '../iso-time.ts';

/** Returns the input as known at an instant: without unfinished rows and without later quotes and facts. Pure. */
export const truncateInputAt = (input: BacktestInput, atMs: number): BacktestInput => ({
  ...input,
  request: { ...input.request, to: toIsoCached(atMs) },
  facts: input.facts.filter(({ fromMs }, index) => fromMs < atMs || isFirstOf(input, index)),
  histories: input.histories.map((history) => ({ ...history, rows: rowsUntil(history, atMs) })),
  signals: input.signals.map((signal) => ({
    ...signal,
    values: signal.values.filter(({ at }) => at < atMs),
  })),
  recorded: input.recorded.map(({ tokenId, quotes }) => ({
    tokenId,
    quotes: quotes.filter((quote) => quote.atMs < atMs),
  })),
});

/**
 * Returns the input as known inside bars: their opens, with high, low, close and volume generated here. Before `atMs` a run may
 * follow the path it was shown, and nothing else of these bars. Pure.
 */
export function truncateInputInsideBars(input: BacktestInput, atMs: number, random: Random): BacktestInput {
  const until = truncateInputAt(input, atMs);
  return {
    ...until,
    histories: input.histories.map((history, index) => {
      const known = until.histories[index] ?? history;
      return history.key.kind === 'candle' ? { ...known, rows: withForming(history, atMs, random) } : known;
    }),
  };
}

/** Largest change of a generated bar to either side. */
const SAMPLED_CHANGE_MAX = 0.05;

function withForming({ rows }: History, atMs: number, random: Random): SeriesRows {
  const { closeTimeMs, openTimeMs } = rows.columns;
  const forming = closeTimeMs.findIndex((closeMs) => closeMs >= atMs);
  const isForming = forming >= 0 && (openTimeMs[forming] as number) < atMs;
  const count = forming < 0 ? rows.count : forming + (isForming ? 1 : 0);
  const columns = Object.fromEntries(
    Object.entries(rows.columns).map(([name, column]) => [name, column.slice(0, count)]),
  ) as SeriesRows<'candle'>['columns'];
  if (isForming) {
    const open = columns.open[forming] as number;
    const samplePrice = () => open * (1 + SAMPLED_CHANGE_MAX * (2 * random() - 1));
    const close = samplePrice();
    columns.close[forming] = close;
    columns.high[forming] = Math.max(open, close, samplePrice());
    columns.low[forming] = Math.min(open, close, samplePrice());
    columns.volume[forming] = (columns.volume[forming] as number) * 10 * random();
  }
  return { kind: rows.kind, count, columns } as SeriesRows;
}

/** Every instrument has a first fact, whenever it was read. */
const isFirstOf = ({ facts }: BacktestInput, index: number): boolean => {
  const tokenId = facts[index]?.instrument.token_id;
  return facts.findIndex(({ instrument }) => instrument.token_id === tokenId) === index;
};

function rowsUntil({ rows }: History, atMs: number): SeriesRows {
  let count = 0;
  const { closeTimeMs } = rows.columns;
  while (count < rows.count && (closeTimeMs[count] as number) < atMs) count++;
  const columns = Object.fromEntries(
    Object.entries(rows.columns).map(([name, column]) => [name, column.subarray(0, count)]),
  ) as SeriesRows['columns'];
  return { kind: rows.kind, count, columns };
}
