import { Migration } from '@mikro-orm/migrations';

/** The most one blueprint has at stake: null, as accounts begin, is no limit. */
export class Migration20261124610300_max_blueprint_budget extends Migration {
  override name = 'Migration20261124610300_max_blueprint_budget';

  override up(): void {
    this.addSql(`alter table "risk_rules" add "max_blueprint_budget" numeric(38,12) null`);
    this.addSql(
      `alter table risk_rules add constraint risk_rules_max_blueprint_budget_check check (max_blueprint_budget >= 0 and max_blueprint_budget <> 'NaN')`,
    );
  }
}
