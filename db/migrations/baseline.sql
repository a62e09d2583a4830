-- The schema of 2026-11-25: what the 67 migrations until then had made. A test compares it with a database they made.
-- Never edited: later changes are migrations. Row security and rights are added at each start (row-security.ts, privileges.ts).

create schema auth;

create sequence ledger_seq;

create sequence quote_seq;

create table account (
  id uuid not null,
  name varchar(120) not null,
  event_seq bigint default '0' not null,
  blueprint_count int default 0 not null,
  visual_bytes int default 0 not null,
  created_at timestamptz(3) not null,
  constraint account_pkey primary key (id)
);

create table account_day (
  account_id uuid not null,
  mode text not null,
  day date not null,
  opening_unrealized_pnl numeric(38,12) not null,
  realized_pnl numeric(38,12) default '0' not null,
  constraint account_day_pkey primary key (account_id, mode, day),
  constraint account_day_mode_check check (mode in ('paper', 'live'))
);
create index account_day_of_day on account_day (day);

create table account_event (
  account_id uuid not null,
  seq bigint not null,
  at timestamptz(3) not null,
  type varchar(60) not null,
  payload jsonb not null,
  mode text,
  constraint account_event_pkey primary key (account_id, seq),
  constraint account_event_mode_check check (mode in ('paper', 'live'))
);
create index account_event_age on account_event (at);

create table api_key (
  account_id uuid not null,
  id uuid not null,
  name varchar(120) not null,
  token_hash bytea not null,
  start varchar(8) not null,
  last4 varchar(4) not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  rotated_from uuid,
  created_by uuid,
  mode text default 'paper' not null,
  envelope jsonb,
  constraint api_key_pkey primary key (account_id, id),
  constraint api_key_live_is_bounded check (mode = 'paper' or (expires_at is not null
    and ((envelope ->> 'maxOrder') is not null))),
  constraint api_key_mode_check check (mode in ('paper', 'live')),
  constraint api_key_scopes_not_empty check (cardinality(scopes) > 0),
  constraint api_key_token_hash_length check (octet_length(token_hash) = 32)
);
create unique index api_key_token_hash_unique on api_key (token_hash);

create table audit_event (
  account_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null,
  actor varchar(80) not null,
  action varchar(60) not null,
  subject_id uuid,
  before jsonb,
  after jsonb,
  request_id varchar(64),
  mode text,
  constraint audit_event_pkey primary key (account_id, id),
  constraint audit_event_mode_check check (mode in ('paper', 'live'))
);
create index audit_event_newest on audit_event (account_id, at desc, id desc);

create table backtest (
  account_id uuid not null,
  id uuid not null,
  blueprint_id uuid,
  name varchar(120) not null,
  request jsonb not null,
  request_hash varchar(64) not null,
  visual jsonb not null,
  terms jsonb not null,
  status text default 'queued' not null,
  phase text,
  progress jsonb,
  failure jsonb,
  attempts int default 0 not null,
  lease_owner uuid,
  leased_until timestamptz(3),
  cancel_requested_at timestamptz(3),
  summary jsonb,
  coverage jsonb,
  result_hash varchar(64),
  stored_bytes int default 0 not null,
  notes varchar(2000) default '' not null,
  is_pinned boolean default false not null,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  constraint backtest_pkey primary key (account_id, id),
  constraint backtest_done_check check (status <> 'done' or (summary is not null and result_hash is not null)),
  constraint backtest_failure_check check ((status = 'failed') = (failure is not null)),
  constraint backtest_finished_check check ((status in ('done', 'failed', 'canceled')) = (finished_at is not null)),
  constraint backtest_lease_check check ((status = 'running') = (lease_owner is not null and leased_until is not null)),
  constraint backtest_phase_check check (phase in ('history', 'running', 'checks', 'writing')),
  constraint backtest_status_check check (status in ('queued', 'running', 'done', 'failed', 'canceled')),
  constraint backtest_stored_check check (stored_bytes >= 0 and stored_bytes <= 33554432),
  constraint backtest_summary_check check (octet_length(summary::text) <= 20480)
);
create index backtest_equal on backtest (account_id, request_hash) where status = 'done';
create index backtest_newest on backtest (account_id, created_at desc, id desc);
create index backtest_of_blueprint on backtest (account_id, blueprint_id, created_at desc);
create index backtest_unfinished on backtest (created_at) where status in ('queued', 'running');

create table backtest_part (
  account_id uuid not null,
  backtest_id uuid not null,
  kind text not null,
  seq int not null,
  first_row int not null,
  rows int not null,
  body bytea not null,
  constraint backtest_part_pkey primary key (account_id, backtest_id, kind, seq),
  constraint backtest_part_kind_check check (kind in ('order', 'fill', 'trade', 'equity', 'log')),
  constraint backtest_part_rows_check check (rows > 0 and first_row >= 0),
  constraint backtest_part_size_check check (octet_length(body) <= 1048576)
);
alter table backtest_part alter column body set storage external;

create table blueprint (
  account_id uuid not null,
  id uuid not null,
  name varchar(120) not null,
  status text default 'draft' not null,
  deployment_id uuid,
  visual jsonb,
  visual_bytes int default 0 not null,
  error text,
  thesis_id uuid,
  version int default 1 not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  tags text[] default '{}' not null,
  constraint blueprint_pkey primary key (account_id, id),
  constraint blueprint_status_check check (status in ('draft', 'running', 'error', 'stopped')),
  constraint blueprint_tags_check check (cardinality(tags) <= 10 and array_position(tags, null::text) is null)
);
create index blueprint_deleted on blueprint (deleted_at) where deleted_at is not null;
create index blueprint_newest on blueprint (account_id, created_at desc, id desc) where deleted_at is null;

create table blueprint_equity (
  account_id uuid not null,
  mode text not null,
  blueprint_id uuid not null,
  at timestamptz(3) not null,
  realized_pnl numeric(38,12) not null,
  unrealized_pnl numeric(38,12) not null,
  held numeric(38,12) not null,
  constraint blueprint_equity_pkey primary key (account_id, mode, blueprint_id, at),
  constraint blueprint_equity_mode_check check (mode in ('paper', 'live'))
);
create index blueprint_equity_age on blueprint_equity using brin (at);

create table careers_application (
  id uuid not null,
  name varchar(120) not null,
  email varchar(254) not null,
  role varchar(120),
  message text not null,
  links text[] not null,
  created_at timestamptz(3) not null,
  constraint careers_application_pkey primary key (id)
);

create table cash_entry (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  kind text not null,
  amount numeric(38,12) not null,
  fill_id uuid,
  at timestamptz(3) not null,
  connection_id uuid,
  seq bigint,
  constraint cash_entry_pkey primary key (account_id, id),
  constraint cash_entry_kind_check check (kind in ('deposit', 'trade', 'fee', 'settlement', 'write_off',
    'reversal', 'transfer', 'adjustment', 'netting', 'fee_true_up', 'redemption')),
  constraint cash_entry_live_check check (mode = 'live' or kind in ('deposit', 'trade', 'fee', 'settlement',
    'write_off', 'reversal', 'transfer')),
  constraint cash_entry_mode_check check (mode in ('paper', 'live'))
);
create index cash_entry_of_connection on cash_entry (account_id, connection_id) where connection_id is not null;
create index cash_entry_of_fill on cash_entry (account_id, fill_id);
create index cash_entry_without_fill on cash_entry (account_id, mode, kind) where fill_id is null;

create table denied_fold (
  account_id uuid not null,
  order_id uuid not null,
  folded bigint not null,
  constraint denied_fold_pkey primary key (account_id, order_id)
);

create table deployment (
  account_id uuid not null,
  id uuid not null,
  blueprint_id uuid not null,
  release_number int not null,
  mode text not null,
  shard int not null,
  token_ids text[] not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  end_reason varchar(200),
  constraint deployment_pkey primary key (account_id, id),
  constraint deployment_mode_check check (mode in ('paper', 'live'))
);
create index deployment_live_by_shard on deployment (shard) where ended_at is null;
create unique index deployment_one_live_per_blueprint on deployment (account_id, blueprint_id) where ended_at is null;

create table deployment_nodes (
  account_id uuid not null,
  deployment_id uuid not null,
  states jsonb not null,
  updated_at timestamptz(3) not null,
  constraint deployment_nodes_pkey primary key (account_id, deployment_id)
) with (fillfactor=70);

create table deployment_state (
  account_id uuid not null,
  deployment_id uuid not null,
  memory jsonb,
  halted boolean default false not null,
  watched_until timestamptz(3),
  updated_at timestamptz(3) not null,
  constraint deployment_state_pkey primary key (account_id, deployment_id)
) with (fillfactor=70);

