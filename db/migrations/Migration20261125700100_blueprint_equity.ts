import { Migration } from '@mikro-orm/migrations';

/** What each blueprint made and holds, every five minutes in which it held or traded: its statistics are made of it. */
export class Migration20261125700100_blueprint_equity extends Migration {
  override name = 'Migration20261125700100_blueprint_equity';

  override up(): void {
    this.addSql(
      `create table "blueprint_equity" ("account_id" uuid not null, "mode" text not null, "blueprint_id" uuid not null, "at" timestamptz(3) not null, "realized_pnl" numeric(38,12) not null, "unrealized_pnl" numeric(38,12) not null, "held" numeric(38,12) not null, primary key ("account_id", "mode", "blueprint_id", "at"))`,
    );
    this.addSql(
      `alter table "blueprint_equity" add constraint "blueprint_equity_mode_check" check ("mode" in ('paper', 'live'))`,
    );
    this.addSql(
      `alter table blueprint_equity add foreign key (account_id, mode) references trading_account (account_id, mode)`,
    );
    this.addSql(
      `create trigger blueprint_equity_append_only before update or delete on blueprint_equity for each row execute function refuse_change()`,
    );
    this.addSql(
      `create trigger blueprint_equity_not_truncated before truncate on blueprint_equity for each statement execute function refuse_change()`,
    );
    this.addSql(`create index position_moved on position (updated_at)`);
  }

  override down(): void {
    this.addSql(`drop index position_moved`);
    this.addSql(`drop table blueprint_equity`);
  }
}
