import { Migration } from '@mikro-orm/migrations';

/** Positions nobody can sell any more, and how a person takes them off the books. */
export class Migration20261122160300_write_off extends Migration {
  override name = 'Migration20261122160300_write_off';

  override up(): void {
    this.addSql(`alter table "cash_entry" drop constraint "cash_entry_kind_check"`);
    this.addSql(
      `alter table "cash_entry" add constraint "cash_entry_kind_check" check ("kind" in ('deposit', 'trade', 'fee', 'settlement', 'write_off'))`,
    );
    this.addSql(`alter table "fill" drop constraint "fill_kind_check"`);
    this.addSql(
      `alter table "fill" add constraint "fill_kind_check" check ("kind" in ('trade', 'settlement', 'write_off'))`,
    );
    this.addSql(`alter table "instrument" add "delisted_at" timestamptz(3) null`);
  }
}
