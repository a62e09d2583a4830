import { Migration } from '@mikro-orm/migrations';

/** When markets opened for trading. */
export class Migration20261130003806_listings extends Migration {
  override name = 'Migration20261130003806_listings';

  override up(): void {
    this.addSql(`alter table "instrument" add "opens_at" timestamptz(3) null;`);
  }
}
