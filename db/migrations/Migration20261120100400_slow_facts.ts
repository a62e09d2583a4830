import { Migration } from '@mikro-orm/migrations';

/** What a quote says beyond prices: volume, open interest and the day's change. */
export class Migration20261120100400_slow_facts extends Migration {
  override name = 'Migration20261120100400_slow_facts';

  override up(): void {
    this.addSql(
      `alter table "quote" add "volume24h" numeric(38,12) null, add "open_interest" numeric(38,12) null, add "change24h" numeric(38,12) null`,
    );
  }
}
