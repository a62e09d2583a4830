import { Migration } from '@mikro-orm/migrations';

/**
 * What the rounds of the runner and every answer of a venue ask is answered from what it is about, however many orders there
 * have been: what rests in pages by its key, what is without an answer, and what is parked by either name of its order.
 */
export class Migration20261125600000_look_ups_of_rounds extends Migration {
  override name = 'Migration20261125600000_look_ups_of_rounds';

  override up(): void {
    this.addSql(`drop index trade_order_in_flight`);
    this.addSql(
      `create index trade_order_without_answer on trade_order (submitted_at) where status in ('submitted', 'unknown')`,
    );
    this.addSql(
      `create index trade_order_resting on trade_order (account_id, id) where status in ('open', 'partially_filled')`,
    );
    this.addSql(
      `create index venue_event_client_order on venue_event (account_id, connection_id, client_order_id) where client_order_id is not null`,
    );
    this.addSql(
      `create index venue_event_venue_order on venue_event (account_id, connection_id, venue_order_id) where venue_order_id is not null`,
    );
  }
}
