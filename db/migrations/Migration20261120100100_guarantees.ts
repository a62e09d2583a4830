import { Migration } from '@mikro-orm/migrations';

/** `[child, columns, parent, parent columns]`: every reference carries the account, so none can cross it. */
const REFERENCES = [
  ['membership', 'account_id', 'account', 'id'],
  ['trading_account', 'account_id', 'account', 'id'],
  ['cash_entry', 'account_id, mode', 'trading_account', 'account_id, mode'],
  ['cash_entry', 'account_id, fill_id', 'fill', 'account_id, id'],
  ['account_day', 'account_id, mode', 'trading_account', 'account_id, mode'],
  ['equity_point', 'account_id, mode', 'trading_account', 'account_id, mode'],
  ['risk_rules', 'account_id', 'account', 'id'],
  ['audit_event', 'account_id', 'account', 'id'],
  ['account_event', 'account_id', 'account', 'id'],
  ['idempotency_key', 'account_id', 'account', 'id'],
  ['api_key', 'account_id', 'account', 'id'],
  ['api_key', 'account_id, rotated_from', 'api_key', 'account_id, id'],
  ['blueprint', 'account_id', 'account', 'id'],
  ['release_body', 'account_id', 'account', 'id'],
  ['release', 'account_id, blueprint_id', 'blueprint', 'account_id, id'],
  ['release', 'account_id, body_hash', 'release_body', 'account_id, hash'],
  ['deployment', 'account_id, blueprint_id, release_number', 'release', 'account_id, blueprint_id, number'],
  ['deployment_state', 'account_id, deployment_id', 'deployment', 'account_id, id'],
  ['intent_request', 'account_id, deployment_id', 'deployment', 'account_id, id'],
  ['trade_order', 'account_id, mode', 'trading_account', 'account_id, mode'],
  ['trade_order', 'account_id, blueprint_id', 'blueprint', 'account_id, id'],
  ['trade_order', 'account_id, deployment_id', 'deployment', 'account_id, id'],
  ['trade_order', 'token_id', 'instrument', 'token_id'],
  ['order_transition', 'account_id, order_id', 'trade_order', 'account_id, id'],
  ['fill', 'account_id, mode', 'trading_account', 'account_id, mode'],
  ['fill', 'account_id, order_id', 'trade_order', 'account_id, id'],
  ['position', 'account_id, mode', 'trading_account', 'account_id, mode'],
  ['position', 'account_id, blueprint_id', 'blueprint', 'account_id, id'],
  ['position', 'token_id', 'instrument', 'token_id'],
  ['order_allocation', 'account_id, order_id', 'trade_order', 'account_id, id'],
  ['order_allocation', 'account_id, position_id', 'position', 'account_id, id'],
  ['fill_allocation', 'account_id, fill_id', 'fill', 'account_id, id'],
  ['fill_allocation', 'account_id, position_id', 'position', 'account_id, id'],
] as const;

/** Numeric columns that are never negative; NaN, which `numeric` can hold, fails `>= 0 and <> 'NaN'` too. */
const NON_NEGATIVE = {
  risk_rules: [
    'max_order_size',
    'max_daily_loss',
    'max_open_positions',
    'max_orders_per_minute',
    'cooldown_after_loss_sec',
    'require_approval_above',
  ],
  trade_order: ['limit_price', 'size', 'worst_fee', 'filled_amount', 'filled_notional', 'fees'],
  fill: ['amount', 'price'],
  position: ['amount', 'total_cost'],
  order_allocation: ['amount', 'filled_amount'],
  fill_allocation: ['amount', 'cost'],
} as const;

/** Tables whose rows are history: written once. */
const APPEND_ONLY = ['audit_event', 'order_transition', 'fill', 'fill_allocation', 'cash_entry'] as const;

const CHECKS = [
  `alter table api_key add constraint api_key_token_hash_length check (octet_length(token_hash) = 32)`,
  `alter table api_key add constraint api_key_scopes_not_empty check (cardinality(scopes) > 0)`,
  `alter table trade_order add constraint trade_order_amount_positive check (amount > 0 and amount <> 'NaN')`,
  `alter table trade_order add constraint trade_order_not_overfilled check (filled_amount <= amount)`,
  `alter table order_allocation add constraint order_allocation_not_overfilled check (filled_amount <= amount)`,
  `alter table trading_account add constraint trading_account_cash_is_a_number check (cash <> 'NaN')`,
] as const;

