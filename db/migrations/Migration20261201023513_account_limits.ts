import { Migration } from '@mikro-orm/migrations';

/** Limits of one account, which operators set and see. */
export class Migration20261201023513_account_limits extends Migration {
  override name = 'Migration20261201023513_account_limits';

  override up(): void {
    this.addSql(
      `alter table "account" add "blueprints_max" int not null default 200, add "visual_bytes_max" int not null default 16777216, add "keys_max" int not null default 100;`,
    );
    this.addSql(`drop function operator_accounts(uuid, text, timestamptz, uuid, int)`);
    this.addSql(`create function operator_accounts(session_id uuid, prefix text, before_at timestamptz, before_id uuid, most int)
      returns table (id uuid, email text, name text, created_at timestamptz, is_moving boolean, suspended_at timestamptz,
        suspension_reason text, last_seen_at timestamptz, sessions int, running int, keys int, connections int,
        blueprints int, graph_bytes int, blueprints_max int, graph_bytes_max int, keys_max int)
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
      set plan_cache_mode = force_custom_plan as $$
      begin
        if not exists (select from operator_of(session_id) o where o.is_fresh) then
          raise insufficient_privilege using message = 'Only a fresh session of an operator reads accounts.';
        end if;
        return query select a.id, u.email, u.name, a.created_at, a.moving_to is not null, a.suspended_at, a.suspension_reason,
            greatest(s.seen_at, k.used_at), s.live, d.live, k.live, c.live, a.blueprint_count, a.visual_bytes,
            a.blueprints_max, a.visual_bytes_max, a.keys_max
          from account a
            left join membership m on m.account_id = a.id
            left join auth."user" u on u.id = m.user_id
            cross join lateral (select max(x."updatedAt") as seen_at,
                (count(*) filter (where x."expiresAt" > clock_timestamp()))::int as live
              from auth.session x where x."userId" = m.user_id) s
            cross join lateral (select count(*)::int as live from deployment x
              where x.account_id = a.id and x.ended_at is null) d
            cross join lateral (select max(x.last_used_at) as used_at, (count(*) filter (where x.revoked_at is null
                and (x.expires_at is null or x.expires_at > clock_timestamp())))::int as live
              from api_key x where x.account_id = a.id) k
            cross join lateral (select count(*)::int as live from venue_connection x
              where x.account_id = a.id and x.state <> 'revoked') c
          where (prefix is null or starts_with(u.email, prefix))
            and (before_at is null or (a.created_at, a.id) < (before_at, before_id))
          order by a.created_at desc, a.id desc
          limit least(most, 201);
      end $$`);
    this.addSql(
      `revoke execute on function operator_accounts(uuid, text, timestamptz, uuid, int) from public`,
    );
  }
}
