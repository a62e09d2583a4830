import { readHistory } from '../../../history/store.ts';
import type { Work } from '../../../platform/context.ts';
import type { FillPartRow, TradePartRow } from '../../playback/result.ts';
import { backtestEquityCurve, resultEndMs } from '../backtest-equity-curve.ts';
import { allRows, countRows, readRows } from '../read.ts';
import type { BacktestRow, CoveredSeries, StoredSummary } from '../row.ts';
import type { ChartBar, ChartLine } from './charts.ts';
import type { ReportParts } from './page.ts';

const CURVE_POINTS = 1_000;
const PRICE_POINTS = 1_000;
const FILLS_MAX = 500;
/** Limit of trades in a page, which stays below two megabytes. */
const TRADES_MAX = 1_000;

/** Bounds of the distribution, percent of the cost. */
const RETURNS = [-20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20] as const;

/** Reads the content of a report; of long lists, as much as a page shows. */
export async function gatherReport(
  work: Work,
  row: BacktestRow,
  summary: StoredSummary,
): Promise<ReportParts> {
  const { id } = row;
  const { trade: tradeCount } = await countRows(work, id);
  const fills = await readRows(work, id, { kind: 'fill', from: 0, limit: FILLS_MAX });
  const curve = await backtestEquityCurve(work, id, CURVE_POINTS);
  return {
    row,
    summary,
    curve,
    prices: await pricesOf(work, row, fills[0], resultEndMs(row, curve)),
    fills,
    trades: await readRows(work, id, { kind: 'trade', from: 0, limit: TRADES_MAX }),
    tradeCount,
    returns: await distributionOf(allRows(work, id, 'trade')),
  };
}

/** Reads the closes of the first traded instrument, if its history is still the one of the run. */
async function pricesOf(
  { db }: Work,
  { coverage, request }: BacktestRow,
  first: FillPartRow | undefined,
  toMs: number,
): Promise<ChartLine['points']> {
  const series = coverage?.find(({ tokenId, kind }) => tokenId === first?.tokenId && kind !== 'midpoint');
  if (series === undefined) return [];
  const range = { fromMs: Date.parse(request.from), toMs };
  const history = await readHistory(db, keyOf(series), range).catch(() => null);
  if (history === null) return [];
  const columns: Readonly<Record<string, Float64Array>> = history.rows.columns;
  const [closes, times] = [columns['close'] ?? columns['bidClose'], columns['closeTimeMs']];
  if (closes === undefined || times === undefined) return [];
  const step = Math.max(1, Math.ceil(history.rows.count / PRICE_POINTS));
  const points = [];
  for (let at = 0; at < history.rows.count; at += step) {
    const value = closes[at] ?? Number.NaN;
    if (Number.isFinite(value)) points.push({ atMs: (times[at] ?? 0) + 1, value });
  }
  return points;
}

const keyOf = ({ venue, tokenId, kind, resolutionMs }: CoveredSeries) => ({
  venue,
  tokenId,
  kind,
  resolutionMs,
});

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