create table drawdown_watch (
  account_id uuid not null,
  mode text not null,
  since timestamptz(3) not null,
  high_water_mark numeric(38,12) not null,
  rising_to numeric(38,12),
  rising_since timestamptz(3),
  beyond_since timestamptz(3),
  tripped_at timestamptz(3),
  constraint drawdown_watch_pkey primary key (account_id, mode),
  constraint drawdown_watch_mode_check check (mode in ('paper', 'live')),
  constraint drawdown_watch_numbers check (high_water_mark <> 'NaN' and rising_to <> 'NaN'
    and ((rising_to is null) = (rising_since is null)))
);

create table equity_point (
  account_id uuid not null,
  mode text not null,
  at timestamptz(3) not null,
  equity numeric(38,12) not null,
  cash numeric(38,12) not null,
  realized_pnl numeric(38,12) not null,
  unrealized_pnl numeric(38,12) not null,
  constraint equity_point_pkey primary key (account_id, mode, at),
  constraint equity_point_mode_check check (mode in ('paper', 'live'))
);
create index equity_point_age on equity_point using brin (at);

create table fill (
  account_id uuid not null,
  id uuid not null,
  order_id uuid,
  mode text not null,
  kind text not null,
  token_id varchar(200) not null,
  venue text not null,
  venue_trade_id varchar(200) not null,
  side text not null,
  amount numeric(38,12) not null,
  price numeric(38,12) not null,
  fee numeric(38,12) not null,
  at timestamptz(3) not null,
  applied_at timestamptz(3) not null,
  seq bigint default nextval('ledger_seq') not null,
  connection_id uuid,
  fee_asset varchar(20) default 'USD' not null,
  fee_amount numeric(38,12) default '0' not null,
  liquidity text,
  state text default 'final' not null,
  constraint fill_pkey primary key (account_id, id),
  constraint fill_amount_not_negative check (amount >= 0 and amount::numeric <> 'NaN'),
  constraint fill_kind_check check (kind in ('trade', 'settlement', 'write_off', 'reversal', 'adjustment', 'netting')),
  constraint fill_liquidity_check check (liquidity in ('taker', 'maker')),
  constraint fill_live_check check (mode = 'live' or (kind <> ALL (array['adjustment', 'netting']))),
  constraint fill_mode_check check (mode in ('paper', 'live')),
  constraint fill_price_not_negative check (price >= 0 and price::numeric <> 'NaN'),
  constraint fill_side_check check (side in ('buy', 'sell')),
  constraint fill_state_check check (state in ('provisional', 'final')),
  constraint fill_venue_check check (venue in ('venue-a', 'venue-b', 'crypto'))
);
create index fill_holder on fill (account_id, mode, token_id, seq desc) where connection_id is not null;
create index fill_newest on fill (account_id, applied_at desc, id desc);
create index fill_of_connection on fill (account_id, connection_id, token_id) where connection_id is not null;
create index fill_of_order on fill (account_id, order_id);
create unique index fill_once_per_venue_trade on fill (account_id, mode, connection_id,
  order_id, venue_trade_id) nulls not distinct;

create table fill_allocation (
  account_id uuid not null,
  fill_id uuid not null,
  position_id uuid not null,
  amount numeric(38,12) not null,
  cost numeric(38,12) not null,
  fee numeric(38,12) not null,
  realized_pnl numeric(38,12) not null,
  number int not null,
  constraint fill_allocation_pkey primary key (account_id, fill_id, position_id),
  constraint fill_allocation_amount_not_negative check (amount >= 0 and amount::numeric <> 'NaN'),
  constraint fill_allocation_cost_not_negative check (cost >= 0 and cost::numeric <> 'NaN')
);

create table history_chunk (
  series_id int not null,
  from_at timestamptz(3) not null,
  rows int not null,
  first_at timestamptz(3),
  last_at timestamptz(3),
  held jsonb not null,
  gaps jsonb not null,
  is_sealed boolean not null,
  hash varchar(64) not null,
  source varchar(60) not null,
  fetched_at timestamptz(3) not null,
  size_bytes int not null,
  body bytea not null,
  paid_by uuid,
  constraint history_chunk_pkey primary key (series_id, from_at)
);
alter table history_chunk alter column body set storage external;
create index history_chunk_open on history_chunk (from_at) where not is_sealed;

create table history_import (
  id uuid not null,
  account_id uuid not null,
  venue text not null,
  token_id varchar(200) not null,
  kind text not null,
  resolution_ms bigint not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  status text not null,
  progress double precision not null,
  rows int not null,
  gaps int not null,
  differences int not null,
  failure varchar(400),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  served_at timestamptz(3),
  constraint history_import_pkey primary key (id),
  constraint history_import_kind_check check (kind in ('candle', 'bid_ask', 'midpoint')),
  constraint history_import_status_check check (status in ('queued', 'running', 'done', 'failed', 'canceled')),
  constraint history_import_venue_check check (venue in ('venue-a', 'venue-b', 'crypto'))
);
create index history_import_newest on history_import (account_id, created_at desc, id);
create index history_import_open on history_import (venue, created_at, id) where status in ('queued', 'running');

create table history_series (
  id serial,
  venue text not null,
  token_id varchar(200) not null,
  kind text not null,
  resolution_ms bigint not null,
  prices text not null,
  constraint history_series_pkey primary key (id),
  constraint history_series_venue_token_id_kind_resolution_ms_prices_unique unique (venue, token_id, kind,
    resolution_ms, prices),
  constraint history_series_kind_check check (kind in ('candle', 'bid_ask', 'midpoint')),
  constraint history_series_prices_check check (prices in ('simulator', 'live')),
  constraint history_series_venue_check check (venue in ('venue-a', 'venue-b', 'crypto'))
);

