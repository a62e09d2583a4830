import { Migration } from '@mikro-orm/migrations';

/** Lets triggers read the owner from the catalog alone: a temporary table of the same name comes first otherwise. */
export class Migration20261130095757_pinned_search_path extends Migration {
  override name = 'Migration20261130095757_pinned_search_path';

  override up(): void {
    for (const trigger of ['refuse_changed_chunk', 'refuse_changed_evidence'])
      this.addSql(`alter function ${trigger}() set search_path = pg_catalog, public, pg_temp`);
  }
}
