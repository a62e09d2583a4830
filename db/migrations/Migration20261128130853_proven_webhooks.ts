import { Migration } from '@mikro-orm/migrations';

/** A new webhook answers a challenge before it receives notifications; the ones before stay as they are. */
export class Migration20261128130853_proven_webhooks extends Migration {
  override name = 'Migration20261128130853_proven_webhooks';

  override up(): void {
    this.addSql(`alter table "notification_channel" add "is_proven" boolean not null default true;`);
  }
}