create table idempotency_key (
  account_id uuid not null,
  key varchar(255) not null,
  fingerprint varchar(64) not null,
  status int not null,
  body jsonb not null,
  etag varchar(80),
  created_at timestamptz(3) not null,
  constraint idempotency_key_pkey primary key (account_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);

create table instrument (
  token_id varchar(200) not null,
  venue text not null,
  market varchar(200) not null,
  outcome varchar(120),
  title varchar(400) not null,
  tick_size numeric(38,12) not null,
  step_size numeric(38,12) not null,
  min_size numeric(38,12) not null,
  min_notional numeric(38,12) not null,
  fee_schedule jsonb not null,
  quote_currency varchar(16) not null,
  closes_at timestamptz(3),
  status text not null,
  settlement_value numeric(38,12),
  updated_at timestamptz(3) not null,
  tradable boolean not null,
  price_ranges jsonb default '[]' not null,
  terms_at timestamptz(3),
  delisted_at timestamptz(3),
  kind text not null,
  contract varchar(40),
  constraint instrument_pkey primary key (token_id),
  constraint instrument_kind_check check (kind in ('outcome', 'spot')),
  constraint instrument_status_check check (status in ('open', 'paused', 'closed', 'settled')),
  constraint instrument_venue_check check (venue in ('venue-a', 'venue-b', 'crypto'))
);

create table instrument_fact (
  token_id varchar(200) not null,
  at timestamptz(3) not null,
  facts jsonb not null,
  constraint instrument_fact_pkey primary key (token_id, at)
);

create table intent_request (
  account_id uuid not null,
  deployment_id uuid not null,
  node_id varchar(200) not null,
  step_at timestamptz(3) not null,
  "position" int not null,
  intent jsonb not null,
  created_at timestamptz(3) not null,
  constraint intent_request_pkey primary key (account_id, deployment_id, node_id, step_at)
);
create index intent_request_age on intent_request (created_at);

create table ledger_check (
  account_id uuid not null,
  mode text not null,
  checked_at timestamptz(3) not null,
  differences int not null,
  constraint ledger_check_pkey primary key (account_id, mode),
  constraint ledger_check_differences_check check (differences >= 0),
  constraint ledger_check_mode_check check (mode in ('paper', 'live'))
);

create table membership (
  account_id uuid not null,
  user_id uuid not null,
  role text default 'owner' not null,
  created_at timestamptz(3) not null,
  constraint membership_pkey primary key (account_id, user_id),
  constraint membership_role_check check (role = 'owner')
);
create index membership_user on membership (user_id);

create table notification (
  account_id uuid not null,
  id uuid not null,
  kind varchar(60) not null,
  mode text,
  at timestamptz(3) not null,
  data jsonb not null,
  constraint notification_pkey primary key (account_id, id),
  constraint notification_mode_check check (mode in ('paper', 'live'))
);
create index notification_newest on notification (account_id, at desc, id desc);
create index notification_old on notification (at);

create table notification_channel (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  label varchar(120) not null,
  target varchar(500) not null,
  switches jsonb not null,
  quiet_hours jsonb,
  state text default 'on' not null,
  state_reason varchar(300),
  key_id varchar(32),
  wrapped_key bytea,
  nonce bytea,
  ciphertext bytea,
  tag bytea,
  "position" bigint default '0' not null,
  attempts int default 0 not null,
  failing_since timestamptz(3),
  due_at timestamptz(3),
  lease_owner uuid,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int default 1 not null,
  constraint notification_channel_pkey primary key (account_id, id),
  constraint notification_channel_disabled_check check ((state = 'disabled') = (state_reason is not null)),
  constraint notification_channel_failing_check check ((attempts = 0) = (failing_since is null)),
  constraint notification_channel_kind_check check (kind in ('webhook', 'slack', 'discord', 'telegram',
    'email', 'push')),
  constraint notification_channel_lease_check check ((lease_owner is null) = (leased_until is null)),
  constraint notification_channel_sealed_check check (num_nulls(key_id, wrapped_key, nonce,
    ciphertext, tag) = any (array[0, 5])),
  constraint notification_channel_state_check check (state in ('on', 'off', 'disabled'))
);
create index notification_channel_due on notification_channel (due_at) where state = 'on' and due_at is not null;

create table notification_cursor (
  account_id uuid not null,
  seq bigint not null,
  constraint notification_cursor_pkey primary key (account_id)
);

create table notification_delivery (
  account_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  "position" bigint not null,
  notification_id uuid not null,
  status text default 'waiting' not null,
  not_before timestamptz(3) not null,
  expires_at timestamptz(3),
  is_replay boolean default false not null,
  attempts int default 0 not null,
  last_attempt_at timestamptz(3),
  last_status int,
  last_problem varchar(200),
  took_ms int,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint notification_delivery_pkey primary key (account_id, id),
  constraint notification_delivery_position_key unique (account_id, channel_id, "position"),
  constraint notification_delivery_ended_check check ((status = 'waiting') = (ended_at is null)),
  constraint notification_delivery_status_check check (status in ('waiting', 'delivered', 'expired', 'refused'))
);
create index notification_delivery_newest on notification_delivery (account_id, created_at desc, id desc);
create index notification_delivery_of on notification_delivery (account_id, notification_id);
create index notification_delivery_waiting on notification_delivery (account_id, channel_id, "position")
  where status = 'waiting';

create table notification_mark (
  account_id uuid not null,
  name varchar(200) not null,
  at timestamptz(3) not null,
  constraint notification_mark_pkey primary key (account_id, name)
);
create index notification_mark_old on notification_mark (at);

create table operation_run (
  name varchar(40) not null,
  ended_at timestamptz(3) not null,
  is_ok boolean not null,
  last_ok_at timestamptz(3),
  constraint operation_run_pkey primary key (name)
);

create table order_allocation (
  account_id uuid not null,
  order_id uuid not null,
  number int not null,
  position_id uuid not null,
  amount numeric(38,12) not null,
  filled_amount numeric(38,12) default '0' not null,
  constraint order_allocation_pkey primary key (account_id, order_id, number),
  constraint order_allocation_amount_not_negative check (amount >= 0 and amount::numeric <> 'NaN'),
  constraint order_allocation_filled_amount_not_negative check (filled_amount >= 0 and filled_amount::numeric <> 'NaN'),
  constraint order_allocation_not_overfilled check (filled_amount <= amount)
);
create index order_allocation_of_position on order_allocation (account_id, position_id);

create table order_dispatch (
  account_id uuid not null,
  order_id uuid not null,
  connection_id uuid,
  lease_epoch bigint,
  client_order_id varchar(200) not null,
  venue_order_id varchar(200),
  request jsonb not null,
  signed_for timestamptz(3) not null,
  arrives_by timestamptz(3) not null,
  sent_at timestamptz(3) not null,
  absences int default 0 not null,
  absent_as_of timestamptz(3),
  fills_missing_since timestamptz(3),
  constraint order_dispatch_pkey primary key (account_id, order_id)
);
create index order_dispatch_fills_missing on order_dispatch (fills_missing_since) where fills_missing_since is not null;
create index order_dispatch_venue_order on order_dispatch (account_id, connection_id, venue_order_id);
create unique index order_dispatch_client_order on order_dispatch (account_id, connection_id, client_order_id);

create table order_transition (
  account_id uuid not null,
  order_id uuid not null,
  number int not null,
  from_status text,
  to_status text not null,
  at timestamptz(3) not null,
  actor varchar(80) not null,
  reason text,
  seq bigint default nextval('ledger_seq') not null,
  expires_at timestamptz(3),
  digest varchar(64),
  constraint order_transition_pkey primary key (account_id, order_id, number),
  constraint order_transition_from_status_check check (from_status in ('denied', 'pending', 'queued',
    'submitted', 'unknown', 'open', 'partially_filled', 'filled', 'canceled', 'expired',
    'declined', 'rejected')),
  constraint order_transition_to_status_check check (to_status in ('denied', 'pending', 'queued', 'submitted',
    'unknown', 'open', 'partially_filled', 'filled', 'canceled', 'expired', 'declined', 'rejected'))
);

create table paper_fill (
  account_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  token_id varchar(200) not null,
  side text not null,
  amount numeric(38,12) not null,
  price numeric(38,12) not null,
  fee numeric(38,12) not null,
  liquidity text not null,
  offer_price numeric(38,12) not null,
  offer_as_of timestamptz(3) not null,
  at timestamptz(3) not null,
  constraint paper_fill_pkey primary key (account_id, id),
  constraint paper_fill_amount_positive check (amount > 0),
  constraint paper_fill_liquidity_check check (liquidity in ('taker', 'maker')),
  constraint paper_fill_side_check check (side in ('buy', 'sell'))
);
create index paper_fill_of_offer on paper_fill (account_id, token_id, offer_as_of);
create index paper_fill_of_order on paper_fill (account_id, order_id);

create table paper_level (
  account_id uuid not null,
  token_id varchar(200) not null,
  side text not null,
  price numeric(38,12) not null,
  shown numeric(38,12) not null,
  "left" numeric(38,12) not null,
  seen_at timestamptz(3) not null,
  constraint paper_level_pkey primary key (account_id, token_id, side, price),
  constraint paper_level_left_check check ("left" >= 0 and "left" <= shown),
  constraint paper_level_side_check check (side in ('buy', 'sell'))
);

create table paper_order (
  account_id uuid not null,
  id uuid not null,
  token_id varchar(200) not null,
  venue text not null,
  side text not null,
  time_in_force text not null,
  amount numeric(38,12) not null,
  limit_price numeric(38,12) not null,
  filled_amount numeric(38,12) default '0' not null,
  status text not null,
  reason_code varchar(60),
  reason text,
  placed_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  candle_at timestamptz(3),
  good_till timestamptz(3),
  constraint paper_order_pkey primary key (account_id, id),
  constraint paper_order_not_overfilled check (filled_amount >= 0 and filled_amount <= amount),
  constraint paper_order_side_check check (side in ('buy', 'sell')),
  constraint paper_order_status_check check (status in ('open', 'filled', 'canceled', 'rejected')),
  constraint paper_order_time_in_force_check check (time_in_force in ('gtc', 'ioc')),
  constraint paper_order_venue_check check (venue in ('venue-a', 'venue-b', 'crypto'))
);
create index paper_order_resting on paper_order (token_id) where status = 'open';

create table "position" (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  token_id varchar(200) not null,
  venue text not null,
  blueprint_id uuid not null,
  amount numeric(38,12) not null,
  total_cost numeric(38,12) not null,
  realized_pnl numeric(38,12) not null,
  fees numeric(38,12) not null,
  fill_count int default 0 not null,
  opened_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint position_pkey primary key (account_id, id),
  constraint position_amount_not_negative check (amount >= 0 and amount::numeric <> 'NaN'),
  constraint position_mode_check check (mode in ('paper', 'live')),
  constraint position_total_cost_not_negative check (total_cost >= 0 and total_cost::numeric <> 'NaN'),
  constraint position_venue_check check (venue in ('venue-a', 'venue-b', 'crypto'))
);
create index position_held on "position" (account_id, mode) where amount > 0;
create index position_held_by_token on "position" (token_id) where amount > 0;
create index position_moved on "position" (updated_at);
create unique index position_one_per_holding on "position" (account_id, mode, token_id, blueprint_id);

create table price_period (
  since timestamptz(3) not null,
  source text not null,
  constraint price_period_pkey primary key (since),
  constraint price_period_source_check check (source in ('simulator', 'live'))
);

create table push_key (
  name varchar(20) not null,
  public_key varchar(200) not null,
  key_id varchar(32) not null,
  wrapped_key bytea not null,
  nonce bytea not null,
  ciphertext bytea not null,
  tag bytea not null,
  created_at timestamptz(3) not null,
  constraint push_key_pkey primary key (name)
);

create table quote (
  token_id varchar(200) not null,
  bid numeric(38,12),
  bid_size numeric(38,12),
  ask numeric(38,12),
  ask_size numeric(38,12),
  last numeric(38,12),
  market_status text not null,
  as_of timestamptz(3) not null,
  seq bigint not null,
  mark_price numeric(38,12),
  mark_at timestamptz(3),
  volume24h numeric(38,12),
  open_interest numeric(38,12),
  change24h numeric(38,12),
  touch_known boolean default true not null,
  seen_at timestamptz(3),
  no_bid_since timestamptz(3),
  mark_fell_at timestamptz(3),
  mark_before_fall numeric(38,12),
  constraint quote_pkey primary key (token_id),
  constraint quote_market_status_check check (market_status in ('open', 'paused', 'closed', 'settled'))
);
create index quote_newest on quote (seq);

create table quote_chunk (
  token_id varchar(200) not null,
  from_at timestamptz(3) not null,
  until_at timestamptz(3) not null,
  quotes int not null,
  size_bytes int not null,
  is_sealed boolean not null,
  body bytea not null,
  constraint quote_chunk_pkey primary key (token_id, from_at)
);
alter table quote_chunk alter column body set storage external;
create index quote_chunk_newest on quote_chunk (until_at desc, token_id) include (size_bytes);
create index quote_chunk_unsealed on quote_chunk (from_at, token_id) where not is_sealed;

create table release (
  account_id uuid not null,
  blueprint_id uuid not null,
  number int not null,
  body_hash varchar(64) not null,
  name varchar(120) not null,
  deployed_by varchar(80) not null,
  created_at timestamptz(3) not null,
  constraint release_pkey primary key (account_id, blueprint_id, number)
);
create index blueprint_of_visual on release (account_id, body_hash);

create table release_body (
  account_id uuid not null,
  hash varchar(64) not null,
  visual jsonb,
  constraint release_body_pkey primary key (account_id, hash)
);

create table risk_rules (
  account_id uuid not null,
  max_order_size numeric(38,12) not null,
  max_daily_loss numeric(38,12) not null,
  max_open_positions int not null,
  max_orders_per_minute int not null,
  cooldown_after_loss_sec int not null,
  require_approval_above numeric(38,12) not null,
  version int default 1 not null,
  updated_at timestamptz(3) not null,
  mode text not null,
  max_position_size numeric(38,12),
  max_gross_exposure numeric(38,12),
  max_venue_exposure numeric(38,12),
  max_blueprint_budget numeric(38,12),
  max_drawdown numeric(38,12),
  constraint risk_rules_pkey primary key (account_id, mode),
  constraint risk_rules_cooldown_after_loss_sec_not_negative check (cooldown_after_loss_sec >= 0
    and cooldown_after_loss_sec::numeric <> 'NaN'),
  constraint risk_rules_max_blueprint_budget_check check (max_blueprint_budget >= 0 and max_blueprint_budget <> 'NaN'),
  constraint risk_rules_max_daily_loss_not_negative check (max_daily_loss >= 0 and max_daily_loss::numeric <> 'NaN'),
  constraint risk_rules_max_drawdown_check check (max_drawdown >= 0 and max_drawdown <> 'NaN'),
  constraint risk_rules_max_gross_exposure_check check (max_gross_exposure >= 0 and max_gross_exposure <> 'NaN'),
  constraint risk_rules_max_open_positions_not_negative check (max_open_positions >= 0
    and max_open_positions::numeric <> 'NaN'),
  constraint risk_rules_max_order_size_not_negative check (max_order_size >= 0 and max_order_size::numeric <> 'NaN'),
  constraint risk_rules_max_orders_per_minute_not_negative check (max_orders_per_minute >= 0
    and max_orders_per_minute::numeric <> 'NaN'),
  constraint risk_rules_max_position_size_check check (max_position_size >= 0 and max_position_size <> 'NaN'),
  constraint risk_rules_max_venue_exposure_check check (max_venue_exposure >= 0 and max_venue_exposure <> 'NaN'),
  constraint risk_rules_mode_check check (mode in ('paper', 'live')),
  constraint risk_rules_require_approval_above_not_negative check (require_approval_above >= 0
    and require_approval_above::numeric <> 'NaN')
);

create table shard (
  id serial,
  owner uuid,
  fence bigint default '0' not null,
  lease_until timestamptz(3),
  last_tick_at timestamptz(3),
  lag_ms int default 0 not null,
  skipped_ticks bigint default '0' not null,
  constraint shard_pkey primary key (id)
);

create table sweep (
  account_id uuid not null,
  id uuid not null,
  blueprint_id uuid,
  name varchar(120) not null,
  request jsonb not null,
  visual jsonb not null,
  terms jsonb not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  status text default 'queued' not null,
  progress jsonb,
  failure jsonb,
  refused jsonb,
  attempts int default 0 not null,
  lease_owner uuid,
  leased_until timestamptz(3),
  cancel_requested_at timestamptz(3),
  trial_count int default 0 not null,
  is_forgotten boolean default false not null,
  outcome jsonb,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  deleted_at timestamptz(3),
  constraint sweep_pkey primary key (account_id, id),
  constraint sweep_count_check check (trial_count >= 0 and trial_count <= 10000),
  constraint sweep_deleted_check check (deleted_at is null or (status = 'canceled' and is_forgotten)),
  constraint sweep_done_check check ((status = 'done') = (outcome is not null)),
  constraint sweep_failure_check check ((status = 'failed') = (failure is not null)),
  constraint sweep_finished_check check ((status in ('done', 'failed', 'canceled')) = (finished_at is not null)),
  constraint sweep_lease_check check ((status = 'running') = (lease_owner is not null and leased_until is not null)),
  constraint sweep_range_check check (from_at < to_at),
  constraint sweep_status_check check (status in ('queued', 'running', 'done', 'failed', 'canceled'))
);
create index sweep_newest on sweep (account_id, created_at desc, id desc);
create index sweep_of_blueprint on sweep (account_id, blueprint_id, from_at);
create index sweep_unfinished on sweep (created_at) where status in ('queued', 'running');

create table sweep_trial (
  account_id uuid not null,
  sweep_id uuid not null,
  stage text not null,
  fold int not null,
  number int not null,
  combination jsonb not null,
  figures jsonb not null,
  score double precision,
  returns bytea not null,
  result_hash varchar(64) not null,
  constraint sweep_trial_pkey primary key (account_id, sweep_id, stage, fold, number),
  constraint sweep_trial_fold_check check (fold >= 0 and (stage <> 'whole' or fold = 0)),
  constraint sweep_trial_number_check check (number >= 0 and number <= 9999),
  constraint sweep_trial_stage_check check (stage in ('whole', 'train', 'test'))
);
create index sweep_trial_best on sweep_trial (account_id, sweep_id, stage, fold, score desc nulls LAST);

create table trade_order (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  blueprint_id uuid not null,
  deployment_id uuid,
  release_number int,
  node_id varchar(200),
  step_at timestamptz(3),
  origin text not null,
  token_id varchar(200) not null,
  venue text not null,
  side text not null,
  type text not null,
  time_in_force text not null,
  amount numeric(38,12) not null,
  limit_price numeric(38,12) not null,
  size numeric(38,12) not null,
  worst_fee numeric(38,12) not null,
  filled_amount numeric(38,12) default '0' not null,
  filled_notional numeric(38,12) default '0' not null,
  fees numeric(38,12) default '0' not null,
  status text not null,
  reason_code varchar(60),
  reason text,
  receipt jsonb not null,
  rules_version int not null,
  inputs jsonb,
  decided_quote jsonb,
  preapproved_release int,
  approved_by varchar(80),
  venue_order_id varchar(200),
  cancel_requested_at timestamptz(3),
  created_at timestamptz(3) not null,
  queued_at timestamptz(3),
  submitted_at timestamptz(3),
  ended_at timestamptz(3),
  expires_at timestamptz(3),
  updated_at timestamptz(3) not null,
  version int default 1 not null,
  approval_receipt jsonb,
  good_till timestamptz(3),
  connection_id uuid,
  constraint trade_order_pkey primary key (account_id, id),
  constraint trade_order_amount_positive check (amount > 0 and amount <> 'NaN'),
  constraint trade_order_fees_not_negative check (fees >= 0 and fees::numeric <> 'NaN'),
  constraint trade_order_filled_amount_not_negative check (filled_amount >= 0 and filled_amount::numeric <> 'NaN'),
  constraint trade_order_filled_notional_not_negative check (filled_notional >= 0 and filled_notional::numeric <> 'NaN'),
  constraint trade_order_limit_price_not_negative check (limit_price >= 0 and limit_price::numeric <> 'NaN'),
  constraint trade_order_mode_check check (mode in ('paper', 'live')),
  constraint trade_order_not_overfilled check (filled_amount <= amount or (mode <> 'paper' and venue = 'venue-b'
    and side = 'buy' and filled_notional <= size)),
  constraint trade_order_origin_check check (origin in ('order', 'close', 'exit', 'manual')),
  constraint trade_order_side_check check (side in ('buy', 'sell')),
  constraint trade_order_size_not_negative check (size >= 0 and size::numeric <> 'NaN'),
  constraint trade_order_status_check check (status in ('denied', 'pending', 'queued', 'submitted', 'unknown',
    'open', 'partially_filled', 'filled', 'canceled', 'expired', 'declined', 'rejected')),
  constraint trade_order_time_in_force_check check (time_in_force in ('gtc', 'ioc')),
  constraint trade_order_type_check check (type in ('market', 'limit')),
  constraint trade_order_venue_check check (venue in ('venue-a', 'venue-b', 'crypto')),
  constraint trade_order_worst_fee_not_negative check (worst_fee >= 0 and worst_fee::numeric <> 'NaN')
);
create index trade_order_denied on trade_order (account_id, created_at desc, id desc) where status = 'denied';
create index trade_order_denied_age on trade_order (created_at) where status = 'denied';
create index trade_order_ended_at_venue on trade_order (connection_id, ended_at) where connection_id is not null
  and status in ('rejected', 'canceled');
create index trade_order_given_up on trade_order (ended_at) where status = 'rejected'
  and reason_code::text = 'never_arrived' and connection_id is not null;
create index trade_order_good_till on trade_order (good_till) where good_till is not null
  and status in ('open', 'partially_filled');
create index trade_order_live on trade_order (account_id, mode) where status in ('pending', 'queued',
  'submitted', 'unknown', 'open', 'partially_filled');
create index trade_order_newest_of_mode on trade_order (account_id, mode, created_at desc, id desc);
create index trade_order_of_blueprint on trade_order (account_id, blueprint_id, created_at desc, id desc);
create index trade_order_recently_queued on trade_order (account_id, mode, queued_at) where queued_at is not null;
create index trade_order_resting on trade_order (account_id, id) where status in ('open', 'partially_filled');
create index trade_order_to_cancel on trade_order (cancel_requested_at) where cancel_requested_at is not null
  and status in ('submitted', 'unknown', 'open', 'partially_filled');
create index trade_order_to_expire on trade_order (expires_at) where status in ('pending', 'queued');
create index trade_order_to_send on trade_order (queued_at) where status = 'queued';
create index trade_order_venue_order on trade_order (account_id, connection_id, venue_order_id)
  where connection_id is not null;
create index trade_order_without_answer on trade_order (submitted_at) where status in ('submitted', 'unknown');
create unique index trade_order_one_per_step on trade_order (account_id, deployment_id, node_id, step_at)
  where deployment_id is not null;

create table trading_account (
  account_id uuid not null,
  mode text not null,
  cash numeric(38,12) not null,
  realized_pnl numeric(38,12) default '0' not null,
  last_loss_at timestamptz(3),
  created_at timestamptz(3) not null,
  tripped_at timestamptz(3),
  trip_reason text,
  constraint trading_account_pkey primary key (account_id, mode),
  constraint trading_account_cash_is_a_number check (cash <> 'NaN'),
  constraint trading_account_mode_check check (mode in ('paper', 'live'))
);

create table venue_cash (
  account_id uuid not null,
  connection_id uuid not null,
  currency varchar(20) not null,
  shard varchar(20) not null,
  available numeric(38,12) not null,
  total numeric(38,12) not null,
  read_at timestamptz(3) not null,
  constraint venue_cash_pkey primary key (account_id, connection_id, currency, shard)
);

create table venue_connection (
  account_id uuid not null,
  id uuid not null,
  venue text not null,
  environment text not null,
  label varchar(120) not null,
  state text not null,
  state_code varchar(60),
  state_reason text,
  state_at timestamptz(3) not null,
  is_held_by_person boolean default false not null,
  fingerprint varchar(200),
  key_hint varchar(4) not null,
  credential_version int default 1 not null,
  permissions text[],
  key_expires_at timestamptz(3),
  max_order numeric(38,12),
  max_day numeric(38,12),
  max_open_notional numeric(38,12),
  clock_offset_ms int,
  checks jsonb,
  checked_at timestamptz(3),
  check_requested_at timestamptz(3),
  reconciled_at timestamptz(3),
  cancel_all_requested_at timestamptz(3),
  lease_epoch bigint default '0' not null,
  lease_owner varchar(80),
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int default 1 not null,
  resumed_at timestamptz(3),
  constraint venue_connection_pkey primary key (account_id, id),
  constraint venue_connection_environment_check check (environment in ('demo', 'testnet', 'live')),
  constraint venue_connection_limits_check check (max_order > 0 and max_day > 0 and max_open_notional > 0),
  constraint venue_connection_state_check check (state in ('unverified', 'ready', 'reduce_only', 'halted',
    'expired', 'revoked')),
  constraint venue_connection_venue_check check (venue in ('venue-a', 'venue-b', 'crypto'))
);
create index venue_connection_to_check on venue_connection (check_requested_at) where check_requested_at is not null;
create unique index venue_connection_fingerprint on venue_connection (venue, environment, fingerprint)
  where state <> 'revoked';

create table venue_credential (
  account_id uuid not null,
  connection_id uuid not null,
  version int not null,
  key_id varchar(32) not null,
  wrapped_key bytea not null,
  nonce bytea not null,
  ciphertext bytea not null,
  tag bytea not null,
  created_at timestamptz(3) not null,
  constraint venue_credential_pkey primary key (account_id, connection_id, version)
);

create table venue_cursor (
  account_id uuid not null,
  connection_id uuid not null,
  fills text,
  orders_at timestamptz(3),
  fills_at timestamptz(3),
  books_at timestamptz(3),
  agreed_at timestamptz(3),
  constraint venue_cursor_pkey primary key (account_id, connection_id)
);

create table venue_difference (
  account_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  subject varchar(500) not null,
  kind text not null,
  ours numeric(38,12),
  theirs numeric(38,12),
  worth numeric(38,12),
  about jsonb not null,
  first_seen timestamptz(3) not null,
  since timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  state text not null,
  resolved_by varchar(80),
  note text,
  resolved_at timestamptz(3),
  constraint venue_difference_pkey primary key (account_id, id),
  constraint venue_difference_kind_check check (kind in ('in_flight', 'lag', 'external_order', 'external_fill',
    'transfer', 'fee', 'unredeemed', 'netting', 'unexplained')),
  constraint venue_difference_state_check check (state in ('open', 'gone', 'booked', 'explained'))
);
create index venue_difference_explained on venue_difference (account_id, connection_id) where state = 'explained';
create index venue_difference_newest on venue_difference (account_id, connection_id, first_seen desc, id desc);
create unique index venue_difference_open on venue_difference (account_id, connection_id, subject) where state = 'open';

create table venue_event (
  account_id uuid not null,
  connection_id uuid not null,
  key varchar(500) not null,
  client_order_id varchar(200),
  venue_order_id varchar(200),
  report jsonb not null,
  at timestamptz(3) not null,
  constraint venue_event_pkey primary key (account_id, connection_id, key)
);
create index venue_event_age on venue_event (at);
create index venue_event_client_order on venue_event (account_id, connection_id, client_order_id)
  where client_order_id is not null;
create index venue_event_venue_order on venue_event (account_id, connection_id, venue_order_id)
  where venue_order_id is not null;

create table auth.account (
  id uuid default gen_random_uuid() not null,
  "accountId" text not null,
  "providerId" text not null,
  "userId" uuid not null,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamptz not null,
  constraint account_pkey primary key (id)
);
create index "account_userId_idx" on auth.account ("userId");

create table auth.jwks (
  id uuid default gen_random_uuid() not null,
  "publicKey" text not null,
  "privateKey" text not null,
  "createdAt" timestamptz not null,
  "expiresAt" timestamptz,
  alg text,
  crv text,
  constraint jwks_pkey primary key (id)
);

create table auth.passkey (
  id uuid default gen_random_uuid() not null,
  name text,
  "publicKey" text not null,
  "userId" uuid not null,
  "credentialID" text not null,
  counter int not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  transports text,
  "createdAt" timestamptz,
  aaguid text,
  constraint passkey_pkey primary key (id)
);
create index "passkey_userId_idx" on auth.passkey ("userId");
create unique index "passkey_credentialID_idx" on auth.passkey ("credentialID");

create table auth."secondFactorKey" (
  id int default 1 not null,
  "keyId" text not null,
  "wrappedKey" bytea not null,
  constraint "secondFactorKey_pkey" primary key (id),
  constraint "secondFactorKey_id_check" check (id = 1)
);

create table auth.session (
  id uuid default gen_random_uuid() not null,
  "expiresAt" timestamptz not null,
  token text not null,
  "createdAt" timestamptz default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" uuid not null,
  constraint session_pkey primary key (id),
  constraint session_token_key unique (token)
);
create index "session_userId_idx" on auth.session ("userId");
create index session_expiry on auth.session ("expiresAt");

create table auth."twoFactor" (
  id uuid default gen_random_uuid() not null,
  secret text not null,
  "backupCodes" text not null,
  "userId" uuid not null,
  verified boolean,
  "failedVerificationCount" int,
  "lockedUntil" timestamptz,
  constraint "twoFactor_pkey" primary key (id),
  constraint "twoFactor_userId_key" unique ("userId")
);

create table auth."usedCode" (
  "userId" uuid not null,
  counter bigint not null,
  constraint "usedCode_pkey" primary key ("userId")
);

create table auth."user" (
  id uuid default gen_random_uuid() not null,
  name text not null,
  email text not null,
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamptz default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamptz default CURRENT_TIMESTAMP not null,
  "twoFactorEnabled" boolean,
  constraint user_pkey primary key (id),
  constraint user_email_key unique (email)
);

create table auth.verification (
  id uuid default gen_random_uuid() not null,
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamptz default CURRENT_TIMESTAMP not null,
  constraint verification_pkey primary key (id)
);
create index verification_expiry on auth.verification ("expiresAt");
create index verification_identifier_idx on auth.verification (identifier);

alter table fill add constraint fill_settlement_price_range check (kind <> 'settlement' or (price >= 0
  and price <= 1)) not valid;
alter table instrument add constraint instrument_settlement_value_range check (settlement_value is null
  or (kind = 'outcome' and settlement_value >= 0 and settlement_value <= 1)) not valid;

alter table account_day add constraint account_day_account_id_mode_foreign
  foreign key (account_id, mode) references trading_account (account_id, mode) on delete restrict;
alter table account_event add constraint account_event_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table api_key add constraint api_key_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table api_key add constraint api_key_account_id_rotated_from_foreign
  foreign key (account_id, rotated_from) references api_key (account_id, id) on delete restrict;
alter table audit_event add constraint audit_event_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table backtest add constraint backtest_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table backtest add constraint backtest_blueprint_id_foreign
  foreign key (account_id, blueprint_id) references blueprint (account_id, id) on delete set null (blueprint_id);
alter table backtest_part add constraint backtest_part_backtest_id_foreign
  foreign key (account_id, backtest_id) references backtest (account_id, id) on delete cascade;
alter table blueprint add constraint blueprint_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table blueprint_equity add constraint blueprint_equity_account_id_mode_fkey
  foreign key (account_id, mode) references trading_account (account_id, mode);
alter table cash_entry add constraint cash_entry_account_id_fill_id_foreign
  foreign key (account_id, fill_id) references fill (account_id, id) on delete restrict;
alter table cash_entry add constraint cash_entry_account_id_mode_foreign
  foreign key (account_id, mode) references trading_account (account_id, mode) on delete restrict;
alter table denied_fold add constraint denied_fold_account_id_order_id_foreign
  foreign key (account_id, order_id) references trade_order (account_id, id) on delete restrict;
alter table deployment add constraint deployment_account_id_blueprint_id_release_number_foreign
  foreign key (account_id, blueprint_id, release_number) references release (account_id,
    blueprint_id, number) on delete restrict;
alter table deployment_nodes add constraint deployment_nodes_account_id_deployment_id_foreign
  foreign key (account_id, deployment_id) references deployment (account_id, id) on delete restrict;
alter table deployment_state add constraint deployment_state_account_id_deployment_id_foreign
  foreign key (account_id, deployment_id) references deployment (account_id, id) on delete restrict;
alter table drawdown_watch add constraint drawdown_watch_account_id_mode_fkey
  foreign key (account_id, mode) references trading_account (account_id, mode);
alter table equity_point add constraint equity_point_account_id_mode_foreign
  foreign key (account_id, mode) references trading_account (account_id, mode) on delete restrict;
alter table fill add constraint fill_account_id_mode_foreign
  foreign key (account_id, mode) references trading_account (account_id, mode) on delete restrict;
alter table fill add constraint fill_account_id_order_id_foreign
  foreign key (account_id, order_id) references trade_order (account_id, id) on delete restrict;
alter table fill add constraint fill_connection_fkey
  foreign key (account_id, connection_id) references venue_connection (account_id, id);
alter table fill_allocation add constraint fill_allocation_account_id_fill_id_foreign
  foreign key (account_id, fill_id) references fill (account_id, id) on delete restrict;
alter table fill_allocation add constraint fill_allocation_account_id_position_id_foreign
  foreign key (account_id, position_id) references "position" (account_id, id) on delete restrict;
alter table history_chunk add constraint history_chunk_series_id_foreign
  foreign key (series_id) references history_series (id);
alter table history_import add constraint history_import_account_id_foreign
  foreign key (account_id) references account (id);
alter table idempotency_key add constraint idempotency_key_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table intent_request add constraint intent_request_account_id_deployment_id_foreign
  foreign key (account_id, deployment_id) references deployment (account_id, id) on delete restrict;
alter table ledger_check add constraint ledger_check_account_id_mode_fkey
  foreign key (account_id, mode) references trading_account (account_id, mode);
alter table membership add constraint membership_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table notification add constraint notification_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table notification_channel add constraint notification_channel_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table notification_cursor add constraint notification_cursor_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table notification_delivery add constraint notification_delivery_channel_id_foreign
  foreign key (account_id, channel_id) references notification_channel (account_id, id) on delete cascade;
alter table notification_delivery add constraint notification_delivery_notification_id_foreign
  foreign key (account_id, notification_id) references notification (account_id, id) on delete cascade;
alter table notification_mark add constraint notification_mark_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table order_allocation add constraint order_allocation_account_id_order_id_foreign
  foreign key (account_id, order_id) references trade_order (account_id, id) on delete restrict;
alter table order_allocation add constraint order_allocation_account_id_position_id_foreign
  foreign key (account_id, position_id) references "position" (account_id, id) on delete restrict;
alter table order_dispatch add constraint order_dispatch_account_id_order_id_foreign
  foreign key (account_id, order_id) references trade_order (account_id, id) on delete restrict;
alter table order_dispatch add constraint order_dispatch_connection_fkey
  foreign key (account_id, connection_id) references venue_connection (account_id, id);
alter table order_transition add constraint order_transition_account_id_order_id_foreign
  foreign key (account_id, order_id) references trade_order (account_id, id) on delete restrict;
alter table paper_fill add constraint paper_fill_account_id_order_id_foreign
  foreign key (account_id, order_id) references paper_order (account_id, id) on delete restrict;
alter table paper_level add constraint paper_level_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table paper_order add constraint paper_order_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table "position" add constraint position_account_id_blueprint_id_foreign
  foreign key (account_id, blueprint_id) references blueprint (account_id, id) on delete restrict;
alter table "position" add constraint position_account_id_mode_foreign
  foreign key (account_id, mode) references trading_account (account_id, mode) on delete restrict;
alter table "position" add constraint position_token_id_foreign
  foreign key (token_id) references instrument (token_id) on delete restrict;
alter table release add constraint release_account_id_blueprint_id_foreign
  foreign key (account_id, blueprint_id) references blueprint (account_id, id) on delete restrict;
alter table release add constraint release_account_id_body_hash_foreign
  foreign key (account_id, body_hash) references release_body (account_id, hash) on delete restrict;
alter table release_body add constraint release_body_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table risk_rules add constraint risk_rules_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table sweep add constraint sweep_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table sweep add constraint sweep_blueprint_id_foreign
  foreign key (account_id, blueprint_id) references blueprint (account_id, id) on delete set null (blueprint_id);
alter table sweep_trial add constraint sweep_trial_sweep_id_foreign
  foreign key (account_id, sweep_id) references sweep (account_id, id) on delete cascade;
alter table trade_order add constraint trade_order_account_id_blueprint_id_foreign
  foreign key (account_id, blueprint_id) references blueprint (account_id, id) on delete restrict;
alter table trade_order add constraint trade_order_account_id_deployment_id_foreign
  foreign key (account_id, deployment_id) references deployment (account_id, id) on delete restrict;
alter table trade_order add constraint trade_order_account_id_mode_foreign
  foreign key (account_id, mode) references trading_account (account_id, mode) on delete restrict;
alter table trade_order add constraint trade_order_connection_fkey
  foreign key (account_id, connection_id) references venue_connection (account_id, id);
alter table trade_order add constraint trade_order_token_id_foreign
  foreign key (token_id) references instrument (token_id) on delete restrict;
alter table trading_account add constraint trading_account_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table venue_cash add constraint venue_cash_account_id_connection_id_foreign
  foreign key (account_id, connection_id) references venue_connection (account_id, id) on delete restrict;
alter table venue_connection add constraint venue_connection_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table venue_credential add constraint venue_credential_account_id_connection_id_foreign
  foreign key (account_id, connection_id) references venue_connection (account_id, id) on delete restrict;
alter table venue_cursor add constraint venue_cursor_account_id_connection_id_foreign
  foreign key (account_id, connection_id) references venue_connection (account_id, id) on delete restrict;
alter table venue_difference add constraint venue_difference_account_id_connection_id_foreign
  foreign key (account_id, connection_id) references venue_connection (account_id, id) on delete restrict;
alter table venue_event add constraint venue_event_account_id_foreign
  foreign key (account_id) references account (id) on delete restrict;
alter table auth.account add constraint "account_userId_fkey"
  foreign key ("userId") references auth."user" (id) on delete cascade;
alter table auth.passkey add constraint "passkey_userId_fkey"
  foreign key ("userId") references auth."user" (id) on delete cascade;
alter table auth.session add constraint "session_userId_fkey"
  foreign key ("userId") references auth."user" (id) on delete cascade;
alter table auth."twoFactor" add constraint "twoFactor_userId_fkey"
  foreign key ("userId") references auth."user" (id) on delete cascade;
alter table auth."usedCode" add constraint "usedCode_userId_fkey"
  foreign key ("userId") references auth."user" (id) on delete cascade;

create function account_of_user(who uuid) returns uuid
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  begin
    return (select m.account_id from membership m where m.user_id = who order by m.created_at limit 1);
  end $$;
revoke execute on function account_of_user(uuid) from public;

create function delete_denied(accounts uuid[], orders uuid[], keepers uuid[]) returns setof uuid
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
  begin
    insert into denied_fold (account_id, order_id, folded)
      select d.account_id, d.keeper, sum(1 + coalesce(f.folded, 0))
      from unnest(accounts, orders, keepers) as d (account_id, id, keeper)
        left join denied_fold f on f.account_id = d.account_id and f.order_id = d.id
      where d.keeper is not null group by d.account_id, d.keeper
      on conflict (account_id, order_id) do update set folded = denied_fold.folded + excluded.folded;
    delete from denied_fold f using unnest(accounts, orders) as d (account_id, id)
      where f.account_id = d.account_id and f.order_id = d.id;
    delete from order_transition t using unnest(accounts, orders) as d (account_id, id)
      where t.account_id = d.account_id and t.order_id = d.id;
    return query delete from trade_order o using unnest(accounts, orders) as d (account_id, id)
      where o.account_id = d.account_id and o.id = d.id returning o.id;
  end $$;
revoke execute on function delete_denied(uuid[], uuid[], uuid[]) from public;

create function instrument_said(stated jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog as $$ select stated - 'token_id' - 'updated_at' - 'terms_at' $$;

create function keep_instrument_facts() returns trigger language plpgsql set search_path = public, pg_catalog as $$
  begin
    insert into instrument_fact (token_id, at, facts)
    values (new.token_id, greatest(clock_timestamp(), (
      select max(at) + interval '1 millisecond' from instrument_fact where token_id = new.token_id
    )), instrument_said(to_jsonb(new)));
    return null;
  end $$;

create function keep_mark() returns trigger language plpgsql as $$
  declare
    patience constant interval := '10 seconds';
    seen_before timestamptz;
  begin
    if tg_op = 'UPDATE' then
      new.mark_price := old.mark_price;
      new.mark_at := old.mark_at;
      new.no_bid_since := old.no_bid_since;
      new.mark_fell_at := old.mark_fell_at;
      new.mark_before_fall := old.mark_before_fall;
      new.seen_at := old.seen_at;
      seen_before := old.seen_at;
      if new.as_of < seen_before and new.as_of > seen_before - interval '30 seconds' then
        return new;
      end if;
    end if;
    new.seen_at := new.as_of;
    if not new.touch_known or coalesce(new.bid >= new.ask, false) then
      new.no_bid_since := null;
    elsif new.bid > 0 then
      new.mark_price := new.bid;
      new.mark_at := new.as_of;
      new.no_bid_since := null;
      new.mark_fell_at := null;
      new.mark_before_fall := null;
    elsif new.market_status <> 'open' then
      new.no_bid_since := null;
      if new.mark_price is not null then
        new.mark_at := new.as_of;
      end if;
    else
      if new.no_bid_since is null or new.as_of < new.no_bid_since or new.as_of > seen_before + patience then
        new.no_bid_since := new.as_of;
      end if;
      if new.as_of >= new.no_bid_since + patience then
        if new.mark_price is distinct from 0 then
          new.mark_fell_at := new.as_of;
          new.mark_before_fall := new.mark_price;
        end if;
        new.mark_price := 0;
        new.mark_at := new.as_of;
      elsif new.mark_price = 0 then
        new.mark_at := new.as_of;
      end if;
    end if;
    return new;
  end $$;

create function live_key(hash bytea)
  returns table (id uuid, account_id uuid, start varchar, scopes text[], mode text)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  begin
    return query select k.id, k.account_id, k.start, k.scopes, k.mode from api_key k
      where k.token_hash = hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp());
  end $$;
revoke execute on function live_key(bytea) from public;

create function refuse_change() returns trigger language plpgsql as $$
  begin raise exception 'rows of % are history and cannot be changed or deleted', tg_table_name; end $$;

create function refuse_changed_deployment() returns trigger language plpgsql as $$
  begin raise exception 'deployment %: its blueprint, release, mode, start and end are written once', old.id; end $$;

create function refuse_changed_intent() returns trigger language plpgsql as $$
  begin raise exception 'order %: an intent is immutable', old.id; end $$;

create function refuse_changed_key() returns trigger language plpgsql as $$
  begin raise exception 'mode and envelope of key % are fixed', old.id; end $$;

create function refuse_leaving_a_final_status() returns trigger language plpgsql as $$
  begin raise exception 'order % is %, which is final', old.id, old.status; end $$;

create function refuse_moved_connection() returns trigger language plpgsql as $$
  begin raise exception 'connection %: its venue stays, and it stays revoked', old.id; end $$;

create function refuse_restating() returns trigger language plpgsql as $$
  begin raise exception 'instrument %: its venue, kind and settlement value are stated once', old.token_id; end $$;

create function refuse_rewriting() returns trigger language plpgsql as $$
  begin raise exception 'order %: what is written of it once is not written again', old.id; end $$;

create function refuse_wider_key() returns trigger language plpgsql as $$
  begin raise exception 'key %: its scopes stay, it never ends later, and it stays revoked', old.id; end $$;

create trigger api_key_fixed before update of mode, envelope on api_key for each row when (old.mode
  is distinct from new.mode or old.envelope is distinct from new.envelope)
  execute function refuse_changed_key();
create trigger api_key_never_wider before update of token_hash, scopes, created_at, created_by, rotated_from,
  expires_at, revoked_at on api_key for each row when (old.token_hash is distinct from new.token_hash
  or old.scopes is distinct from new.scopes or old.created_at is distinct from new.created_at or old.created_by
  is distinct from new.created_by or old.rotated_from is distinct from new.rotated_from
  or (old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at))
  or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at))
  execute function refuse_wider_key();

