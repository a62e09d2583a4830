import type { History, SeriesRows } from '../history/series.ts';
import type { BacktestInput } from './input.ts';
import { isoOf } from './plain.ts';

/** What a run would have been given at an instant: no row that had not ended, no quote and no fact that had not come. Pure. */
export const truncated = (input: BacktestInput, atMs: number): BacktestInput => ({
  ...input,
  request: { ...input.request, to: isoOf(atMs) },
  facts: input.facts.filter(({ fromMs }, index) => fromMs < atMs || isFirstOf(input, index)),
  histories: input.histories.map((history) => ({ ...history, rows: rowsUntil(history, atMs) })),
  recorded: input.recorded.map(({ tokenId, quotes }) => ({
    tokenId,
    quotes: quotes.filter((quote) => quote.atMs < atMs),
  })),
});

/** There is a first word of every instrument, whenever it was asked for. */
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
