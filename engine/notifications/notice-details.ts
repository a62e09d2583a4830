/** Details of a notification that its event lacks: names, amounts and reasons, as of the time it is made. */
import type { Json } from '../../db/json.ts';
import type { Db } from '../../db/tables.ts';
import { toIsoOrNull } from '../platform/clock/timestamp-text.ts';
import { exact } from '../platform/decimal.ts';
import type { Notice } from './notice.ts';

type Fields = { readonly [name: string]: Json };

/** Read for many events at once. */
export type NoticeDetails = { of(notice: Notice): Fields };

const textOf = (fields: Fields, name: string): string | null => {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
};

const ids = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.filter((value) => value !== null)),
];

export async function readNoticeDetails(
  db: Db,
  accountId: string,
  notices: readonly Notice[],
): Promise<NoticeDetails> {
  const fields = (name: string, matches: (notice: Notice) => boolean) =>
    ids(notices.filter(matches).map((notice) => textOf(notice.fields, name)));
  const orders = await readOrders(db, accountId, fields('id', isOfOrder));
  const blueprintIds = [
    ...fields('blueprintId', () => true),
    ...fields('id', ({ kind }) => kind === 'blueprint.error'),
  ];
  const names = await readNames(db, accountId, blueprintIds);
  const connections = await readConnections(db, accountId, fields('id', isOfConnection));
  return {
    of(notice) {
      const id = textOf(notice.fields, 'id');
      if (isOfOrder(notice)) return { ...orders.get(id ?? ''), ...named(names, notice.fields) };
      if (isOfConnection(notice))
        return { ...connections.get(id ?? ''), connectionId: id, state: notice.fields['state'] ?? null };
      if (notice.kind === 'blueprint.error') {
        return {
          blueprintId: id,
          blueprintName: names.get(id ?? '') ?? null,
          error: notice.fields['error'] ?? null,
        };
      }
      const { kind: _kind, at: _at, ...said } = notice.fields;
      return { ...said, ...named(names, notice.fields) };
    },
  };
}

/** Notices of orders hold `id`; a request that did not become an order holds a text. */
const isOfOrder = ({ kind, fields }: Notice): boolean =>
  kind.startsWith('order.') && textOf(fields, 'id') !== null;
const isOfConnection = ({ kind }: Notice): boolean => kind === 'connection.changed';

function named(names: ReadonlyMap<string, string>, fields: Fields): Fields {
  const id = textOf(fields, 'blueprintId');
  return id === null ? {} : { blueprintId: id, blueprintName: names.get(id) ?? null };
}

async function readOrders(db: Db, accountId: string, orderIds: string[]): Promise<Map<string, Fields>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('trade_order as o')
    .innerJoin('instrument as i', 'i.token_id', 'o.token_id')
    .select(['o.id', 'o.status', 'o.venue', 'o.token_id', 'i.title', 'o.side', 'o.type', 'o.amount'])
    .select(['o.limit_price', 'o.size', 'o.filled_amount', 'o.filled_notional', 'o.fees'])
    .select(['o.reason_code', 'o.reason', 'o.expires_at'])
    .where('o.account_id', '=', accountId)
    .where('o.id', 'in', orderIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        orderId: row.id,
        venue: row.venue,
        tokenId: row.token_id,
        title: row.title,
        side: row.side,
        type: row.type,
        amount: exact(row.amount).toNumber(),
        limitPrice: exact(row.limit_price).toNumber(),
        notional: exact(row.size).toNumber(),
        filledAmount: exact(row.filled_amount).toNumber(),
        filledNotional: exact(row.filled_notional).toNumber(),
        fees: exact(row.fees).toNumber(),
        reasonCode: row.reason_code,
        reason: row.reason,
        expiresAt: toIsoOrNull(row.expires_at),
      },
    ]),
  );
}

async function readNames(db: Db, accountId: string, blueprintIds: string[]): Promise<Map<string, string>> {
  if (blueprintIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('blueprint')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('id', 'in', blueprintIds)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function readConnections(
  db: Db,
  accountId: string,
  connectionIds: string[],
): Promise<Map<string, Fields>> {
  if (connectionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('venue_connection')
    .select(['id', 'label', 'venue', 'environment', 'state_code', 'state_reason'])
    .where('account_id', '=', accountId)
    .where('id', 'in', connectionIds)
    .execute();
  return new Map(
    rows.map(({ id, label, venue, environment, state_code, state_reason }) => [
      id,
      { label, venue, environment, reasonCode: state_code, reason: state_reason },
    ]),
  );
}
