import { Migration } from '@mikro-orm/migrations';

/** Adds the range of a signal, and the sender of each value. */
export class Migration20261201025722_signal_ranges extends Migration {
  override name = 'Migration20261201025722_signal_ranges';

  override up(): void {
    this.addSql(
      `alter table "signal" add "kind" text not null default 'number', add "min_value" double precision null, add "max_value" double precision null, add "last_sender" varchar(80) null;`,
    );
    this.addSql(
      `alter table "signal" add constraint "signal_kind_check" check ("kind" in ('number', 'boolean'));`,
    );
    this.addSql(`alter table "signal_value" add "sender" varchar(80) null;`);
  }
}
