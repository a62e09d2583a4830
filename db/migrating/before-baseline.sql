-- Migration20261202120101_history_shares
alter table "history_import" add "served_at" timestamptz(3) null;
alter table "history_chunk" add "paid_by" uuid null;

-- Migration20261202120102_deployment_once
create function refuse_changed_deployment() returns trigger language plpgsql as $$
  begin raise exception 'deployment %: its blueprint, release, mode, start and end are written once', old.id; end $$;
create trigger deployment_written_once before update of blueprint_id, release_number, mode, started_at, ended_at, end_reason on deployment
  for each row when (old.blueprint_id is distinct from new.blueprint_id or old.release_number is distinct from new.release_number or old.mode is distinct from new.mode or old.started_at is distinct from new.started_at
    or (old.ended_at is not null and (new.ended_at, new.end_reason) is distinct from (old.ended_at, old.end_reason)))
  execute function refuse_changed_deployment();
create trigger deployment_runs_until_ended before delete on deployment
  for each row when (old.ended_at is null) execute function refuse_changed_deployment();

-- Migration20261202120103_dispatch_names
create trigger order_dispatch_named_once before update of venue_order_id on order_dispatch for each row
  when (old.venue_order_id is not null and new.venue_order_id is distinct from old.venue_order_id)
  execute function refuse_change();

-- Migration20261202120104_keys_narrow
create function refuse_wider_key() returns trigger language plpgsql as $$
  begin raise exception 'key %: its scopes stay, it never ends later, and it stays revoked', old.id; end $$;
create trigger api_key_never_wider before update of token_hash, scopes, created_at, created_by, rotated_from, expires_at, revoked_at on api_key
  for each row when (old.token_hash is distinct from new.token_hash or old.scopes is distinct from new.scopes or old.created_at is distinct from new.created_at or old.created_by is distinct from new.created_by or old.rotated_from is distinct from new.rotated_from
    or (old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at))
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at))
  execute function refuse_wider_key();
create function refuse_moved_connection() returns trigger language plpgsql as $$
  begin raise exception 'connection %: its venue stays, and it stays revoked', old.id; end $$;
create trigger venue_connection_stays before update of venue, environment, state on venue_connection
  for each row when (old.venue is distinct from new.venue or old.environment is distinct from new.environment
    or (old.state = 'revoked' and new.state <> 'revoked'))
  execute function refuse_moved_connection();

-- Migration20261202120105_step_digests
alter table "order_transition" add "digest" varchar(64) null;
create trigger equity_point_unchanged before update on equity_point for each row execute function refuse_change();
create trigger equity_point_append_only before delete on equity_point for each row
  when (old.at > statement_timestamp() - interval '7 days') execute function refuse_change();
create trigger equity_point_not_truncated before truncate on equity_point for each statement execute function refuse_change();

-- Migration20261202120106_second_factor_key
create table auth."secondFactorKey" ("id" integer not null primary key default 1 check ("id" = 1), "keyId" text not null, "wrappedKey" bytea not null);
create table auth."usedCode" ("userId" uuid not null primary key references auth."user" ("id") on delete cascade, "counter" bigint not null);

-- Migration20261202120107_settlement_values
alter table instrument add constraint instrument_settlement_value_range check (settlement_value is null
    or (kind = 'outcome' and settlement_value >= 0 and settlement_value <= 1)) not valid;
alter table fill add constraint fill_settlement_price_range check (kind <> 'settlement' or (price >= 0 and price <= 1)) not valid;
create function refuse_restating() returns trigger language plpgsql as $$
  begin raise exception 'instrument %: its venue, kind and settlement value are stated once', old.token_id; end $$;
create trigger instrument_stated_once before update of venue, kind, settlement_value on instrument for each row
  when (old.venue is distinct from new.venue or old.kind is distinct from new.kind
    or (old.settlement_value is not null and new.settlement_value is distinct from old.settlement_value))
  execute function refuse_restating();

-- Migration20261202120201_private_functions
revoke execute on function delete_denied(uuid[], uuid[], uuid[]) from public;

-- Migration20261202120202_operation_run
create table "operation_run" ("name" varchar(40) not null, "ended_at" timestamptz(3) not null, "is_ok" boolean not null, "last_ok_at" timestamptz(3) null, primary key ("name"));
