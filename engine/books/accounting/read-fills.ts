import { sql } from 'kysely';
import type { FILL_KINDS } from '../../../db/entities/order.ts';
import type { Side, Venue } from '../../../db/vocabulary.ts';
import type { Work } from '../../platform/context.ts';
import { likePattern } from '../../platform/text.ts';

/** A blueprint's part of an execution, a settlement or a write-off. Decimals are strings, times as the pool returns them. */
export type FillPart = {
  readonly id: string;
  readonly order_id: string | null;
  readonly kind: (typeof FILL_KINDS)[number];
  readonly token_id: string;
  readonly venue: Venue;
  readonly title: string;
  readonly side: Side;
  readonly amount: string;
  readonly price: string;
  /** USD. */
  readonly fee: string;
  readonly applied_at: string;
};

export type FillFilter = {
  readonly limit: number;
  readonly side?: Side | undefined;
  /** Words in the instrument, its venue or the id of the order. */
  readonly find?: string | undefined;
  /** Booked at or after this instant, and before `to`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Newest first otherwise. */
  readonly isAscending?: boolean | undefined;
  /** The last fill of the page before. */
  readonly after?: string | undefined;
};

/** Reads a blueprint's bookings in the order they were booked. */
export async function readFills(work: Work, blueprintId: string, filter: FillFilter): Promise<FillPart[]> {
  const { accountId, mode } = work;
  const { limit, side, find, from, to, isAscending = false, after } = filter;
  const direction = sql.raw(isAscending ? 'asc' : 'desc');
  const words = find === undefined ? null : likePattern(find);
  const narrowed = sql.join(
    [
      sql`true`,
      ...(side === undefined ? [] : [sql`f.side = ${side}`]),
      ...(words === null
        ? []
        : [sql`concat_ws(' ', i.title, f.token_id, f.venue, f.order_id::text) ilike ${words}`]),
      ...(from === undefined ? [] : [sql`f.applied_at >= ${from}::timestamptz`]),
      ...(to === undefined ? [] : [sql`f.applied_at < ${to}::timestamptz`]),
      ...(after === undefined
        ? []
        : [
            sql`(f.applied_at, f.id) ${sql.raw(isAscending ? '>' : '<')} (select l.applied_at, l.id from fill l
              where l.account_id = ${accountId} and l.id = ${after}::uuid)`,
          ]),
    ],
    sql` and `,
  );
  const { rows } = await sql<FillPart>`
    select f.id, f.order_id, f.kind, f.token_id, f.venue, i.title, f.side, a.amount, f.price, a.fee, f.applied_at
    from position p
      join fill_allocation a on a.account_id = p.account_id and a.position_id = p.id
      join fill f on f.account_id = a.account_id and f.id = a.fill_id
      join instrument i on i.token_id = f.token_id
    where p.account_id = ${accountId} and p.mode = ${mode} and p.blueprint_id = ${blueprintId} and ${narrowed}
    order by f.applied_at ${direction}, f.id ${direction} limit ${limit}`.execute(work.db);
  return rows;
}