create trigger audit_event_append_only before delete on audit_event for each row execute function refuse_change();
create trigger audit_event_not_truncated before truncate on audit_event for each statement
  execute function refuse_change();
create trigger audit_event_unchanged before update on audit_event for each row when ((old.account_id, old.id,
  old.at, old.actor, old.action, old.mode, old.subject_id, old.request_id) is distinct from (new.account_id,
  new.id, new.at, new.actor, new.action, new.mode, new.subject_id, new.request_id) or new.before is not null
  or new.after is not null or split_part(old.action, '.', 1) not in ('api_key', 'blueprint', 'notify',
  'password', 'session', 'user', 'venue_connection')) execute function refuse_change();

create trigger blueprint_equity_append_only before delete on blueprint_equity for each row
  when (old.at > statement_timestamp() - interval '7 days') execute function refuse_change();
create trigger blueprint_equity_not_truncated before truncate on blueprint_equity for each statement
  execute function refuse_change();
create trigger blueprint_equity_unchanged before update on blueprint_equity for each row
  execute function refuse_change();

create trigger cash_entry_append_only before update or delete on cash_entry for each row
  execute function refuse_change();
create trigger cash_entry_not_truncated before truncate on cash_entry for each statement
  execute function refuse_change();

create trigger deployment_runs_until_ended before delete on deployment for each row when (old.ended_at is null)
  execute function refuse_changed_deployment();
