import { Migration } from '@mikro-orm/migrations';

/**
 * The two questions that are asked before the account is known: whose key is this, and which account is this user's. They
 * run as the owner, who sees every row; the answer is all that comes back.
 */
export class Migration20261122220000_look_ups extends Migration {
  override name = 'Migration20261122220000_look_ups';

  override up(): void {
    this.addSql(`create function live_key(hash bytea)
      returns table (id uuid, account_id uuid, start varchar, scopes text[])
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        return query select k.id, k.account_id, k.start, k.scopes from api_key k
          where k.token_hash = hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp());
      end $$`);
    this.addSql(`create function account_of_user(who uuid) returns uuid
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        return (select m.account_id from membership m where m.user_id = who order by m.created_at limit 1);
      end $$`);
    this.addSql(`revoke execute on function live_key(bytea), account_of_user(uuid) from public`);
  }
}
