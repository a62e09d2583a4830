import { Thinner } from '../../books/statistics/thinner.ts';
import type { Work } from '../../platform/context.ts';
import type { EquityPartRow } from '../playback/result.ts';
import { allRows, countRows } from './read.ts';
import type { BacktestRow } from './row.ts';

/** Returns the end of a result: of its span, or of its equity if it was canceled. */
export const resultEndMs = (
  { status, request }: Pick<BacktestRow, 'status' | 'request'>,
  curve: readonly EquityPartRow[],
): number =>
  status === 'canceled' ? (curve.at(-1)?.atMs ?? Date.parse(request.from)) : Date.parse(request.to);

/** Reads the equity of a result in at most `max` points (4 or more). Throws nothing of its own. */
export async function backtestEquityCurve(work: Work, id: string, max: number): Promise<EquityPartRow[]> {
  const { equity: total } = await countRows(work, id);
  const thinner = new Thinner<EquityPartRow>(total, max, ({ equity }) => Number(equity));
  for await (const rows of allRows(work, id, 'equity')) for (const row of rows) thinner.add(row);
  return thinner.end();
}
