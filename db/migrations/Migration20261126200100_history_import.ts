import { Migration } from '@mikro-orm/migrations';

/** Imports of history that accounts asked for. */
export class Migration20261126200100_history_import extends Migration {
  override name = 'Migration20261126200100_history_import';

  override up(): void {
    this.addSql(
      `create table "history_import" ("id" uuid not null, "account_id" uuid not null, "venue" text not null, "token_id" varchar(200) not null, "kind" text not null, "resolution_ms" bigint not null, "from_at" timestamptz(3) not null, "to_at" timestamptz(3) not null, "status" text not null, "progress" double precision not null, "rows" int not null, "gaps" int not null, "differences" int not null, "failure" varchar(400) null, "created_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "history_import" add constraint "history_import_venue_check" check ("venue" in ('venue-a', 'venue-b', 'crypto'))`,
    );
    this.addSql(
      `alter table "history_import" add constraint "history_import_kind_check" check ("kind" in ('candle', 'bid_ask', 'midpoint'))`,
    );
    this.addSql(
      `alter table "history_import" add constraint "history_import_status_check" check ("status" in ('queued', 'running', 'done', 'failed', 'canceled'))`,
    );
    this.addSql(
      `alter table history_import add constraint history_import_account_id_foreign foreign key (account_id) references account (id)`,
    );
    this.addSql(`create index history_import_newest on history_import (account_id, created_at desc, id)`);
    this.addSql(
      `create index history_import_open on history_import (venue, created_at, id) where status in ('queued', 'running')`,
    );
  }

  override down(): void {
    this.addSql(`drop table history_import`);
  }
}
