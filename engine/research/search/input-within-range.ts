import type { History, SeriesRows } from '../../history/series.ts';
import type { BacktestInput } from '../playback/input.ts';
import type { Range } from './trial.ts';

/**
 * Returns the input of a run over a part of the range. Data known only at its end or later are left out, so that training never
 * sees the test. Earlier data stay, for the warm-up.
 */
export function inputWithinRange(input: BacktestInput, { fromMs, toMs }: Range): BacktestInput {
  const { request, facts, histories, recorded, signals } = input;
  return {
    ...input,
    request: { ...request, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    facts: factsUntil(facts, toMs),
    histories: histories.map((history) => cutHistory(history, toMs)),
    signals: signals.map(({ name, values, isCut }) => ({
      name,
      values: values.filter(({ at }) => at < toMs),
      isCut: isCut && !values.some(({ at }) => at <= fromMs),
    })),
    recorded: recorded.map(({ tokenId, quotes }) => ({
      tokenId,
      quotes: quotes.filter(({ atMs }) => atMs < toMs),
    })),
  };
}

/** An instrument first stated later has its first fact, as in any run. */
function factsUntil(facts: BacktestInput['facts'], toMs: number): BacktestInput['facts'] {
  const ofInstrument = Map.groupBy(facts, ({ instrument }) => instrument.token_id);
  return [...ofInstrument.values()].flatMap((own) => {
    const first = own.reduce((earliest, fact) => (fact.fromMs < earliest.fromMs ? fact : earliest));
    return own.filter((fact) => fact === first || fact.fromMs < toMs);
  });
}

/** Returns the rows closed by then. */
function cutHistory(history: History, toMs: number): History {
  const { rows, gaps } = history;
  const count = rows.columns.closeTimeMs.subarray(0, rows.count).findLastIndex((at) => at < toMs) + 1;
  const columns = Object.fromEntries(
    Object.entries(rows.columns).map(([name, column]) => [name, column.slice(0, count)]),
  ) as SeriesRows['columns'];
  return { ...history, rows: { ...rows, count, columns }, gaps: gaps.filter(({ fromMs }) => fromMs < toMs) };
}