create trigger deployment_written_once before update of blueprint_id, release_number, mode, started_at,
  ended_at, end_reason on deployment for each row when (old.blueprint_id is distinct from new.blueprint_id
  or old.release_number is distinct from new.release_number or old.mode is distinct from new.mode
  or old.started_at is distinct from new.started_at or (old.ended_at is not null
  and (new.ended_at, new.end_reason) is distinct from (old.ended_at, old.end_reason)))
  execute function refuse_changed_deployment();

create trigger equity_point_append_only before delete on equity_point for each row
  when (old.at > statement_timestamp() - interval '7 days') execute function refuse_change();
create trigger equity_point_not_truncated before truncate on equity_point for each statement
  execute function refuse_change();
create trigger equity_point_unchanged before update on equity_point for each row execute function refuse_change();

create trigger fill_append_only before update or delete on fill for each row execute function refuse_change();
create trigger fill_not_truncated before truncate on fill for each statement execute function refuse_change();

create trigger fill_allocation_append_only before update or delete on fill_allocation for each row
  execute function refuse_change();
create trigger fill_allocation_not_truncated before truncate on fill_allocation for each statement
  execute function refuse_change();

create trigger history_chunk_not_truncated before truncate on history_chunk for each statement
  execute function refuse_change();
create trigger history_chunk_sealed before update or delete on history_chunk for each row when (old.is_sealed)
  execute function refuse_change();