const UNIQUE_INDEXES = [
  `create unique index api_key_token_hash_unique on api_key (token_hash)`,
  `create unique index deployment_one_live_per_blueprint on deployment (account_id, blueprint_id) where ended_at is null`,
  `create unique index trade_order_one_per_step on trade_order (account_id, deployment_id, node_id, step_at)`,
  `create unique index fill_once_per_venue_trade on fill (mode, venue, venue_trade_id)`,
  `create unique index position_one_per_holding on position (account_id, mode, token_id, blueprint_id)`,
] as const;

const LIVE = `('pending', 'queued', 'submitted', 'unknown', 'open', 'partially_filled')`;

const INDEXES = [
  `create index membership_user on membership (user_id)`,
  `create index blueprint_newest on blueprint (account_id, created_at desc, id desc) where deleted_at is null`,
  `create index blueprint_of_visual on release (account_id, body_hash)`,
  `create index deployment_live_by_shard on deployment (shard) where ended_at is null`,
  `create index trade_order_newest on trade_order (account_id, created_at desc, id desc)`,
  `create index trade_order_of_blueprint on trade_order (account_id, blueprint_id, created_at desc, id desc)`,
  `create index trade_order_live on trade_order (account_id, mode) where status in ${LIVE}`,
  `create index trade_order_recently_queued on trade_order (account_id, mode, queued_at) where queued_at is not null`,
  `create index trade_order_to_send on trade_order (queued_at) where status = 'queued'`,
  `create index trade_order_in_flight on trade_order (updated_at) where status in ('submitted', 'unknown', 'open', 'partially_filled')`,
  `create index trade_order_to_expire on trade_order (expires_at) where status in ('pending', 'queued')`,
  `create index fill_of_order on fill (account_id, order_id)`,
  `create index position_held on position (account_id, mode) where amount > 0`,
  `create index position_held_by_token on position (token_id) where amount > 0`,
  `create index order_allocation_of_position on order_allocation (account_id, position_id)`,
  `create index cash_entry_of_fill on cash_entry (account_id, fill_id)`,
  `create index audit_event_newest on audit_event (account_id, at desc, id desc)`,
  `create index account_event_age on account_event (at)`,
  `create index idempotency_key_age on idempotency_key (created_at)`,
  `create index intent_request_age on intent_request (created_at)`,
  `create index quote_newest on quote (seq)`,
] as const;

/** What types and keys alone cannot promise: isolation of accounts, one-of-a-kind rows, history that stays. */
export class Migration20261120100100_guarantees extends Migration {
  override name = 'Migration20261120100100_guarantees';

  override up(): void {
    for (const [child, columns, parent, parentColumns] of REFERENCES) {
      const name = `${child}_${columns.replaceAll(', ', '_')}_foreign`.slice(0, 63);
      this.addSql(
        `alter table ${child} add constraint ${name} foreign key (${columns}) references ${parent} (${parentColumns}) on delete restrict`,
      );
    }
    for (const [table, columns] of Object.entries(NON_NEGATIVE)) {
      for (const column of columns) {
        this.addSql(
          `alter table ${table} add constraint ${table}_${column}_not_negative check (${column} >= 0 and ${column}::numeric <> 'NaN')`,
        );
      }
    }
    for (const statement of [...CHECKS, ...UNIQUE_INDEXES, ...INDEXES]) this.addSql(statement);

    this.addSql(`create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception 'rows of % are history and cannot be changed or deleted', tg_table_name; end $$`);
    for (const table of APPEND_ONLY) {
      this.addSql(
        `create trigger ${table}_append_only before update or delete on ${table} for each row execute function refuse_change()`,
      );
    }

    this.addSql(
      `create trigger release_unchanged before update on release for each row execute function refuse_change()`,
    );

    this.addSql(`create function refuse_leaving_a_final_status() returns trigger language plpgsql as $$
      begin raise exception 'order % is %, which is final', old.id, old.status; end $$`);
    this.addSql(`create trigger trade_order_final_status before update of status on trade_order for each row
      when (old.status in ('denied', 'filled', 'canceled', 'expired', 'declined', 'rejected')
        and new.status is distinct from old.status
        and not (new.status = 'filled' and old.status in ('canceled', 'expired', 'rejected')))
      execute function refuse_leaving_a_final_status()`);

    this.addSql(`create sequence quote_seq`);
  }
}
