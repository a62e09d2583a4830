import { Migration } from '@mikro-orm/migrations';

/** A key says whose money it moves, and within what; neither changes, so that nobody makes one more than was agreed. */
export class Migration20261124210200_key_modes extends Migration {
  override name = 'Migration20261124210200_key_modes';

  override up(): void {
    this.addSql(`alter table "api_key" add "mode" text not null default 'paper'`);
    this.addSql(
      `alter table "api_key" add constraint "api_key_mode_check" check ("mode" in ('paper', 'live'))`,
    );
    this.addSql(`alter table "api_key" add "envelope" jsonb null`);
    this.addSql(`alter table "api_key" add constraint "api_key_live_is_bounded"
      check ("mode" = 'paper' or ("expires_at" is not null and "envelope"->>'maxOrder' is not null))`);
    this.addSql(`create function refuse_changed_key() returns trigger language plpgsql as $$
      begin raise exception 'mode and envelope of key % are fixed', old.id; end $$`);
    this.addSql(`create trigger api_key_fixed before update of mode, envelope on api_key for each row
      when (old.mode is distinct from new.mode or old.envelope is distinct from new.envelope)
      execute function refuse_changed_key()`);
    this.addSql(`drop function live_key(bytea)`);
    this.addSql(`create function live_key(hash bytea)
      returns table (id uuid, account_id uuid, start varchar, scopes text[], mode text)
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        return query select k.id, k.account_id, k.start, k.scopes, k.mode from api_key k
          where k.token_hash = hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp());
      end $$`);
    this.addSql(`revoke execute on function live_key(bytea) from public`);
  }
}
