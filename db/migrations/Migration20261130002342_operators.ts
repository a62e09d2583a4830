import { Migration } from '@mikro-orm/migrations';

/** Operators, suspended accounts, and what an operator's session may read of all accounts. */
export class Migration20261130002342_operators extends Migration {
  override name = 'Migration20261130002342_operators';

  override up(): void {
    this.addSql(
      `create table "operator" ("user_id" uuid not null, "factor_id" uuid not null, "granted_at" timestamptz(3) not null, primary key ("user_id"));`,
    );
    this.addSql(
      `alter table "account" add "suspended_at" timestamptz(3) null, add "suspension_reason" text null;`,
    );
    this.addSql(
      `create table "process" ("id" uuid not null, "role" varchar(10) not null, "version" varchar(40) not null, "host" varchar(120) not null, "started_at" timestamptz(3) not null, "seen_at" timestamptz(3) not null, "drains_since" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`alter table account add constraint account_suspension_reason
      check ((suspended_at is null) = (suspension_reason is null))`);
    this.addSql(`create index account_newest on account (created_at desc, id desc)`);
    this.addSql(`create index user_email_prefix on auth."user" (email text_pattern_ops)`);
    // A sign-in by a provider has no second factor of ours.
    this.addSql(`create function operator_of(session_id uuid) returns table (user_id uuid, is_fresh boolean)
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        return query select u.id, s."createdAt" > clock_timestamp() - interval '1 hour'
          from auth.session s
            join auth."user" u on u.id = s."userId" and u."twoFactorEnabled"
            join public.operator o on o.user_id = u.id
            join auth."twoFactor" f on f.id = o.factor_id and f."userId" = u.id
          where s.id = session_id and s."expiresAt" > clock_timestamp()
            and not exists (select from auth.account a where a."userId" = u.id and a."providerId" <> 'credential');
      end $$`);
    this.addSql(`create function operator_accounts(session_id uuid, prefix text, before_at timestamptz, before_id uuid, most int)
      returns table (id uuid, email text, name text, created_at timestamptz, is_moving boolean, suspended_at timestamptz,
        suspension_reason text, last_seen_at timestamptz, sessions int, running int, keys int, connections int,
        blueprints int, graph_bytes int)
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
      set plan_cache_mode = force_custom_plan as $$
      begin
        if not exists (select from operator_of(session_id) o where o.is_fresh) then
          raise insufficient_privilege using message = 'Only a fresh session of an operator reads accounts.';
        end if;
        return query select a.id, u.email, u.name, a.created_at, a.moving_to is not null, a.suspended_at, a.suspension_reason,
            greatest(s.seen_at, k.used_at), s.live, d.live, k.live, c.live, a.blueprint_count, a.visual_bytes
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
    this.addSql(`revoke execute on function operator_of(uuid) from public`);
    this.addSql(
      `revoke execute on function operator_accounts(uuid, text, timestamptz, uuid, int) from public`,
    );
  }
}
