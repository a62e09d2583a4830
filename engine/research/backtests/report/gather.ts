import type { HistoryArchive } from '../../../history/archived-bodies.ts';
import { HistoryDamaged } from '../../../history/store.ts';
import type { Work } from '../../../platform/context.ts';
import type { TradePartRow } from '../../playback/result.ts';
import { backtestEquityCurve, resultEndMs } from '../backtest-equity-curve.ts';
import { allRows, countRows, readRows } from '../read.ts';
import { type ChartInstrument, chartInstruments, holdOf } from '../result-charts.ts';
import type { BacktestRow, StoredSummary } from '../row.ts';
import type { ChartBar } from './charts.ts';
import type { ReportParts } from './page.ts';

const CURVE_POINTS = 1_000;
/** Limit of trades in a page, which stays below two megabytes. */
const TRADES_MAX = 1_000;

/** Bounds of the distribution, percent of the cost. */
const RETURNS = [-20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20] as const;

/**
 * Reads the content of a report; of long lists, as much as a page shows.
 *
 * @throws DomainError `archived_unavailable`
 */
export async function gatherReport(
  work: Work,
  archive: HistoryArchive | null,
  row: BacktestRow,
  summary: StoredSummary,
): Promise<ReportParts> {
  const { id } = row;
  const { trade: tradeCount } = await countRows(work, id);
  const curve = await backtestEquityCurve(work, id, CURVE_POINTS);
  const instruments = await instrumentsOf(work, archive, row, resultEndMs(row, curve));
  return {
    row,
    summary,
    curve,
    hold: holdOf(Number(row.request.cash), summary, instruments),
    instrument: instruments[0] ?? null,
    trades: await readRows(work, id, { kind: 'trade', from: 0, limit: TRADES_MAX }),
    tradeCount,
    returns: await distributionOf(allRows(work, id, 'trade')),
  };
}

/** Reads the traded instruments as the console draws them; none if a history is no longer what was written. */
async function instrumentsOf(
  work: Work,
  archive: HistoryArchive | null,
  row: BacktestRow,
  toMs: number,
): Promise<ChartInstrument[]> {
  try {
    return await chartInstruments(work, archive, row, toMs);
  } catch (error) {
    if (error instanceof HistoryDamaged) return [];
    throw error;
  }
}

async function distributionOf(parts: AsyncIterable<readonly TradePartRow[]>): Promise<ChartBar[]> {
  const counts = Array.from({ length: RETURNS.length + 1 }, () => 0);
  for await (const trades of parts) {
    for (const { pnl, bought } of trades) {
      const made = Number(bought) === 0 ? 0 : (Number(pnl) / Number(bought)) * 100;
      const bin = RETURNS.findIndex((bound) => made < bound);
      const at = bin === -1 ? RETURNS.length : bin;
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  return counts.map((count, at) => ({ label: labelOf(at), count }));
}

function labelOf(at: number): string {
  if (at === 0) return `< ${RETURNS[0]}`;
  return at === RETURNS.length ? `≥ ${RETURNS.at(-1)}` : `${RETURNS[at - 1]} to ${RETURNS[at]}`;
}
