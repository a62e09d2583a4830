import { Migration } from '@mikro-orm/migrations';

/**
 * What better-auth's plugin of passkeys keeps, as its `compileMigrations()` names it. A credential is one person's: without that
 * somebody who knows an id could enter it as theirs, and its owner's sign-in would be looked up in the wrong row.
 */
export class Migration20261130600100_passkey extends Migration {
  override name = 'Migration20261130600100_passkey';

  override up(): void {
    this.addSql(
      `create table auth."passkey" ("id" uuid default pg_catalog.gen_random_uuid() not null primary key, "name" text, "publicKey" text not null, "userId" uuid not null references auth."user" ("id") on delete cascade, "credentialID" text not null, "counter" integer not null, "deviceType" text not null, "backedUp" boolean not null, "transports" text, "createdAt" timestamptz, "aaguid" text)`,
    );
    this.addSql(`create index "passkey_userId_idx" on auth."passkey" ("userId")`);
    this.addSql(`create unique index "passkey_credentialID_idx" on auth."passkey" ("credentialID")`);
  }
}
