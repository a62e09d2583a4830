import { Migration } from '@mikro-orm/migrations';

/**
 * A mark is the last thing the market is known to have bid. What says nothing (a crossed or locked touch, a quote that
 * comes late) leaves it as it is, and an empty bid counts as 0 only once it was seen empty for 10 s without a gap as
 * long. A clock that was set back by more than 30 s is not a late quote: from then on its time counts.
 */
export class Migration20261122140000_marks extends Migration {
  override name = 'Migration20261122140000_marks';

  override up(): void {
    this.addSql(
      `alter table "quote" add "touch_known" boolean not null default true, add "seen_at" timestamptz(3) null, add "no_bid_since" timestamptz(3) null, add "mark_fell_at" timestamptz(3) null, add "mark_before_fall" numeric(38,12) null`,
    );
    this.addSql(`create or replace function keep_mark() returns trigger language plpgsql as $$
      declare
        patience constant interval := '10 seconds';
        seen_before timestamptz;
      begin
        if tg_op = 'UPDATE' then
          new.mark_price := old.mark_price;
          new.mark_at := old.mark_at;
          new.no_bid_since := old.no_bid_since;
          new.mark_fell_at := old.mark_fell_at;
          new.mark_before_fall := old.mark_before_fall;
          new.seen_at := old.seen_at;
          seen_before := old.seen_at;
          if new.as_of < seen_before and new.as_of > seen_before - interval '30 seconds' then
            return new;
          end if;
        end if;
        new.seen_at := new.as_of;
        if not new.touch_known or coalesce(new.bid >= new.ask, false) then
          new.no_bid_since := null;
        elsif new.bid > 0 then
          new.mark_price := new.bid;
          new.mark_at := new.as_of;
          new.no_bid_since := null;
          new.mark_fell_at := null;
          new.mark_before_fall := null;
        elsif new.market_status <> 'open' then
          new.no_bid_since := null;
          if new.mark_price is not null then
            new.mark_at := new.as_of;
          end if;
        else
          if new.no_bid_since is null or new.as_of < new.no_bid_since or new.as_of > seen_before + patience then
            new.no_bid_since := new.as_of;
          end if;
          if new.as_of >= new.no_bid_since + patience then
            if new.mark_price is distinct from 0 then
              new.mark_fell_at := new.as_of;
              new.mark_before_fall := new.mark_price;
            end if;
            new.mark_price := 0;
            new.mark_at := new.as_of;
          elsif new.mark_price = 0 then
            new.mark_at := new.as_of;
          end if;
        end if;
        return new;
      end $$`);
  }
}
