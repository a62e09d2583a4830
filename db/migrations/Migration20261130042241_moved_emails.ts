import { Migration } from '@mikro-orm/migrations';

/** E-mails of accounts that have moved to another cell, as digests, and the key of these. */
export class Migration20261130042241_moved_emails extends Migration {
  override name = 'Migration20261130042241_moved_emails';

  override up(): void {
    this.addSql(
      `create table "moved_email" ("digest" bytea not null, "moved_id" uuid not null, primary key ("digest"));`,
    );
    this.addSql(`alter table "cell" add "email_key" bytea null;`);
  }
}
