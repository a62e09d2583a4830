import { Migration } from '@mikro-orm/migrations';

/** Venue B bounds a buy by its money: a better price buys more than was asked for. No other order is filled beyond its amount. */
export class Migration20261124010100_overfill extends Migration {
  override name = 'Migration20261124010100_overfill';

  override up(): void {
    this.addSql(`alter table trade_order drop constraint trade_order_not_overfilled`);
    this.addSql(`alter table trade_order add constraint trade_order_not_overfilled check (filled_amount <= amount
      or (mode <> 'paper' and venue = 'venue-b' and side = 'buy' and filled_notional <= size))`);
  }
}
