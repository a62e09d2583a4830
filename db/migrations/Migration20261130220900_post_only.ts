import { Migration } from '@mikro-orm/migrations';

/** Orders that never take an offer. */
export class Migration20261130220900_post_only extends Migration {
  override name = 'Migration20261130220900_post_only';

  override up(): void {
    for (const table of ['trade_order', 'paper_order']) {
      this.addSql(`alter table "${table}" drop constraint "${table}_time_in_force_check";`);
      this.addSql(
        `alter table "${table}" add constraint "${table}_time_in_force_check" check ("time_in_force" in ('gtc', 'gtx', 'ioc', 'fok'));`,
      );
    }
  }
}
