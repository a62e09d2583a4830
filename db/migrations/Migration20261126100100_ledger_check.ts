import { Migration } from '@mikro-orm/migrations';

/** When books were last verified by the service itself, and what came of it. */
export class Migration20261126100100_ledger_check extends Migration {
  override name = 'Migration20261126100100_ledger_check';

  override up(): void {
    this.addSql(
      `create table "ledger_check" ("account_id" uuid not null, "mode" text not null, "checked_at" timestamptz(3) not null, "differences" int not null, primary key ("account_id", "mode"))`,
    );
    this.addSql(
      `alter table "ledger_check" add constraint "ledger_check_mode_check" check ("mode" in ('paper', 'live'))`,
    );
    this.addSql(
      `alter table ledger_check add constraint ledger_check_differences_check check (differences >= 0)`,
    );
    this.addSql(
      `alter table ledger_check add foreign key (account_id, mode) references trading_account (account_id, mode)`,
    );
  }

  override down(): void {
    this.addSql(`drop table ledger_check`);
  }
}
