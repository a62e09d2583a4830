import { Migration } from '@mikro-orm/migrations';

/** Backtests: what was asked, how far it is, what it came to; and the rows of results in compressed parts. */
export class Migration20261126300000_backtest extends Migration {
  override name = 'Migration20261126300000_backtest';

  override up(): void {
    this.addSql(
      `create table "backtest" ("account_id" uuid not null, "id" uuid not null, "blueprint_id" uuid null, "name" varchar(120) not null, "request" jsonb not null, "request_hash" varchar(64) not null, "visual" jsonb not null, "terms" jsonb not null, "status" text not null default 'queued', "phase" text null, "progress" jsonb null, "failure" jsonb null, "attempts" int not null default 0, "lease_owner" uuid null, "leased_until" timestamptz(3) null, "cancel_requested_at" timestamptz(3) null, "summary" jsonb null, "coverage" jsonb null, "result_hash" varchar(64) null, "stored_bytes" int not null default 0, "notes" varchar(2000) not null default '', "is_pinned" boolean not null default false, "created_at" timestamptz(3) not null, "started_at" timestamptz(3) null, "finished_at" timestamptz(3) null, primary key ("account_id", "id"))`,
    );
    this.addSql(
      `create table "backtest_part" ("account_id" uuid not null, "backtest_id" uuid not null, "kind" text not null, "seq" int not null, "first_row" int not null, "rows" int not null, "body" bytea not null, primary key ("account_id", "backtest_id", "kind", "seq"))`,
    );
    this.addSql(
      `alter table "backtest" add constraint "backtest_status_check" check ("status" in ('queued', 'running', 'done', 'failed', 'canceled'))`,
    );
    this.addSql(
      `alter table "backtest" add constraint "backtest_phase_check" check ("phase" in ('history', 'running', 'checks', 'writing'))`,
    );
    this.addSql(
      `alter table "backtest_part" add constraint "backtest_part_kind_check" check ("kind" in ('order', 'fill', 'trade', 'equity', 'log'))`,
    );
    // A state says what it is made of: nothing ends twice, and nothing is done without a result.
    this.addSql(`alter table backtest
      add constraint backtest_lease_check check ((status = 'running') = (lease_owner is not null and leased_until is not null)),
      add constraint backtest_finished_check check ((status in ('done', 'failed', 'canceled')) = (finished_at is not null)),
      add constraint backtest_done_check check (status <> 'done' or (summary is not null and result_hash is not null)),
      add constraint backtest_failure_check check ((status = 'failed') = (failure is not null)),
      add constraint backtest_summary_check check (octet_length(summary::text) <= 20480),
      add constraint backtest_stored_check check (stored_bytes between 0 and 33554432)`);
    this.addSql(`alter table backtest_part
      add constraint backtest_part_size_check check (octet_length(body) <= 1048576),
      add constraint backtest_part_rows_check check (rows > 0 and first_row >= 0)`);
    this.addSql(
      `alter table backtest add constraint backtest_account_id_foreign foreign key (account_id) references account (id) on delete restrict`,
    );
    this.addSql(
      `alter table backtest add constraint backtest_blueprint_id_foreign foreign key (account_id, blueprint_id) references blueprint (account_id, id) on delete set null (blueprint_id)`,
    );
    this.addSql(
      `alter table backtest_part add constraint backtest_part_backtest_id_foreign foreign key (account_id, backtest_id) references backtest (account_id, id) on delete cascade`,
    );
    // It comes compressed.
    this.addSql(`alter table backtest_part alter column body set storage external`);
    this.addSql(`create index backtest_newest on backtest (account_id, created_at desc, id desc)`);
    this.addSql(`create index backtest_of_blueprint on backtest (account_id, blueprint_id, created_at desc)`);
    this.addSql(`create index backtest_equal on backtest (account_id, request_hash) where status = 'done'`);
    this.addSql(
      `create index backtest_unfinished on backtest (created_at) where status in ('queued', 'running')`,
    );
  }

  override down(): void {
    this.addSql(`drop table backtest_part`);
    this.addSql(`drop table backtest`);
  }
}
