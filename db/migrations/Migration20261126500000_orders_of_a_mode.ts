import { Migration } from '@mikro-orm/migrations';

/**
 * Lists of orders are of one mode: without it in the index, a list of few orders walked past all those of the other mode.
 */
export class Migration20261126500000_orders_of_a_mode extends Migration {
  override name = 'Migration20261126500000_orders_of_a_mode';

  override up(): void {
    this.addSql(
      `create index trade_order_newest_of_mode on trade_order (account_id, mode, created_at desc, id desc)`,
    );
    this.addSql(`drop index trade_order_newest`);
  }
}
