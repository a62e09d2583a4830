import { Migration } from '@mikro-orm/migrations';

/**
 * Tables of better-auth 1.7.7, as its own `compileMigrations()` prints them, in a schema of their own.
 * A test asserts that it has nothing to add. MikroORM is told to ignore this schema.
 */
export class Migration20261120100200_auth extends Migration {
  override name = 'Migration20261120100200_auth';

  override up(): void {
    this.addSql(`create schema auth`);
    this.addSql(
      `create table auth."user" ("id" uuid default pg_catalog.gen_random_uuid() not null primary key, "name" text not null, "email" text not null unique, "emailVerified" boolean not null, "image" text, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz default CURRENT_TIMESTAMP not null)`,
    );
    this.addSql(
      `create table auth."session" ("id" uuid default pg_catalog.gen_random_uuid() not null primary key, "expiresAt" timestamptz not null, "token" text not null unique, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz not null, "ipAddress" text, "userAgent" text, "userId" uuid not null references auth."user" ("id") on delete cascade)`,
    );
    this.addSql(
      `create table auth."account" ("id" uuid default pg_catalog.gen_random_uuid() not null primary key, "accountId" text not null, "providerId" text not null, "userId" uuid not null references auth."user" ("id") on delete cascade, "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" timestamptz, "refreshTokenExpiresAt" timestamptz, "scope" text, "password" text, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz not null)`,
    );
    this.addSql(
      `create table auth."verification" ("id" uuid default pg_catalog.gen_random_uuid() not null primary key, "identifier" text not null, "value" text not null, "expiresAt" timestamptz not null, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz default CURRENT_TIMESTAMP not null)`,
    );
    this.addSql(
      `create table auth."jwks" ("id" uuid default pg_catalog.gen_random_uuid() not null primary key, "publicKey" text not null, "privateKey" text not null, "createdAt" timestamptz not null, "expiresAt" timestamptz, "alg" text, "crv" text)`,
    );
    this.addSql(`create index "session_userId_idx" on auth."session" ("userId")`);
    this.addSql(`create index "account_userId_idx" on auth."account" ("userId")`);
    this.addSql(`create index "verification_identifier_idx" on auth."verification" ("identifier")`);
  }
}
