import { Migration } from '@mikro-orm/migrations';

/** Every price an instrument trades at. What is stored already has none until its venue is asked again. */
export class Migration20261122160000_price_ladder extends Migration {
  override name = 'Migration20261122160000_price_ladder';

  override up(): void {
    this.addSql(`alter table "instrument" add "price_ranges" jsonb not null default '[]'`);
  }
}
