import type { EquityPartRow, TradePartRow } from '../playback/result.ts';

/** Content of a cell: `text` is free text of users or venues, `value` a number or an instant of the service. */
type Cell = { readonly text: string } | { readonly value: string | null };

const LINE_END = '\r\n';

/**
 * Formats one cell of RFC 4180 text. Texts are quoted, so that no separator a spreadsheet guesses splits them. A text that
 * would run as a formula gets a leading apostrophe. Values stay as they are: a loss begins with a minus.
 */
export function csvCell(cell: Cell): string {
  if ('value' in cell) return cell.value ?? '';
  const safe = /^[=+\-@\t\r\n]/.test(cell.text) ? `'${cell.text}` : cell.text;
  return `"${safe.replaceAll('"', '""')}"`;
}

type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

const instant = (atMs: number): Cell => ({ value: new Date(atMs).toISOString() });
const value = (decimal: string | null): Cell => ({ value: decimal });

const TRADE_COLUMNS: Columns<TradePartRow> = {
  instrument: ({ holding }) => ({ text: holding }),
  openedAt: ({ openedAtMs }) => instant(openedAtMs),
  closedAt: ({ closedAtMs }) => instant(closedAtMs),
  amountMax: ({ amountMax }) => value(amountMax),
  entryPrice: ({ entryPrice }) => value(entryPrice),
  bought: ({ bought }) => value(bought),
  sold: ({ sold }) => value(sold),
  fees: ({ fees }) => value(fees),
  pnl: ({ pnl }) => value(pnl),
  settledAt: ({ settledAt }) => value(settledAt),
  worstPnl: ({ worstPnl }) => value(worstPnl),
  bestPnl: ({ bestPnl }) => value(bestPnl),
};

const EQUITY_COLUMNS: Columns<EquityPartRow> = {
  at: ({ atMs }) => instant(atMs),
  equity: ({ equity }) => value(equity),
  held: ({ held }) => value(held),
};

/** Formats trades as RFC 4180 text, part by part. Decimals are exact, instants UTC. */
export const tradesCsv = (parts: AsyncIterable<readonly TradePartRow[]>): AsyncGenerator<string> =>
  csvOf(TRADE_COLUMNS, parts);

/** Formats the equity as RFC 4180 text, part by part. */
export const equityCsv = (parts: AsyncIterable<readonly EquityPartRow[]>): AsyncGenerator<string> =>
  csvOf(EQUITY_COLUMNS, parts);

async function* csvOf<Row>(
  columns: Columns<Row>,
  parts: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield Object.keys(columns).join(',') + LINE_END;
  const cells = Object.values(columns);
  for await (const rows of parts) {
    yield rows.map((row) => cells.map((cell) => csvCell(cell(row))).join(',') + LINE_END).join('');
  }
}
