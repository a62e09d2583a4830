import { Migration } from '@mikro-orm/migrations';

/** What stops a connection by itself: since when it counts, and a way to the orders of a connection that ended lately. */
export class Migration20261125400000_brakes extends Migration {
  override name = 'Migration20261125400000_brakes';

  override up(): void {
    this.addSql(`alter table "venue_connection" add column "resumed_at" timestamptz(3) null`);
    this.addSql(
      `create index trade_order_ended_at_venue on trade_order (connection_id, ended_at) where connection_id is not null and status in ('rejected', 'canceled')`,
    );
  }
}
