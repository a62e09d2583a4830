import { Migration } from '@mikro-orm/migrations';

/** How far an account may fall from its highest: null, as accounts begin, is no limit. Where there is one, how high it stood. */
export class Migration20261126100000_drawdown extends Migration {
  override name = 'Migration20261126100000_drawdown';

  override up(): void {
    this.addSql(`alter table "risk_rules" add "max_drawdown" numeric(38,12) null`);
    this.addSql(
      `alter table risk_rules add constraint risk_rules_max_drawdown_check check (max_drawdown >= 0 and max_drawdown <> 'NaN')`,
    );
    this.addSql(
      `create table "drawdown_watch" ("account_id" uuid not null, "mode" text not null, "since" timestamptz(3) not null, "high_water_mark" numeric(38,12) not null, "rising_to" numeric(38,12) null, "rising_since" timestamptz(3) null, "beyond_since" timestamptz(3) null, "tripped_at" timestamptz(3) null, primary key ("account_id", "mode"))`,
    );
    this.addSql(
      `alter table "drawdown_watch" add constraint "drawdown_watch_mode_check" check ("mode" in ('paper', 'live'))`,
    );
    this.addSql(
      `alter table drawdown_watch add constraint drawdown_watch_numbers check (high_water_mark <> 'NaN' and rising_to <> 'NaN' and (rising_to is null) = (rising_since is null))`,
    );
    this.addSql(
      `alter table drawdown_watch add foreign key (account_id, mode) references trading_account (account_id, mode)`,
    );
  }

  override down(): void {
    this.addSql(`drop table drawdown_watch`);
    this.addSql(`alter table "risk_rules" drop column "max_drawdown"`);
  }
}
