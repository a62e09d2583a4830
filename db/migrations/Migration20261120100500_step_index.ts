import { Migration } from '@mikro-orm/migrations';

/** Only what a graph raised has a step: a person's orders and denials need no entry among them. */
export class Migration20261120100500_step_index extends Migration {
  override name = 'Migration20261120100500_step_index';

  override up(): void {
    this.addSql(`drop index trade_order_one_per_step`);
    this.addSql(
      `create unique index trade_order_one_per_step on trade_order (account_id, deployment_id, node_id, step_at) where deployment_id is not null`,
    );
  }
}
