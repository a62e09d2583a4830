import { Migration } from '@mikro-orm/migrations';

/** What accounts have taken of the offers that stand at a price. */
export class Migration20261122160100_paper_level extends Migration {
  override name = 'Migration20261122160100_paper_level';

  override up(): void {
    this.addSql(
      `create table "paper_level" ("account_id" uuid not null, "token_id" varchar(200) not null, "side" text not null, "price" numeric(38,12) not null, "shown" numeric(38,12) not null, "left" numeric(38,12) not null, "seen_at" timestamptz(3) not null, primary key ("account_id", "token_id", "side", "price"))`,
    );
    this.addSql(
      `alter table "paper_level" add constraint "paper_level_side_check" check ("side" in ('buy', 'sell'))`,
    );
    this.addSql(
      `alter table "paper_level" add constraint "paper_level_left_check" check ("left" >= 0 and "left" <= "shown")`,
    );
    this.addSql(
      `alter table "paper_level" add constraint "paper_level_account_id_foreign" foreign key ("account_id") references "account" ("id") on delete restrict`,
    );
  }
}
