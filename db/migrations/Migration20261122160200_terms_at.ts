import { Migration } from '@mikro-orm/migrations';

/** When the terms of an instrument were stated. What is stored already is asked for again. */
export class Migration20261122160200_terms_at extends Migration {
  override name = 'Migration20261122160200_terms_at';

  override up(): void {
    this.addSql(`alter table "instrument" add "terms_at" timestamptz(3) null`);
  }
}
