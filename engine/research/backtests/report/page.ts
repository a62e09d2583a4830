import type { EquityPartRow, TradePartRow } from '../../playback/result.ts';
import type { ChartInstrument, ResultCharts } from '../result-charts.ts';
import type { BacktestRow, CoveredSeries, StoredSummary } from '../row.ts';
import { barChart, type ChartBar, type ChartLine, type ChartMark, lineChart } from './charts.ts';
import { duration, figuresOf, percent, usd } from './figures.ts';
import { type Column, Html, html, table } from './html.ts';
import { PAGE_POLICY, STYLE } from './style.ts';

/** Content of a report: the curve with as many points as a chart shows, and as many trades as a page shows. */
export type ReportParts = {
  readonly row: BacktestRow;
  readonly summary: StoredSummary;
  readonly curve: readonly EquityPartRow[];
  /** The same money held, as the console draws it; empty if it is not known. */
  readonly hold: ResultCharts['hold'];
  /** The first traded instrument; null if none was, or its history is no longer stored. */
  readonly instrument: ChartInstrument | null;
  readonly trades: readonly TradePartRow[];
  readonly tradeCount: number;
  readonly returns: readonly ChartBar[];
};

const BLUE = '#1d4ed8';
const GRAY = '#6b7280';
const RED = '#b91c1c';

/** Builds a standalone page: it loads nothing, runs nothing, and shows verdicts before any figure. */
export function reportPage(parts: ReportParts): string {
  const { row, summary } = parts;
  const { request } = row;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<title>Backtest of ${row.name}</title>
<style>${styleText}</style>
</head>
<body>
<main>
<h1>Backtest of ${row.name}</h1>
<p class="muted">${request.from} to ${request.to}, ${usd(request.cash)} at the start${row.status === 'done' ? '' : `, ${row.status}: this is a part of it`}.
What a strategy did in the past says little of what it will do. Definitions: docs/statistics.md, assumptions: docs/backtesting.md.</p>
${verdictsOf(summary)}
<h2>Figures</h2>
<dl>${figuresOf(summary).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
  )}</dl>
<h2>Equity</h2>
${equityChart(parts)}
${drawdownChart(parts)}
<h2>Months</h2>
${table('Return by month, UTC', MONTH_COLUMNS, summary.statistics.monthly)}
<h2>Drawdowns</h2>
${table('The ten deepest', DRAWDOWN_COLUMNS, summary.statistics.drawdowns.worst)}
<h2>Trades</h2>
${priceChart(parts)}
${barChart('Returns of trades, percent of the cost', parts.returns)}
${tradeTable(parts)}
<h2>Orders</h2>
${ordersOf(summary)}
${calibrationOf(summary)}
<h2>Assumptions</h2>
${table('Assumptions where nothing was recorded', ASSUMPTION_COLUMNS, summary.assumptions)}
<h2>Data</h2>
${table('History used', COVERAGE_COLUMNS, row.coverage ?? [])}
<h2>Request</h2>
<pre>${JSON.stringify(request, null, 2)}</pre>
<p class="muted">Request ${row.request_hash}<br>Result ${row.result_hash ?? 'none'}</p>
</main>
</body>
</html>
`.text;
}

/** Our own style: it holds nothing to escape. */
const styleText = new Html(STYLE);

const ORDER = { danger: 0, warning: 1, info: 2 } as const;

function verdictsOf({ verdicts, fidelity, evaluations, bars, gaps }: StoredSummary): Html {
  const sorted = verdicts.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  return html`<ul class="verdicts" aria-label="Read first">
