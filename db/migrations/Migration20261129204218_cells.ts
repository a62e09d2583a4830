import { Migration } from '@mikro-orm/migrations';

/** The number of a cell, and what is known of accounts that move between cells. */
export class Migration20261129204218_cells extends Migration {
  override name = 'Migration20261129204218_cells';

  override up(): void {
    this.addSql(
      `create table "cell" ("id" int not null, "number" smallint not null, primary key ("id"), check (id = 1));`,
    );
    this.addSql(
      `create table "arriving_part" ("arriving_id" uuid not null, "number" int not null, "table_name" text not null, "rows" jsonb not null, primary key ("arriving_id", "number"));`,
    );
    this.addSql(
      `create table "moved_account" ("id" uuid not null, "cell" smallint not null, "user_ids" text[] not null, "moved_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(
      `create table "moved_key" ("token_hash" bytea not null, "moved_id" uuid not null, primary key ("token_hash"));`,
    );
    this.addSql(`alter table "account" add "moving_to" smallint null;`);
  }
}
