import { Migration } from '@mikro-orm/migrations';

/** Whose prices were traded on, and since when. What was traded before the first row is not known. */
export class Migration20261122240000_price_period extends Migration {
  override name = 'Migration20261122240000_price_period';

  override up(): void {
    this.addSql(
      `create table "price_period" ("since" timestamptz(3) not null, "source" text not null, primary key ("since"))`,
    );
    this.addSql(
      `alter table "price_period" add constraint "price_period_source_check" check ("source" in ('simulator', 'live'))`,
    );
    this.addSql(
      `create trigger price_period_append_only before update or delete on price_period for each row execute function refuse_change()`,
    );
    this.addSql(
      `create trigger price_period_not_truncated before truncate on price_period for each statement execute function refuse_change()`,
    );
  }
}
