import { Migration } from '@mikro-orm/migrations';

/** What left through a connection names one of its own account. Paper orders have none. */
export class Migration20261126100200_by_which_connection extends Migration {
  override name = 'Migration20261126100200_by_which_connection';

  override up(): void {
    for (const table of ['trade_order', 'fill', 'order_dispatch'])
      this.addSql(
        `alter table ${table} add constraint ${table}_connection_fkey foreign key (account_id, connection_id) references venue_connection (account_id, id)`,
      );
  }

  override down(): void {
    for (const table of ['order_dispatch', 'fill', 'trade_order'])
      this.addSql(`alter table ${table} drop constraint ${table}_connection_fkey`);
  }
}
