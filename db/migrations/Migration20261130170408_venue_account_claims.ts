import { Migration } from '@mikro-orm/migrations';

/** The directory of venue accounts over all cells, and which removed connections it still has. */
export class Migration20261130170408_venue_account_claims extends Migration {
  override name = 'Migration20261130170408_venue_account_claims';

  override up(): void {
    this.addSql(
      `create table "venue_account_claim" ("venue" varchar(40) not null, "environment" varchar(40) not null, "fingerprint" varchar(200) not null, "owner_id" uuid not null, "connection_id" uuid not null, "claimed_at" timestamptz(3) not null, primary key ("venue", "environment", "fingerprint"));`,
    );
    this.addSql(
      `create index "venue_account_claim_connection_id_index" on "venue_account_claim" ("connection_id");`,
    );
    this.addSql(`alter table "venue_connection" add "is_claim_released" boolean not null default false;`);
    // For work over all accounts alone: in the scope of an account it is empty.
    this.addSql(`alter table venue_account_claim enable row level security`);
    this.addSql(
      `create policy over_all_accounts on venue_account_claim using (current_setting('app.account_id', true) = '*')`,
    );
    this.addSql(`insert into venue_account_claim (venue, environment, fingerprint, owner_id, connection_id, claimed_at)
      select venue, environment, fingerprint, account_id, id, now() from venue_connection
      where fingerprint is not null and state <> 'revoked' and not exists (select from cell where number <> 0)`);
  }
}
