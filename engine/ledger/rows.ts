import type { Selectable } from 'kysely';
import type { Mode } from '../../db/columns.ts';
import type { Database, Db } from '../../db/tables.ts';

type Row<Table extends keyof Database> = Selectable<Database[Table]>;

export type StepRow = Row<'order_transition'>;
export type FillRow = Row<'fill'>;
export type FillPartRow = Row<'fill_allocation'>;
/** An order without what led to it: that is the larger part of it, and proves nothing. */
export type LedgerOrderRow = Pick<Row<'trade_order'>, (typeof ORDER_COLUMNS)[number]>;

const ORDER_COLUMNS = [
  'id',
  'blueprint_id',
  'origin',
  'token_id',
  'venue',
  'connection_id',
  'side',
  'amount',
  'limit_price',
  'size',
  'worst_fee',
  'filled_amount',
  'filled_notional',
  'fees',
  'status',
  'reason_code',
  'reason',
  'receipt',
  'approval_receipt',
  'preapproved_release',
  'approved_by',
  'queued_at',
  'ended_at',
] as const;

/** Everything the database holds about one account's money in one mode. */
export type LedgerRows = {
  accountId: string;
  mode: Mode;
  tradingAccount: Row<'trading_account'>;
  orders: LedgerOrderRow[];
  steps: StepRow[];
  reservations: Row<'order_allocation'>[];
  fills: FillRow[];
  fillParts: FillPartRow[];
  cashEntries: Row<'cash_entry'>[];
  positions: Row<'position'>[];
  days: Row<'account_day'>[];
  rules: Row<'risk_rules'> | undefined;
  ruleChanges: Row<'audit_event'>[];
  /** Each time the loss of a day tripped the account. */
  trips: Row<'audit_event'>[];
  /** Each time a close that waits gave back what a blueprint sold by itself. */
  reductions: Row<'audit_event'>[];
  writeOffs: Row<'audit_event'>[];
};

/** Reads them, inside a transaction of the caller's. */
export async function readRows(trx: Db, accountId: string, mode: LedgerRows['mode']): Promise<LedgerRows> {
  const orders = await trx
    .selectFrom('trade_order')
    .select(ORDER_COLUMNS)
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .execute();
  const fills = await trx
    .selectFrom('fill')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .execute();
  const ofOrders = new Set(orders.map(({ id }) => id));
  const ofFills = new Set(fills.map(({ id }) => id));
  return {
    accountId,
    mode,
    orders,
    fills,
    tradingAccount: await trx
      .selectFrom('trading_account')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('mode', '=', mode)
      .executeTakeFirstOrThrow(),
    steps: (
      await trx.selectFrom('order_transition').selectAll().where('account_id', '=', accountId).execute()
    ).filter(({ order_id }) => ofOrders.has(order_id)),
    reservations: (
      await trx
        .selectFrom('order_allocation')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('number')
        .execute()
    ).filter(({ order_id }) => ofOrders.has(order_id)),
    fillParts: (
      await trx
        .selectFrom('fill_allocation')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('number')
        .execute()
    ).filter(({ fill_id }) => ofFills.has(fill_id)),
    cashEntries: await trx
      .selectFrom('cash_entry')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('mode', '=', mode)
      .execute(),
    positions: await trx
      .selectFrom('position')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('mode', '=', mode)
      .execute(),
    days: await trx
      .selectFrom('account_day')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('mode', '=', mode)
      .execute(),
    rules: await trx
      .selectFrom('risk_rules')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('mode', '=', mode)
      .executeTakeFirst(),
    ruleChanges: await audited(trx, accountId, mode, 'risk_rules.changed'),
    trips: await audited(trx, accountId, mode, 'daily_loss.tripped'),
    reductions: await audited(trx, accountId, mode, 'order.reduced'),
    writeOffs: await audited(trx, accountId, mode, 'position.written_off'),
  };
}

const audited = (trx: Db, accountId: string, mode: Mode, action: string): Promise<Row<'audit_event'>[]> =>
  trx
    .selectFrom('audit_event')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('action', '=', action)
    .orderBy('at')
    .orderBy('id')
    .execute();
