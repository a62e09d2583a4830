import { Migration } from '@mikro-orm/migrations';

/** What tidying up looks for, once a minute. Drawings of deleted blueprints are nobody's any more: releases have their own. */
export class Migration20261122120000_tidying extends Migration {
  override name = 'Migration20261122120000_tidying';

  override up(): void {
    this.addSql(`update blueprint set visual = null, visual_bytes = 0 where deleted_at is not null`);
    this.addSql(`create index blueprint_deleted on blueprint (deleted_at) where deleted_at is not null`);
    this.addSql(`create index session_expiry on auth.session ("expiresAt")`);
    this.addSql(`create index verification_expiry on auth.verification ("expiresAt")`);
  }
}
