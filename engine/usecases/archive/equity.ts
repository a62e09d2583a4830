import { type RawBuilder, sql } from 'kysely';
import type { Mode } from '../../../db/vocabulary.ts';
import { storedBlueprintPointOf, storedPointOf } from '../../books/accounting/archived-equity.ts';
import {
  BLUEPRINT_EQUITY_FILE,
  type BlueprintEquityRow,
  EQUITY_FILE,
  type EquityRow,
} from '../../platform/archive/equity-file.ts';
import type { RowFormat } from '../../platform/archive/row-file.ts';
import { type Archivable, DUE_BEFORE } from './seal.ts';

/** A month of points every five minutes. Thinned it has 744. */
const PART_POINTS_MAX = 9_000;

type Point = { readonly at: bigint; readonly realizedPnl: string; readonly unrealizedPnl: string };

/** Points of one table, and what they have beside time and profit. */
type Points<Row extends Point> = {
  readonly table: 'equity_point' | 'blueprint_equity';
  readonly folder: string;
  readonly format: RowFormat<Row>;
  /** Names a point among those of an account in a mode; the order of a file. */
  readonly key: readonly string[];
  readonly columns: RawBuilder<unknown>;
  /** Returns a point as its row, without its books. */
  readonly storedOf: (row: Row) => object;
  readonly blueprintIds: (rows: readonly Row[]) => string[] | null;
};

/** Old points of the equity of the books in a mode. */
export const equityOf = (mode: Mode): Archivable<EquityRow> =>
  pointsOf(mode, {
    table: 'equity_point',
    folder: 'equity',
    format: EQUITY_FILE,
    key: ['at'],
    columns: sql`equity::text, cash::text`,
    storedOf: storedPointOf,
    blueprintIds: () => null,
  });

/** Old points of the blueprints of these books. One blueprint's points of a month are in few files. */
export const blueprintEquityOf = (mode: Mode): Archivable<BlueprintEquityRow> =>
  pointsOf(mode, {
    table: 'blueprint_equity',
    folder: 'blueprint-equity',
    format: BLUEPRINT_EQUITY_FILE,
    key: ['blueprint_id', 'at'],
    columns: sql`blueprint_id::text as "blueprintId", held::text`,
    storedOf: storedBlueprintPointOf,
    blueprintIds: (rows) => [...new Set(rows.map(({ blueprintId }) => blueprintId))],
  });

function pointsOf<Row extends Point>(
  mode: Mode,
  { table, folder, format, key, columns, storedOf, blueprintIds }: Points<Row>,
): Archivable<Row> {
  const from = sql.table(table);
  return {
    folder: `${folder}-${mode}`,
    format,
    instantOf: ({ at }) => at,
    contents: (rows) => ({ order_ids: [], equity_mode: mode, blueprint_ids: blueprintIds(rows) }),

    async readDue(db, accountId) {
      const { rows } = await sql<Omit<Row, 'at'> & { at: string }>`
        select (extract(epoch from at) * 1000)::bigint::text as at, realized_pnl::text as "realizedPnl",
          unrealized_pnl::text as "unrealizedPnl", ${columns}
        from ${from} where account_id = ${accountId} and mode = ${mode} and at < ${DUE_BEFORE} and at < (
          select (date_trunc('month', min(at) at time zone 'UTC') + interval '1 month') at time zone 'UTC'
          from ${from} where account_id = ${accountId} and mode = ${mode})
        order by ${sql.join(key.map((column) => sql.ref(column)))} limit ${PART_POINTS_MAX}`.execute(db);
      return rows.map((row) => format.read({ ...row, at: new Date(Number(row.at)) }));
    },

    async remove(trx, accountId, _number, rows) {
      const stored = rows.map((row) => ({ account_id: accountId, mode, ...storedOf(row) }));
      const isSame = key.map((column) => sql`p.${sql.ref(column)} = f.${sql.ref(column)}`);
      const { numAffectedRows } = await sql`
        delete from ${from} p using jsonb_populate_recordset(null::${from}, ${JSON.stringify(stored)}::jsonb) f
        where p.account_id = ${accountId} and p.mode = ${mode} and ${sql.join(isSame, sql` and `)}
          and p.* = f.*`.execute(trx);
      return Number(numAffectedRows);
    },
  };
}
