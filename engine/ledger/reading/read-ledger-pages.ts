import { sql } from 'kysely';
import { SqlCursor } from '../../../db/sql-cursor.ts';
import type { Db } from '../../../db/tables.ts';
import { withEvidence } from '../../platform/archive/archive.ts';
import { type ReadArchive, UNREAD } from '../archived-parts.ts';
import {
  type CashRow,
  DISPATCH_COLUMNS,
  EMPTY_PAGE,
  type FillPartRow,
  type FirstSeen,
  type InstrumentRow,
  type LedgerAccount,
  type LedgerOrderRow,
  type LedgerPage,
  ORDER_COLUMNS,
  PAPER_FILL_COLUMNS,
  PAPER_ORDER_COLUMNS,
  type ReleaseRow,
  type StoredBooks,
} from '../rows.ts';
import { type EntryBatch, readEntryBatches } from './read-entries.ts';

/** Graphs are the largest rows. */
const RELEASES_PER_PAGE = 20;
/** The account whose pages are read. */
type Paged = LedgerAccount & Pick<StoredBooks, 'hasPaperOrders'> & { readonly archive: ReadArchive };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads all that is compared with an account's opening: in the order of the ledger, then the rows without a position in it.
 * Runs inside the caller's transaction.
 */
export async function* readLedgerPages(
  trx: Db,
  account: Paged,
  pageEntries: number,
): AsyncGenerator<LedgerPage> {
  const left = new Map<string, number>();
  for await (const stretch of readEntryBatches(trx, account, pageEntries))
    yield await pageOf(trx, account, stretch, left);
  const unseen = await SqlCursor.open(trx, 'ledger_unseen', unseenOrders(account));
  for await (const rows of unseen.pages(pageEntries)) {
    const ids = rows.map(({ id }) => id);
    yield {
      ...EMPTY_PAGE,
      orders: await firstSeen(trx, account, rows),
      ...(await venueRecord(trx, account, ids, [])),
    };
  }
  const releases = await SqlCursor.open(
    trx,
    'ledger_releases',
    sql<ReleaseRow>`select hash, visual from release_body where account_id = ${account.accountId}`,
  );
  for await (const rows of releases.pages(RELEASES_PER_PAGE)) yield { ...EMPTY_PAGE, releases: rows };
  yield { ...EMPTY_PAGE, strays: await strays(trx, account) };
}

/** @param left Entries to come of each order that was seen; those of this page are deducted. */
async function pageOf(
  trx: Db,
  account: Paged,
  { steps, fills }: EntryBatch,
  left: Map<string, number>,
): Promise<LedgerPage> {
  const touched = [...steps, ...fills].flatMap(({ order_id }) => (order_id === null ? [] : [order_id]));
  const fresh = [...new Set(touched)].filter((id) => !left.has(id));
  const orders = await firstSeen(trx, account, await readOrders(trx, account, fresh));
  for (const { row, entries } of orders) left.set(row.id, entries);
  const ended = countDown(left, touched);
  const fillIds = fills.map(({ id }) => id);
  const parts = Map.groupBy(await fillParts(trx, account, fillIds), ({ fill_id }) => fill_id);
  const cash = Map.groupBy(await cashEntries(trx, account, fillIds), ({ fill_id }) => fill_id);
  const entries = [
    ...steps.map((step) => ({ seq: BigInt(step.seq), step })),
    ...fills.map((fill) => ({
      seq: BigInt(fill.seq),
      fill,
      parts: parts.get(fill.id) ?? [],
      cash: cash.get(fill.id) ?? [],
    })),
  ].sort((a, b) => Number(a.seq - b.seq));
  return {
    ...EMPTY_PAGE,
    orders,
    entries,
    instruments: await instruments(
      trx,
      fills.flatMap(({ kind, token_id }) => (kind === 'settlement' ? [token_id] : [])),
    ),
    ...(await venueRecord(
      trx,
      account,
      ended,
      fills.map(({ venue_trade_id }) => venue_trade_id),
    )),
  };
}

/** Orders without entries to come. */
function countDown(left: Map<string, number>, touched: readonly string[]): string[] {
  for (const id of touched) {
    const entries = left.get(id);
    if (entries !== undefined) left.set(id, entries - 1);
  }
  const ended = [...new Set(touched)].filter((id) => left.get(id) === 0);
  for (const id of ended) left.delete(id);
  return ended;
}