create trigger instrument_facts_of_changed after update on instrument for each row
  when (instrument_said(to_jsonb(old)) is distinct from instrument_said(to_jsonb(new)))
  execute function keep_instrument_facts();
create trigger instrument_facts_of_new after insert on instrument for each row execute function keep_instrument_facts();
create trigger instrument_stated_once before update of venue, kind, settlement_value on instrument for each row
  when (old.venue is distinct from new.venue or old.kind is distinct from new.kind
  or (old.settlement_value is not null and new.settlement_value is distinct from old.settlement_value))
  execute function refuse_restating();

create trigger instrument_fact_append_only before update or delete on instrument_fact for each row
  execute function refuse_change();
create trigger instrument_fact_not_truncated before truncate on instrument_fact for each statement
  execute function refuse_change();

create trigger order_dispatch_named_once before update of venue_order_id on order_dispatch for each row
  when (old.venue_order_id is not null and new.venue_order_id is distinct from old.venue_order_id)
  execute function refuse_change();
create trigger order_dispatch_sent_once before update of connection_id, lease_epoch, client_order_id, request,
  signed_for, arrives_by, sent_at on order_dispatch for each row when (old.connection_id
  is distinct from new.connection_id or old.lease_epoch is distinct from new.lease_epoch or old.client_order_id
  is distinct from new.client_order_id or old.request is distinct from new.request or old.signed_for
  is distinct from new.signed_for or old.arrives_by is distinct from new.arrives_by or old.sent_at
  is distinct from new.sent_at) execute function refuse_change();

