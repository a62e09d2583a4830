import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** The schema as it was before the first release. `db/migrating/baseline.ts` says how a database from before it is taken over. */
export class Migration20261125000000_baseline extends Migration {
  override name = 'Migration20261125000000_baseline';

  override up(): void {
    this.addSql(readFileSync(new URL('./baseline.sql', import.meta.url), 'utf8'));
  }
}