const oneOf = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`;

async function readOrders(
  trx: Db,
  { accountId, mode, archive }: Paged,
  ids: readonly string[],
): Promise<LedgerOrderRow[]> {
  if (ids.length === 0) return [];
  const rows = await trx
    .selectFrom('trade_order')
    .select(ORDER_COLUMNS)
    .select('archived_part')
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('id', '=', oneOf(ids))
    .execute();
  if (archive === UNREAD) return rows.map((row) => ({ ...row, isUnread: row.archived_part !== null }));
  // Orders of a damaged file stay without evidence: their digests differ then.
  return withEvidence(trx, archive, accountId, rows, () => {});
}

async function firstSeen(
  trx: Db,
  account: LedgerAccount,
  orders: readonly LedgerOrderRow[],
): Promise<FirstSeen[]> {
  if (orders.length === 0) return [];
  const { accountId, mode } = account;
  const ids = orders.map(({ id }) => id);
  const allocations = await trx
    .selectFrom('order_allocation')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('order_id', '=', oneOf(ids))
    .orderBy('number')
    .execute();
  const { rows: counts } = await sql<{ order_id: string; entries: number }>`
    select order_id, count(*)::int as entries from (
      select order_id from order_transition where account_id = ${accountId} and order_id = ${oneOf(ids)}
      union all
      select order_id from fill where account_id = ${accountId} and order_id = ${oneOf(ids)} and mode = ${mode}
    ) as entry group by order_id`.execute(trx);
  const dispatches = await trx
    .selectFrom('order_dispatch')
    .select(DISPATCH_COLUMNS)
    .where('account_id', '=', accountId)
    .where('order_id', '=', oneOf(ids))
    .execute();
  const dispatchOf = new Map(dispatches.map((dispatch) => [dispatch.order_id, dispatch]));
  const reservedBy = Map.groupBy(allocations, ({ order_id }) => order_id);
  const entriesOf = new Map(counts.map(({ order_id, entries }) => [order_id, entries]));
  return orders.map((row) => ({
    row,
    allocations: reservedBy.get(row.id) ?? [],
    dispatch: dispatchOf.get(row.id) ?? null,
    entries: entriesOf.get(row.id) ?? 0,
  }));
}

async function fillParts(
  trx: Db,
  { accountId }: LedgerAccount,
  fillIds: readonly string[],
): Promise<FillPartRow[]> {
  if (fillIds.length === 0) return [];
  return trx
    .selectFrom('fill_allocation')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('fill_id', '=', oneOf(fillIds))
    .orderBy('number')
    .execute();
}

async function cashEntries(
  trx: Db,
  { accountId, mode }: LedgerAccount,
  fillIds: readonly string[],
): Promise<CashRow[]> {
  if (fillIds.length === 0) return [];
  return trx
    .selectFrom('cash_entry')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('fill_id', '=', oneOf(fillIds))
    .execute();
}

async function instruments(trx: Db, tokenIds: readonly string[]): Promise<InstrumentRow[]> {
  if (tokenIds.length === 0) return [];
  return trx
    .selectFrom('instrument')
    .select(['token_id', 'kind', 'settlement_value'])
    .where('token_id', '=', sql<string>`any(${tokenIds}::text[])`)
    .execute();
}

/** The paper venue's record of these orders, and of these trades in any account. */
async function venueRecord(
  trx: Db,
  { accountId, hasPaperOrders }: Paged,
  orderIds: readonly string[],
  tradeIds: readonly string[],
): Promise<Pick<LedgerPage, 'paperOrders' | 'paperFills'>> {
  if (!hasPaperOrders) return { paperOrders: [], paperFills: [] };
  const paperOrders = await trx
    .selectFrom('paper_order')
    .select(PAPER_ORDER_COLUMNS)
    .where('account_id', '=', accountId)
    .where('id', '=', oneOf(orderIds))
    .execute();
  const paperFills = await trx
    .selectFrom('paper_fill')
    .select(PAPER_FILL_COLUMNS)
    .where('account_id', '=', accountId)
    .where((paper) =>
      paper.or([
        paper('order_id', '=', oneOf(orderIds)),
        paper('id', '=', oneOf(tradeIds.filter((id) => UUID.test(id)))),
      ]),
    )
    .execute();
  return { paperOrders, paperFills };
}

/** Orders that never took a step and have no fill. */
const unseenOrders = ({ accountId, mode }: LedgerAccount) => sql<LedgerOrderRow>`
  select ${sql.join(ORDER_COLUMNS.map((column) => sql.ref(column)))} from trade_order o
  where account_id = ${accountId} and mode = ${mode} and not exists (
      select from order_transition s where s.account_id = o.account_id and s.order_id = o.id)
    and not exists (
      select from fill f where f.account_id = o.account_id and f.order_id = o.id and f.mode = o.mode)`;

/** Rows that foreign keys refuse while they are on. An account without any order used another broker at the paper venue. */
async function strays(trx: Db, { accountId }: LedgerAccount): Promise<LedgerPage['strays']> {
  const { rows } = await sql<LedgerPage['strays'][number]>`
    select 'order_transition' as subject, s.order_id as id from order_transition s
      where s.account_id = ${accountId} and not exists (
        select from trade_order o where o.account_id = s.account_id and o.id = s.order_id)
    union select 'order_allocation', s.order_id from order_allocation s
      where s.account_id = ${accountId} and not exists (
        select from trade_order o where o.account_id = s.account_id and o.id = s.order_id)
    union select 'fill_allocation', s.fill_id from fill_allocation s
      where s.account_id = ${accountId} and not exists (
        select from fill f where f.account_id = s.account_id and f.id = s.fill_id)
    union select 'fill', s.id from fill s
      where s.account_id = ${accountId} and s.order_id is not null and not exists (
        select from trade_order o where o.account_id = s.account_id and o.id = s.order_id)
    union select 'paper_order', s.id from paper_order s
      where s.account_id = ${accountId} and not exists (
        select from trade_order o where o.account_id = s.account_id and o.id = s.id)
      and exists (select from trade_order o where o.account_id = ${accountId})
    union select 'paper_fill', s.id from paper_fill s
      where s.account_id = ${accountId} and not exists (
        select from paper_order o where o.account_id = s.account_id and o.id = s.order_id)`.execute(trx);
  return rows;
}