create trigger order_transition_append_only before delete on order_transition for each row
  when (old.from_status is not null or old.to_status <> 'denied'
  or old.at > statement_timestamp() - interval '1 day') execute function refuse_change();
create trigger order_transition_not_truncated before truncate on order_transition for each statement
  execute function refuse_change();
create trigger order_transition_unchanged before update on order_transition for each row
  execute function refuse_change();

create trigger price_period_append_only before update or delete on price_period for each row
  execute function refuse_change();
create trigger price_period_not_truncated before truncate on price_period for each statement
  execute function refuse_change();

create trigger quote_mark before insert or update on quote for each row execute function keep_mark();

create trigger release_unchanged before update on release for each row when ((old.account_id, old.blueprint_id,
  old.number, old.body_hash, old.deployed_by, old.created_at) is distinct from (new.account_id,
  new.blueprint_id, new.number, new.body_hash, new.deployed_by, new.created_at) or (new.name
  is distinct from old.name and new.name <> 'Erased')) execute function refuse_change();

create trigger trade_order_connection_immutable before update of connection_id on trade_order for each row
  when (old.connection_id is distinct from new.connection_id) execute function refuse_changed_intent();
create trigger trade_order_final_status before update of status on trade_order for each row
  when (old.status in ('denied', 'filled', 'canceled', 'expired', 'declined', 'rejected') and new.status
  is distinct from old.status and not (new.status = 'filled' and old.status in ('canceled',
  'expired', 'rejected'))) execute function refuse_leaving_a_final_status();
