import { Migration } from '@mikro-orm/migrations';

/** An entry with real money that nobody gave an end gets one when it is cleared, which may be long after its birth. */
export class Migration20261125300000_live_rest extends Migration {
  override name = 'Migration20261125300000_live_rest';

  override up(): void {
    this.addSql(`drop trigger trade_order_good_till_immutable on trade_order`);
    this.addSql(`create trigger trade_order_good_till_immutable before update of good_till on trade_order
      for each row when (old.good_till is distinct from new.good_till
        and not (old.good_till is null and old.mode = 'live' and old.status = 'pending' and new.status = 'queued'))
      execute function refuse_changed_intent()`);
  }
}
