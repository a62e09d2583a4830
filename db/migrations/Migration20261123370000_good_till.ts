import { Migration } from '@mikro-orm/migrations';

/** When an order is taken back by its own terms: part of the intent, so it never changes. */
export class Migration20261123370000_good_till extends Migration {
  override name = 'Migration20261123370000_good_till';

  override up(): void {
    this.addSql(`alter table "trade_order" add "good_till" timestamptz(3) null`);
    this.addSql(`alter table "paper_order" add "good_till" timestamptz(3) null`);
    this.addSql(`create trigger trade_order_good_till_immutable before update of good_till on trade_order
      for each row when (old.good_till is distinct from new.good_till) execute function refuse_changed_intent()`);
    this.addSql(
      `create index trade_order_good_till on trade_order (good_till) where good_till is not null and status in ('open', 'partially_filled')`,
    );
  }
}
