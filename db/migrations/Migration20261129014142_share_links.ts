import { Migration } from '@mikro-orm/migrations';

/** Links by which anyone can see the draft of a blueprint. */
export class Migration20261129014142_share_links extends Migration {
  override name = 'Migration20261129014142_share_links';

  override up(): void {
    this.addSql(
      `create table "share_link" ("account_id" uuid not null, "id" uuid not null, "blueprint_id" uuid not null, "token_hash" bytea not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("account_id", "id"));`,
    );
    this.addSql(`alter table share_link add constraint share_link_blueprint_id_foreign
      foreign key (account_id, blueprint_id) references blueprint (account_id, id) on delete cascade`);
    this.addSql(`create unique index share_link_token on share_link (token_hash)`);
    this.addSql(`create index share_link_blueprint on share_link (account_id, blueprint_id)`);
    this.addSql(`create function shared_draft(hash bytea)
      returns table (name varchar, visual jsonb, expires_at timestamptz)
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        return query select b.name, b.visual, l.expires_at
          from share_link l join blueprint b on b.account_id = l.account_id and b.id = l.blueprint_id
          where l.token_hash = hash and l.expires_at > clock_timestamp() and b.deleted_at is null;
      end $$`);
    this.addSql(`revoke execute on function shared_draft(bytea) from public`);
  }
}
