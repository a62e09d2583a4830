import { Migration } from '@mikro-orm/migrations';

/** The most an account has at stake in one instrument: null, as accounts begin, is no limit. */
export class Migration20261124610000_max_position_size extends Migration {
  override name = 'Migration20261124610000_max_position_size';

  override up(): void {
    this.addSql(`alter table "risk_rules" add "max_position_size" numeric(38,12) null`);
    this.addSql(
      `alter table risk_rules add constraint risk_rules_max_position_size_check check (max_position_size >= 0 and max_position_size <> 'NaN')`,
    );
  }
}
