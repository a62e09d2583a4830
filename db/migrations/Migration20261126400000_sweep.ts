import { Migration } from '@mikro-orm/migrations';

/** Sweeps: what was asked, how far it is, what it found; and what each trial came to, in short. */
export class Migration20261126400000_sweep extends Migration {
  override name = 'Migration20261126400000_sweep';

  override up(): void {
    this.addSql(
      `create table "sweep" ("account_id" uuid not null, "id" uuid not null, "blueprint_id" uuid null, "name" varchar(120) not null, "request" jsonb not null, "visual" jsonb not null, "terms" jsonb not null, "from_at" timestamptz(3) not null, "to_at" timestamptz(3) not null, "status" text not null default 'queued', "progress" jsonb null, "failure" jsonb null, "refused" jsonb null, "attempts" int not null default 0, "lease_owner" uuid null, "leased_until" timestamptz(3) null, "cancel_requested_at" timestamptz(3) null, "trial_count" int not null default 0, "is_forgotten" boolean not null default false, "outcome" jsonb null, "created_at" timestamptz(3) not null, "started_at" timestamptz(3) null, "finished_at" timestamptz(3) null, primary key ("account_id", "id"))`,
    );
    this.addSql(
      `create table "sweep_trial" ("account_id" uuid not null, "sweep_id" uuid not null, "stage" text not null, "fold" int not null, "number" int not null, "combination" jsonb not null, "figures" jsonb not null, "score" double precision null, "returns" bytea not null, "result_hash" varchar(64) not null, primary key ("account_id", "sweep_id", "stage", "fold", "number"))`,
    );
    this.addSql(
      `alter table "sweep" add constraint "sweep_status_check" check ("status" in ('queued', 'running', 'done', 'failed', 'canceled'))`,
    );
    this.addSql(
      `alter table "sweep_trial" add constraint "sweep_trial_stage_check" check ("stage" in ('whole', 'train', 'test'))`,
    );
    // A state says what it is made of: nothing ends twice, and nothing is done without an outcome.
    this.addSql(`alter table sweep
      add constraint sweep_lease_check check ((status = 'running') = (lease_owner is not null and leased_until is not null)),
      add constraint sweep_finished_check check ((status in ('done', 'failed', 'canceled')) = (finished_at is not null)),
      add constraint sweep_done_check check ((status = 'done') = (outcome is not null)),
      add constraint sweep_failure_check check ((status = 'failed') = (failure is not null)),
      add constraint sweep_range_check check (from_at < to_at),
      add constraint sweep_count_check check (trial_count between 0 and 10000)`);
    this.addSql(`alter table sweep_trial
      add constraint sweep_trial_fold_check check (fold >= 0 and (stage <> 'whole' or fold = 0)),
      add constraint sweep_trial_number_check check (number between 0 and 9999)`);
    this.addSql(
      `alter table sweep add constraint sweep_account_id_foreign foreign key (account_id) references account (id) on delete restrict`,
    );
    this.addSql(
      `alter table sweep add constraint sweep_blueprint_id_foreign foreign key (account_id, blueprint_id) references blueprint (account_id, id) on delete set null (blueprint_id)`,
    );
    this.addSql(
      `alter table sweep_trial add constraint sweep_trial_sweep_id_foreign foreign key (account_id, sweep_id) references sweep (account_id, id) on delete cascade`,
    );
    this.addSql(`create index sweep_newest on sweep (account_id, created_at desc, id desc)`);
    this.addSql(`create index sweep_of_blueprint on sweep (account_id, blueprint_id, from_at)`);
    this.addSql(`create index sweep_unfinished on sweep (created_at) where status in ('queued', 'running')`);
    this.addSql(
      `create index sweep_trial_best on sweep_trial (account_id, sweep_id, stage, fold, score desc nulls last)`,
    );
  }

  override down(): void {
    this.addSql(`drop table sweep_trial`);
    this.addSql(`drop table sweep`);
  }
}
