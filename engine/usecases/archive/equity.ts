import { sql } from 'kysely';
import type { Mode } from '../../../db/vocabulary.ts';
import { EQUITY_FILE, type EquityRow } from '../../platform/archive/equity-file.ts';
import { type Archivable, DUE_BEFORE } from './seal.ts';

/** A month of points every five minutes. Thinned it has 744. */
const PART_POINTS_MAX = 9_000;

/** Old points of the equity of the books in a mode. */
export const equityOf = (mode: Mode): Archivable<EquityRow> => ({
  folder: `equity-${mode}`,
  format: EQUITY_FILE,
  instantOf: ({ at }) => at,
  contents: () => ({ order_ids: [], equity_mode: mode }),

  async readDue(db, accountId) {
    const { rows } = await sql<Omit<EquityRow, 'at'> & { at: string }>`
      select (extract(epoch from at) * 1000)::bigint::text as at, equity::text, cash::text,
        realized_pnl::text as "realizedPnl", unrealized_pnl::text as "unrealizedPnl"
      from (
        select *, date_trunc('month', at, 'UTC') = date_trunc('month', min(at) over (), 'UTC') as is_of_month
        from (select * from equity_point where account_id = ${accountId} and mode = ${mode} and at < ${DUE_BEFORE}
          order by at limit ${PART_POINTS_MAX}) as due) as monthly
      where is_of_month order by monthly.at`.execute(db);
    return rows.map((row) => ({ ...row, at: BigInt(row.at) }));
  },

  async remove(trx, accountId, _number, rows) {
    const column = (name: Exclude<keyof EquityRow, 'at'>) => sql`${rows.map((row) => row[name])}::text[]`;
    const instants = rows.map(({ at }) => new Date(Number(at)).toISOString());
    const { numAffectedRows } = await sql`
      delete from equity_point p
      using unnest(${instants}::timestamptz[], ${column('equity')}, ${column('cash')}, ${column('realizedPnl')},
        ${column('unrealizedPnl')}) as f (at, equity, cash, realized_pnl, unrealized_pnl)
      where p.account_id = ${accountId} and p.mode = ${mode} and p.at = f.at
        and (p.equity::text, p.cash::text, p.realized_pnl::text, p.unrealized_pnl::text)
          = (f.equity, f.cash, f.realized_pnl, f.unrealized_pnl)`.execute(trx);
    return Number(numAffectedRows);
  },
});
