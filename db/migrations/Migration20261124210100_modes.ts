import { Migration } from '@mikro-orm/migrations';

/** Rules, events and the audit trail say whose money they are about. All there is so far is of paper. */
export class Migration20261124210100_modes extends Migration {
  override name = 'Migration20261124210100_modes';

  override up(): void {
    for (const table of ['account_event', 'audit_event', 'risk_rules']) {
      // A default that is given with the column holds for the rows there are without writing them: none of them may change.
      this.addSql(`alter table "${table}" add "mode" text default 'paper'`);
      this.addSql(`alter table "${table}" alter column "mode" drop default`);
      this.addSql(
        `alter table "${table}" add constraint "${table}_mode_check" check ("mode" in ('paper', 'live'))`,
      );
    }
    this.addSql(`alter table "risk_rules" alter column "mode" set not null`);
    this.addSql(`alter table "risk_rules" drop constraint "risk_rules_pkey"`);
    this.addSql(`alter table "risk_rules" add primary key ("account_id", "mode")`);
  }
}
