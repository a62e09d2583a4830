import type { Work } from '../../platform/context.ts';
import type { PartKind } from '../playback/input.ts';
import { allRows } from './read.ts';
import type { BacktestRow } from './row.ts';

const LISTS = [
  ['trades', 'trade'],
  ['orders', 'order'],
  ['fills', 'fill'],
  ['equity', 'equity'],
  ['log', 'log'],
] as const satisfies readonly (readonly [string, PartKind])[];

/** Writes a whole result as one JSON object, part by part, beginning with the fields of `view`. */
export async function* resultJson(work: Work, row: BacktestRow, view: object): AsyncGenerator<string> {
  yield `{"backtest":${JSON.stringify(view)},"visual":${JSON.stringify(row.visual)}`;
  for (const [name, kind] of LISTS) {
    yield `,"${name}":[`;
    let between = '';
    for await (const rows of allRows(work, row.id, kind)) {
      yield between + rows.map((each) => JSON.stringify(each)).join(',');
      between = ',';
    }
    yield ']';
  }
  yield '}';
}
