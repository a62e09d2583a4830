import { Migration } from '@mikro-orm/migrations';

/** A venue can take back a provisional trade: it is booked the other way round. */
export class Migration20261124010300_reversal extends Migration {
  override name = 'Migration20261124010300_reversal';

  override up(): void {
    this.addSql(`alter table "cash_entry" drop constraint "cash_entry_kind_check"`);
    this.addSql(
      `alter table "cash_entry" add constraint "cash_entry_kind_check" check ("kind" in ('deposit', 'trade', 'fee', 'settlement', 'write_off', 'reversal'))`,
    );
    this.addSql(`alter table "fill" drop constraint "fill_kind_check"`);
    this.addSql(
      `alter table "fill" add constraint "fill_kind_check" check ("kind" in ('trade', 'settlement', 'write_off', 'reversal'))`,
    );
  }
}
