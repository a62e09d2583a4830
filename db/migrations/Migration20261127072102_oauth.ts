import { Migration } from '@mikro-orm/migrations';

/** Access of connected clients, and which key was shown the token of a signal. */
export class Migration20261127072102_oauth extends Migration {
  override name = 'Migration20261127072102_oauth';

  override up(): void {
    this.addSql(
      `create table "oauth_client" ("id" uuid not null, "name" varchar(120) not null, "redirect_uris" text[] not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `create table "oauth_grant" ("account_id" uuid not null, "id" uuid not null, "client_id" uuid not null, "client_name" varchar(120) not null, "redirect_uri" text not null, "name" varchar(120) not null, "scopes" text[] not null, "envelope" jsonb null, "ends_at" timestamptz(3) not null, "actor" varchar(80) not null, "created_by" uuid not null, "code_hash" bytea not null, "code_challenge" varchar(43) not null, "code_expires_at" timestamptz(3) not null, "key_id" uuid null, "access_hash" bytea null, "access_expires_at" timestamptz(3) null, "family_hash" bytea null, "refresh_hash" bytea null, primary key ("account_id", "id"));`,
    );
    this.addSql(`alter table "signal" add "token_key_id" uuid null;`);
    this.addSql(`alter table oauth_grant add constraint oauth_grant_account_id_foreign
      foreign key (account_id) references account (id) on delete restrict`);
    this.addSql(`alter table oauth_grant add constraint oauth_grant_key_id_foreign
      foreign key (account_id, key_id) references api_key (account_id, id) on delete restrict`);
    this.addSql(`create unique index oauth_grant_code on oauth_grant (code_hash)`);
    this.addSql(`create unique index oauth_grant_access on oauth_grant (access_hash)`);
    this.addSql(`create unique index oauth_grant_family on oauth_grant (family_hash)`);
    this.addSql(`create unique index oauth_grant_key on oauth_grant (account_id, key_id)`);
    this.addSql(`create index oauth_client_unused on oauth_client (created_at) where last_used_at is null`);
    this.addSql(`create function live_grant(hash bytea)
      returns table (id uuid, account_id uuid, start varchar, scopes text[], mode text)
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        return query select k.id, k.account_id, k.start, k.scopes, k.mode
          from oauth_grant g join api_key k on k.account_id = g.account_id and k.id = g.key_id
          where g.access_hash = hash and g.access_expires_at > clock_timestamp() and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > clock_timestamp());
      end $$`);
    this.addSql(`revoke execute on function live_grant(bytea) from public`);
  }
}
