import { Migration } from '@mikro-orm/migrations';

/**
 * What passes may be deleted once it is old: points of equity a week after they were kept, denied orders a day after they were
 * denied. Everything else of orders and their steps stays history.
 */
export class Migration20261127600100_retention extends Migration {
  override name = 'Migration20261127600100_retention';

  override up(): void {
    this.addSql(
      `create table "denied_fold" ("account_id" uuid not null, "order_id" uuid not null, "folded" bigint not null, primary key ("account_id", "order_id"));`,
    );
    this.addSql(
      `alter table denied_fold add constraint denied_fold_account_id_order_id_foreign foreign key (account_id, order_id) references trade_order (account_id, id) on delete restrict`,
    );
    this.addSql(`create index trade_order_denied_age on trade_order (created_at) where status = 'denied'`);
    this.addSql(`create index equity_point_age on equity_point using brin (at)`);
    this.addSql(`create index blueprint_equity_age on blueprint_equity using brin (at)`);

    this.addSql(`create trigger trade_order_stays before delete on trade_order for each row
      when (old.status <> 'denied' or old.created_at > statement_timestamp() - interval '1 day') execute function refuse_change()`);

    this.addSql(`drop trigger order_transition_append_only on order_transition`);
    this.addSql(
      `create trigger order_transition_unchanged before update on order_transition for each row execute function refuse_change()`,
    );
    this.addSql(`create trigger order_transition_append_only before delete on order_transition for each row
      when (old.from_status is not null or old.to_status <> 'denied' or old.at > statement_timestamp() - interval '1 day')
      execute function refuse_change()`);

    // As the owner: the application's role deletes no order but by this, and this none that the triggers keep.
    this.addSql(`create function delete_denied(accounts uuid[], orders uuid[], keepers uuid[]) returns setof uuid
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        insert into denied_fold (account_id, order_id, folded)
          select d.account_id, d.keeper, sum(1 + coalesce(f.folded, 0))
          from unnest(accounts, orders, keepers) as d (account_id, id, keeper)
            left join denied_fold f on f.account_id = d.account_id and f.order_id = d.id
          where d.keeper is not null group by d.account_id, d.keeper
          on conflict (account_id, order_id) do update set folded = denied_fold.folded + excluded.folded;
        delete from denied_fold f using unnest(accounts, orders) as d (account_id, id)
          where f.account_id = d.account_id and f.order_id = d.id;
        delete from order_transition t using unnest(accounts, orders) as d (account_id, id)
          where t.account_id = d.account_id and t.order_id = d.id;
        return query delete from trade_order o using unnest(accounts, orders) as d (account_id, id)
          where o.account_id = d.account_id and o.id = d.id returning o.id;
      end $$`);

    this.addSql(`drop trigger blueprint_equity_append_only on blueprint_equity`);
    this.addSql(
      `create trigger blueprint_equity_unchanged before update on blueprint_equity for each row execute function refuse_change()`,
    );
    this.addSql(`create trigger blueprint_equity_append_only before delete on blueprint_equity for each row
      when (old.at > statement_timestamp() - interval '7 days') execute function refuse_change()`);
  }
}
