import { Migration } from '@mikro-orm/migrations';

/** The daily loss latches in the account; the watch over it reads the days of today only. */
export class Migration20261122140100_daily_loss extends Migration {
  override name = 'Migration20261122140100_daily_loss';

  override up(): void {
    this.addSql(
      `alter table "trading_account" add "tripped_at" timestamptz(3) null, add "trip_reason" text null`,
    );
    this.addSql(`create index account_day_of_day on account_day (day)`);
  }
}