create trigger trade_order_good_till_immutable before update of good_till on trade_order for each row
  when (old.good_till is distinct from new.good_till and not (old.good_till is null and old.mode = 'live'
  and old.status = 'pending' and new.status = 'queued')) execute function refuse_changed_intent();
create trigger trade_order_immutable before update of mode, blueprint_id, deployment_id, release_number,
  node_id, step_at, origin, token_id, venue, side, type, time_in_force, limit_price, receipt, rules_version,
  inputs, decided_quote, preapproved_release, created_at, amount, size, worst_fee on trade_order for each row
  when ((old.mode, old.blueprint_id, old.deployment_id, old.release_number, old.node_id, old.step_at,
  old.origin, old.token_id, old.venue, old.side, old.type, old.time_in_force, old.limit_price, old.receipt,
  old.rules_version, old.inputs, old.decided_quote, old.preapproved_release, old.created_at)
  is distinct from (new.mode, new.blueprint_id, new.deployment_id, new.release_number, new.node_id, new.step_at,
  new.origin, new.token_id, new.venue, new.side, new.type, new.time_in_force, new.limit_price, new.receipt,
  new.rules_version, new.inputs, new.decided_quote, new.preapproved_release, new.created_at) or ((old.amount,
  old.size, old.worst_fee) is distinct from (new.amount, new.size, new.worst_fee)
  and not (old.status = 'pending' and new.status = 'pending' and old.side = 'sell' and new.amount <= old.amount
  and new.size <= old.size and new.worst_fee <= old.worst_fee))) execute function refuse_changed_intent();
create trigger trade_order_stays before delete on trade_order for each row when (old.status <> 'denied'
  or old.created_at > statement_timestamp() - interval '1 day') execute function refuse_change();
create trigger trade_order_written_once before update of approved_by, approval_receipt, queued_at, submitted_at,
  venue_order_id, cancel_requested_at on trade_order for each row when ((old.approved_by is not null
  and new.approved_by is distinct from old.approved_by) or (old.approval_receipt is not null
  and new.approval_receipt is distinct from old.approval_receipt) or (old.queued_at is not null
  and new.queued_at is distinct from old.queued_at) or (old.submitted_at is not null and new.submitted_at
  is distinct from old.submitted_at) or (old.venue_order_id is not null and new.venue_order_id
  is distinct from old.venue_order_id) or (old.cancel_requested_at is not null and new.cancel_requested_at
  is distinct from old.cancel_requested_at)) execute function refuse_rewriting();

create trigger venue_connection_fixed before update of venue, environment,
  created_at, fingerprint on venue_connection for each row when ((old.venue, old.environment, old.created_at)
  is distinct from (new.venue, new.environment, new.created_at) or (old.fingerprint is not null
  and old.fingerprint is distinct from new.fingerprint and not (new.fingerprint is null
  and old.state = 'revoked'))) execute function refuse_change();
create trigger venue_connection_stays before update of venue, environment, state on venue_connection
  for each row when (old.venue is distinct from new.venue or old.environment is distinct from new.environment
  or (old.state = 'revoked' and new.state <> 'revoked')) execute function refuse_moved_connection();