${sorted.map(
  ({ severity, message }) => html`<li class="${severity}">${message}</li>
`,
)}<li>Fidelity ${fidelity}. ${evaluations} evaluations over ${bars} bars, ${gaps} gaps.</li>
</ul>`;
}

function equityChart({ curve, hold }: ReportParts): Html {
  const lineOf = (points: ReportParts['hold'] | ReportParts['curve']): ChartLine['points'] =>
    points.map(({ atMs, equity }) => ({ atMs, value: Number(equity) }));
  const lines: ChartLine[] = [
    { name: 'Equity', color: BLUE, points: lineOf(curve) },
    ...(hold.length === 0 ? [] : [{ name: 'Buy and hold', color: GRAY, points: lineOf(hold) }]),
  ];
  return lineChart('Equity, USD', lines);
}

function drawdownChart({ curve, row }: ReportParts): Html {
  let peak = Number(row.request.cash);
  const points = curve.map(({ atMs, equity }) => {
    peak = Math.max(peak, Number(equity));
    return { atMs, value: peak > 0 ? (Number(equity) / peak - 1) * 100 : 0 };
  });
  return lineChart('Below the highest so far, percent', [{ name: 'Drawdown', color: RED, points }]);
}

function priceChart({ instrument }: ReportParts): Html {
  const { candles, fills } = instrument ?? { candles: [], fills: [] };
  if (candles.length < 2)
    return html`<p>The prices of this run are no longer stored, so there is no chart of them.</p>`;
  const points = candles.map(({ atMs, close }) => ({ atMs, value: close }));
  const marks = fills.map(
    ({ at, price, side }): ChartMark => ({
      atMs: Date.parse(at),
      value: Number(price),
      side,
    }),
  );
  return lineChart('Price, with fills', [{ name: 'Close', color: GRAY, points }], marks);
}

const iso = (atMs: number): string => new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');

type Statistics = StoredSummary['statistics'];

const MONTH_COLUMNS: readonly Column<Statistics['monthly'][number]>[] = [
  { head: 'Month', isText: true, cell: ({ month }) => month },
  { head: 'Return', cell: ({ value }) => percent(value) },
  { head: 'Whole', cell: ({ isPartial }) => (isPartial ? 'in part' : 'yes') },
];

const DRAWDOWN_COLUMNS: readonly Column<Statistics['drawdowns']['worst'][number]>[] = [
  { head: 'Depth', cell: ({ share }) => percent(share) },
  { head: 'USD', cell: ({ usd: lost }) => usd(lost) },
  { head: 'From', cell: ({ peakAtMs }) => iso(peakAtMs) },
  { head: 'Lowest', cell: ({ troughAtMs }) => iso(troughAtMs) },
  { head: 'Recovered', cell: ({ recoveredAtMs }) => (recoveredAtMs === null ? 'no' : iso(recoveredAtMs)) },
];

const TRADE_COLUMNS: readonly Column<TradePartRow>[] = [
  { head: 'Instrument', isText: true, cell: ({ holding }) => holding },
  { head: 'From', cell: ({ openedAtMs }) => iso(openedAtMs) },
  { head: 'Held', cell: ({ openedAtMs, closedAtMs }) => duration(closedAtMs - openedAtMs) },
  { head: 'Amount', cell: ({ amountMax }) => amountMax },
  { head: 'Entry', cell: ({ entryPrice }) => entryPrice },
  { head: 'Settled at', cell: ({ settledAt }) => settledAt ?? '' },
  { head: 'Fees', cell: ({ fees }) => Number(fees).toFixed(4) },
  { head: 'Result, USD', cell: ({ pnl }) => Number(pnl).toFixed(4) },
];

function tradeTable({ trades, tradeCount }: ReportParts): Html {
  const cut =
    trades.length < tradeCount
      ? html`<p>The first ${trades.length} of ${tradeCount} trades. All of them are in trades.csv.</p>`
      : html``;
  return html`${cut}${table('Trades in the order they ended', TRADE_COLUMNS, trades)}`;
}

function ordersOf({ orders }: StoredSummary): Html {
  const { denied, ...counts } = orders;
  const rows = [
    ...Object.entries(counts),
    ...Object.entries(denied).map(([rule, count]) => [`refused: ${rule}`, count] as const),
  ];
  return table('Outcomes of intents', COUNT_COLUMNS, rows);
}

const COUNT_COLUMNS: readonly Column<readonly [string, number]>[] = [
  { head: 'What', isText: true, cell: ([name]) => name },
  { head: 'Count', cell: ([, count]) => count },
];

function calibrationOf({ statistics: { calibration } }: StoredSummary): Html {
  if (calibration.brier.value === null) return html``;
  const bins = calibration.bins.filter(({ count }) => count > 0);
  return html`<h2>Calibration</h2>
<p>Brier score ${calibration.brier.value.toFixed(4)}: 0 is foresight, 0.25 a coin.</p>
${table('Contracts held until they were settled, by the price they were bought at', BIN_COLUMNS, bins)}`;
}

const mean = (ratio: Statistics['calibration']['brier']): string => ratio.value?.toFixed(3) ?? '';

const BIN_COLUMNS: readonly Column<Statistics['calibration']['bins'][number]>[] = [
  { head: 'Price from', cell: ({ fromPrice }) => fromPrice.toFixed(1) },
  { head: 'Contracts', cell: ({ count }) => count },
  { head: 'Mean price', cell: ({ meanPrice }) => mean(meanPrice) },
  { head: 'Mean outcome', cell: ({ meanOutcome }) => mean(meanOutcome) },
];

const ASSUMPTION_COLUMNS: readonly Column<StoredSummary['assumptions'][number]>[] = [
  { head: 'Assumption', isText: true, cell: ({ name }) => name },
  { head: 'Value', isText: true, cell: ({ value }) => value },
  { head: 'Why', isText: true, cell: ({ why }) => why },
];

const COVERAGE_COLUMNS: readonly Column<CoveredSeries>[] = [
  { head: 'Instrument', isText: true, cell: ({ tokenId }) => tokenId },
  { head: 'What', isText: true, cell: ({ kind }) => kind },
  { head: 'Every', cell: ({ resolutionMs }) => `${resolutionMs / 1_000} s` },
  { head: 'Rows', cell: ({ rows }) => rows },
  { head: 'Gaps', cell: ({ gaps }) => gaps },
  { head: 'Source', isText: true, cell: ({ source }) => source },
];
