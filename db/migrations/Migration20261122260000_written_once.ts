import { Migration } from '@mikro-orm/migrations';

/** What is said of an order once and for all: who approved it, when it was cleared and sent, what the venue calls it. */
const WRITTEN_ONCE = [
  'approved_by',
  'approval_receipt',
  'queued_at',
  'submitted_at',
  'venue_order_id',
  'cancel_requested_at',
] as const;

/** Beside the intent itself, what happened to an order is not rewritten either. */
export class Migration20261122260000_written_once extends Migration {
  override name = 'Migration20261122260000_written_once';

  override up(): void {
    const rewritten = WRITTEN_ONCE.map(
      (column) => `(old.${column} is not null and new.${column} is distinct from old.${column})`,
    );
    this.addSql(`create function refuse_rewriting() returns trigger language plpgsql as $$
      begin raise exception 'order %: what is written of it once is not written again', old.id; end $$`);
    this.addSql(`create trigger trade_order_written_once before update of ${WRITTEN_ONCE.join(', ')} on trade_order
      for each row when (${rewritten.join(' or ')}) execute function refuse_rewriting()`);
  }
}
