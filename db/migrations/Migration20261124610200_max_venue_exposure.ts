import { Migration } from '@mikro-orm/migrations';

/** The most an account has at stake at one venue: null, as accounts begin, is no limit. */
export class Migration20261124610200_max_venue_exposure extends Migration {
  override name = 'Migration20261124610200_max_venue_exposure';

  override up(): void {
    this.addSql(`alter table "risk_rules" add "max_venue_exposure" numeric(38,12) null`);
    this.addSql(
      `alter table risk_rules add constraint risk_rules_max_venue_exposure_check check (max_venue_exposure >= 0 and max_venue_exposure <> 'NaN')`,
    );
  }
}
