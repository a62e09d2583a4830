import { Migration } from '@mikro-orm/migrations';

/** Orders that fill whole at once or not at all. */
export class Migration20261129063645_fill_or_kill extends Migration {
  override name = 'Migration20261129063645_fill_or_kill';

  override up(): void {
    this.addSql(`alter table "trade_order" drop constraint "trade_order_time_in_force_check";`);
    this.addSql(
      `alter table "trade_order" add constraint "trade_order_time_in_force_check" check ("time_in_force" in ('gtc', 'ioc', 'fok'));`,
    );

    this.addSql(`alter table "paper_order" drop constraint "paper_order_time_in_force_check";`);
    this.addSql(
      `alter table "paper_order" add constraint "paper_order_time_in_force_check" check ("time_in_force" in ('gtc', 'ioc', 'fok'));`,
    );
  }
}
