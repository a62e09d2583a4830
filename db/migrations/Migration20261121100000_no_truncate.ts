import { Migration } from '@mikro-orm/migrations';

const APPEND_ONLY = ['audit_event', 'order_transition', 'fill', 'fill_allocation', 'cash_entry'] as const;

/** Triggers on rows do not see a TRUNCATE: history is refused to that too. */
export class Migration20261121100000_no_truncate extends Migration {
  override name = 'Migration20261121100000_no_truncate';

  override up(): void {
    for (const table of APPEND_ONLY) {
      this.addSql(
        `create trigger ${table}_not_truncated before truncate on ${table} for each statement execute function refuse_change()`,
      );
    }
  }
}
