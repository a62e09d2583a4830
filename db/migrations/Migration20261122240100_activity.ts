import { Migration } from '@mikro-orm/migrations';

/** The newest of what happened on an account, kind by kind. */
export class Migration20261122240100_activity extends Migration {
  override name = 'Migration20261122240100_activity';

  override up(): void {
    this.addSql(`create index fill_newest on fill (account_id, applied_at desc, id desc)`);
    this.addSql(
      `create index trade_order_denied on trade_order (account_id, created_at desc, id desc) where status = 'denied'`,
    );
  }
}
