import { Migration } from '@mikro-orm/migrations';

/** The most an account has at stake in all instruments: null, as accounts begin, is no limit. */
export class Migration20261124610100_max_gross_exposure extends Migration {
  override name = 'Migration20261124610100_max_gross_exposure';

  override up(): void {
    this.addSql(`alter table "risk_rules" add "max_gross_exposure" numeric(38,12) null`);
    this.addSql(
      `alter table risk_rules add constraint risk_rules_max_gross_exposure_check check (max_gross_exposure >= 0 and max_gross_exposure <> 'NaN')`,
    );
  }
}
