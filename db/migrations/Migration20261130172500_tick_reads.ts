import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a tick read the accounts of its shard from an index alone, and find watched deployments without the others: their
 * tables are as large as all strategies together.
 */
export class Migration20261130172500_tick_reads extends Migration {
  override name = 'Migration20261130172500_tick_reads';

  override up(): void {
    this.addSql(`drop index deployment_live_by_shard`);
    this.addSql(
      `create index deployment_live_by_shard on deployment (shard, account_id) where ended_at is null`,
    );
    this.addSql(
      `create index deployment_state_watched on deployment_state (watched_until) where watched_until is not null`,
    );
  }
}
