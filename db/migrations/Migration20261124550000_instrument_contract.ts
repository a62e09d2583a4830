import { Migration } from '@mikro-orm/migrations';

/** Which contract settles an instrument. Stored terms say nothing of it yet; they are asked for anew before an order is made of them. */
export class Migration20261124550000_instrument_contract extends Migration {
  override name = 'Migration20261124550000_instrument_contract';

  override up(): void {
    this.addSql(`alter table "instrument" add "contract" varchar(40) null`);
  }
}
