import { Migration } from '@mikro-orm/migrations';

/** What better-auth's plugin of a second factor keeps, as its `compileMigrations()` names it. A user has one at most. */
export class Migration20261128800000_two_factor extends Migration {
  override name = 'Migration20261128800000_two_factor';

  override up(): void {
    this.addSql(`alter table auth."user" add column "twoFactorEnabled" boolean`);
    this.addSql(
      `create table auth."twoFactor" ("id" uuid default pg_catalog.gen_random_uuid() not null primary key, "secret" text not null, "backupCodes" text not null, "userId" uuid not null unique references auth."user" ("id") on delete cascade, "verified" boolean, "failedVerificationCount" integer, "lockedUntil" timestamptz)`,
    );
  }
}
