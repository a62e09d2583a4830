import { expect, test } from 'vitest';
import { exact, sumOf } from '../../../../engine/platform/decimal.ts';
import { csvCell, equityCsv, tradesCsv } from '../../../../engine/research/backtests/csv.ts';
import { resultOf } from '../../../support/backtests.ts';

async function* parts<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += 7) yield rows.slice(at, at + 7);
}
async function linesOf(pieces: AsyncIterable<string>): Promise<string[]> {
  let text = '';
  for await (const piece of pieces) text += piece;
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice(0, -2).split('\r\n');
}

test('row 51: the sums of the trades are those of the summary', async () => {
  const { rows, summary } = resultOf(40);
  const [head = '', ...lines] = await linesOf(tradesCsv(parts(rows.trade as never)));
  const columnOf = (name: string) =>
    lines.map((line) => line.split(',')[head.split(',').indexOf(name)] ?? '');
  expect(lines).toHaveLength(summary.statistics.trades.closed);
  expect(sumOf(columnOf('pnl')).toFixed()).toBe(exact(summary.statistics.netProfit).toFixed());
  expect(sumOf(columnOf('fees')).toFixed()).toBe(summary.statistics.trades.fees);
});

test('row 51: no text runs as a formula, and every text is quoted; a loss is a number', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', '\tx', '\r=1', '\n=1'])
    expect(csvCell({ text })).toBe(`"'${text}"`);
  expect(csvCell({ text: 'a,"b"' })).toBe('"a,""b"""');
  expect([csvCell({ value: '-0.5' }), csvCell({ value: null })]).toEqual(['-0.5', '']);
});

test('equity is written with every point, at instants in UTC', async () => {
  const { rows } = resultOf(5);
  const [head, first] = await linesOf(equityCsv(parts(rows.equity as never)));
  expect(head).toBe('at,equity,held');
  expect(first).toMatch(/^2026-09-\d\dT[\d:.]+Z,\d+\.\d+,1$/);
});
