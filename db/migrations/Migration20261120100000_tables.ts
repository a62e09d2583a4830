import { Migration } from '@mikro-orm/migrations';

export class Migration20261120100000_tables extends Migration {
  override name = 'Migration20261120100000_tables';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "account" ("id" uuid not null, "name" varchar(120) not null, "event_seq" bigint not null default '0', "blueprint_count" int not null default 0, "visual_bytes" int not null default 0, "created_at" timestamptz(3) not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "account_day" ("account_id" uuid not null, "mode" text not null, "day" date not null, "opening_unrealized_pnl" numeric(38,12) not null, "realized_pnl" numeric(38,12) not null default '0', primary key ("account_id", "mode", "day"));`,
    );

    this.addSql(
      `create table "account_event" ("account_id" uuid not null, "seq" bigint not null, "at" timestamptz(3) not null, "type" varchar(60) not null, "payload" jsonb not null, primary key ("account_id", "seq"));`,
    );

    this.addSql(
      `create table "api_key" ("account_id" uuid not null, "id" uuid not null, "name" varchar(120) not null, "token_hash" bytea not null, "start" varchar(8) not null, "last4" varchar(4) not null, "scopes" text[] not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, "rotated_from" uuid null, "created_by" uuid null, primary key ("account_id", "id"));`,
    );

    this.addSql(
      `create table "audit_event" ("account_id" uuid not null, "id" uuid not null, "at" timestamptz(3) not null, "actor" varchar(80) not null, "action" varchar(60) not null, "subject_id" uuid null, "before" jsonb null, "after" jsonb null, "request_id" varchar(64) null, primary key ("account_id", "id"));`,
    );

    this.addSql(
      `create table "blueprint" ("account_id" uuid not null, "id" uuid not null, "name" varchar(120) not null, "status" text not null default 'draft', "deployment_id" uuid null, "visual" jsonb null, "visual_bytes" int not null default 0, "error" text null, "thesis_id" uuid null, "version" int not null default 1, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "deleted_at" timestamptz(3) null, primary key ("account_id", "id"));`,
    );

    this.addSql(
      `create table "careers_application" ("id" uuid not null, "name" varchar(120) not null, "email" varchar(254) not null, "role" varchar(120) null, "message" text not null, "links" text[] not null, "created_at" timestamptz(3) not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "cash_entry" ("account_id" uuid not null, "id" uuid not null, "mode" text not null, "kind" text not null, "amount" numeric(38,12) not null, "fill_id" uuid null, "at" timestamptz(3) not null, primary key ("account_id", "id"));`,
    );

    this.addSql(
      `create table "deployment" ("account_id" uuid not null, "id" uuid not null, "blueprint_id" uuid not null, "release_number" int not null, "mode" text not null, "shard" int not null, "token_ids" text[] not null, "started_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, "end_reason" varchar(200) null, primary key ("account_id", "id"));`,
    );

    this.addSql(
      `create table "deployment_state" ("account_id" uuid not null, "deployment_id" uuid not null, "memory" jsonb null, "node_states" jsonb null, "halted" boolean not null default false, "watched_until" timestamptz(3) null, "updated_at" timestamptz(3) not null, primary key ("account_id", "deployment_id"));`,
    );

    this.addSql(
      `create table "equity_point" ("account_id" uuid not null, "mode" text not null, "at" timestamptz(3) not null, "equity" numeric(38,12) not null, "cash" numeric(38,12) not null, "realized_pnl" numeric(38,12) not null, "unrealized_pnl" numeric(38,12) not null, primary key ("account_id", "mode", "at"));`,
    );

    this.addSql(
      `create table "fill" ("account_id" uuid not null, "id" uuid not null, "order_id" uuid null, "mode" text not null, "kind" text not null, "token_id" varchar(200) not null, "venue" text not null, "venue_trade_id" varchar(200) not null, "side" text not null, "amount" numeric(38,12) not null, "price" numeric(38,12) not null, "fee" numeric(38,12) not null, "at" timestamptz(3) not null, "applied_at" timestamptz(3) not null, primary key ("account_id", "id"));`,
    );

    this.addSql(
      `create table "fill_allocation" ("account_id" uuid not null, "fill_id" uuid not null, "position_id" uuid not null, "amount" numeric(38,12) not null, "cost" numeric(38,12) not null, "fee" numeric(38,12) not null, "realized_pnl" numeric(38,12) not null, primary key ("account_id", "fill_id", "position_id"));`,
    );

    this.addSql(
      `create table "idempotency_key" ("account_id" uuid not null, "key" varchar(255) not null, "fingerprint" varchar(64) not null, "status" int not null, "body" jsonb not null, "etag" varchar(80) null, "created_at" timestamptz(3) not null, primary key ("account_id", "key"));`,
    );

    this.addSql(
      `create table "instrument" ("token_id" varchar(200) not null, "venue" text not null, "market" varchar(200) not null, "outcome" varchar(120) null, "title" varchar(400) not null, "tick_size" numeric(38,12) not null, "step_size" numeric(38,12) not null, "min_size" numeric(38,12) not null, "min_notional" numeric(38,12) not null, "fee_schedule" jsonb not null, "quote_currency" varchar(16) not null, "closes_at" timestamptz(3) null, "status" text not null, "settlement_value" numeric(38,12) null, "updated_at" timestamptz(3) not null, primary key ("token_id"));`,
    );

    this.addSql(
      `create table "intent_request" ("account_id" uuid not null, "deployment_id" uuid not null, "node_id" varchar(200) not null, "step_at" timestamptz(3) not null, "position" int not null, "intent" jsonb not null, "created_at" timestamptz(3) not null, primary key ("account_id", "deployment_id", "node_id", "step_at"));`,
    );

    this.addSql(
      `create table "membership" ("account_id" uuid not null, "user_id" uuid not null, "role" text not null default 'owner', "created_at" timestamptz(3) not null, primary key ("account_id", "user_id"));`,
    );

    this.addSql(
      `create table "trade_order" ("account_id" uuid not null, "id" uuid not null, "mode" text not null, "blueprint_id" uuid not null, "deployment_id" uuid null, "release_number" int null, "node_id" varchar(200) null, "step_at" timestamptz(3) null, "origin" text not null, "token_id" varchar(200) not null, "venue" text not null, "side" text not null, "type" text not null, "time_in_force" text not null, "amount" numeric(38,12) not null, "limit_price" numeric(38,12) not null, "size" numeric(38,12) not null, "worst_fee" numeric(38,12) not null, "filled_amount" numeric(38,12) not null default '0', "filled_notional" numeric(38,12) not null default '0', "fees" numeric(38,12) not null default '0', "status" text not null, "reason_code" varchar(60) null, "reason" text null, "receipt" jsonb not null, "rules_version" int not null, "inputs" jsonb null, "decided_quote" jsonb null, "preapproved_release" int null, "approved_by" varchar(80) null, "venue_order_id" varchar(200) null, "cancel_requested_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "queued_at" timestamptz(3) null, "submitted_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "expires_at" timestamptz(3) null, "updated_at" timestamptz(3) not null, "version" int not null default 1, primary key ("account_id", "id"));`,
    );

    this.addSql(
      `create table "order_allocation" ("account_id" uuid not null, "order_id" uuid not null, "number" int not null, "position_id" uuid not null, "amount" numeric(38,12) not null, "filled_amount" numeric(38,12) not null default '0', primary key ("account_id", "order_id", "number"));`,
    );

    this.addSql(
      `create table "order_transition" ("account_id" uuid not null, "order_id" uuid not null, "number" int not null, "from_status" text null, "to_status" text not null, "at" timestamptz(3) not null, "actor" varchar(80) not null, "reason" text null, primary key ("account_id", "order_id", "number"));`,
    );

    this.addSql(
      `create table "position" ("account_id" uuid not null, "id" uuid not null, "mode" text not null, "token_id" varchar(200) not null, "venue" text not null, "blueprint_id" uuid not null, "amount" numeric(38,12) not null, "total_cost" numeric(38,12) not null, "realized_pnl" numeric(38,12) not null, "fees" numeric(38,12) not null, "fill_count" int not null default 0, "opened_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("account_id", "id"));`,
    );

    this.addSql(
      `create table "quote" ("token_id" varchar(200) not null, "bid" numeric(38,12) null, "bid_size" numeric(38,12) null, "ask" numeric(38,12) null, "ask_size" numeric(38,12) null, "last" numeric(38,12) null, "market_status" text not null, "as_of" timestamptz(3) not null, "seq" bigint not null, primary key ("token_id"));`,
    );

    this.addSql(
      `create table "release" ("account_id" uuid not null, "blueprint_id" uuid not null, "number" int not null, "body_hash" varchar(64) not null, "name" varchar(120) not null, "deployed_by" varchar(80) not null, "created_at" timestamptz(3) not null, primary key ("account_id", "blueprint_id", "number"));`,
    );

    this.addSql(
      `create table "release_body" ("account_id" uuid not null, "hash" varchar(64) not null, "visual" jsonb null, primary key ("account_id", "hash"));`,
    );

    this.addSql(
      `create table "risk_rules" ("account_id" uuid not null, "max_order_size" numeric(38,12) not null, "max_daily_loss" numeric(38,12) not null, "max_open_positions" int not null, "max_orders_per_minute" int not null, "cooldown_after_loss_sec" int not null, "require_approval_above" numeric(38,12) not null, "version" int not null default 1, "updated_at" timestamptz(3) not null, primary key ("account_id"));`,
    );

    this.addSql(
      `create table "shard" ("id" serial primary key, "owner" uuid null, "fence" bigint not null default '0', "lease_until" timestamptz(3) null, "last_tick_at" timestamptz(3) null, "lag_ms" int not null default 0, "skipped_ticks" bigint not null default '0');`,
    );

    this.addSql(
      `create table "trading_account" ("account_id" uuid not null, "mode" text not null, "cash" numeric(38,12) not null, "realized_pnl" numeric(38,12) not null default '0', "last_loss_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("account_id", "mode"));`,
    );

    this.addSql(
      `alter table "account_day" add constraint "account_day_mode_check" check ("mode" in ('paper', 'live'));`,
    );

    this.addSql(
      `alter table "blueprint" add constraint "blueprint_status_check" check ("status" in ('draft', 'running', 'error', 'stopped'));`,
    );

    this.addSql(
      `alter table "cash_entry" add constraint "cash_entry_mode_check" check ("mode" in ('paper', 'live'));`,
    );
    this.addSql(
      `alter table "cash_entry" add constraint "cash_entry_kind_check" check ("kind" in ('deposit', 'trade', 'fee', 'settlement'));`,
    );

    this.addSql(
      `alter table "deployment" add constraint "deployment_mode_check" check ("mode" in ('paper', 'live'));`,
    );

    this.addSql(
      `alter table "equity_point" add constraint "equity_point_mode_check" check ("mode" in ('paper', 'live'));`,
    );

    this.addSql(`alter table "fill" add constraint "fill_mode_check" check ("mode" in ('paper', 'live'));`);
    this.addSql(
      `alter table "fill" add constraint "fill_kind_check" check ("kind" in ('trade', 'settlement'));`,
    );
    this.addSql(
      `alter table "fill" add constraint "fill_venue_check" check ("venue" in ('venue-a', 'venue-b', 'crypto'));`,
    );
    this.addSql(`alter table "fill" add constraint "fill_side_check" check ("side" in ('buy', 'sell'));`);

    this.addSql(
      `alter table "instrument" add constraint "instrument_venue_check" check ("venue" in ('venue-a', 'venue-b', 'crypto'));`,
    );
    this.addSql(
      `alter table "instrument" add constraint "instrument_status_check" check ("status" in ('open', 'paused', 'closed', 'settled'));`,
    );

    this.addSql(
      `alter table "membership" add constraint "membership_role_check" check ("role" in ('owner'));`,
    );

    this.addSql(
      `alter table "trade_order" add constraint "trade_order_mode_check" check ("mode" in ('paper', 'live'));`,
    );
    this.addSql(
      `alter table "trade_order" add constraint "trade_order_origin_check" check ("origin" in ('order', 'close', 'exit', 'manual'));`,
    );
    this.addSql(
      `alter table "trade_order" add constraint "trade_order_venue_check" check ("venue" in ('venue-a', 'venue-b', 'crypto'));`,
    );
    this.addSql(
      `alter table "trade_order" add constraint "trade_order_side_check" check ("side" in ('buy', 'sell'));`,
    );
    this.addSql(
      `alter table "trade_order" add constraint "trade_order_type_check" check ("type" in ('market', 'limit'));`,
    );
    this.addSql(
      `alter table "trade_order" add constraint "trade_order_time_in_force_check" check ("time_in_force" in ('gtc', 'ioc'));`,
    );
    this.addSql(
      `alter table "trade_order" add constraint "trade_order_status_check" check ("status" in ('denied', 'pending', 'queued', 'submitted', 'unknown', 'open', 'partially_filled', 'filled', 'canceled', 'expired', 'declined', 'rejected'));`,
    );

    this.addSql(
      `alter table "order_transition" add constraint "order_transition_from_status_check" check ("from_status" in ('denied', 'pending', 'queued', 'submitted', 'unknown', 'open', 'partially_filled', 'filled', 'canceled', 'expired', 'declined', 'rejected'));`,
    );
    this.addSql(
      `alter table "order_transition" add constraint "order_transition_to_status_check" check ("to_status" in ('denied', 'pending', 'queued', 'submitted', 'unknown', 'open', 'partially_filled', 'filled', 'canceled', 'expired', 'declined', 'rejected'));`,
    );

    this.addSql(
      `alter table "position" add constraint "position_mode_check" check ("mode" in ('paper', 'live'));`,
    );
    this.addSql(
      `alter table "position" add constraint "position_venue_check" check ("venue" in ('venue-a', 'venue-b', 'crypto'));`,
    );

    this.addSql(
      `alter table "quote" add constraint "quote_market_status_check" check ("market_status" in ('open', 'paused', 'closed', 'settled'));`,
    );

    this.addSql(
      `alter table "trading_account" add constraint "trading_account_mode_check" check ("mode" in ('paper', 'live'));`,
    );
  }
}
