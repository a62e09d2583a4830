import { Migration } from '@mikro-orm/migrations';

const FIXED = [
  'mode',
  'blueprint_id',
  'deployment_id',
  'release_number',
  'node_id',
  'step_at',
  'origin',
  'token_id',
  'venue',
  'side',
  'type',
  'time_in_force',
  'limit_price',
  'receipt',
  'rules_version',
  'inputs',
  'decided_quote',
  'preapproved_release',
  'created_at',
] as const;

const COUNTED = ['amount', 'size', 'worst_fee'] as const;

/** An intent never changes, but for a sell that waits for approval: it may become smaller. */
export class Migration20261122140200_reduced_close extends Migration {
  override name = 'Migration20261122140200_reduced_close';

  override up(): void {
    const of = (row: 'old' | 'new', columns: readonly string[]) =>
      columns.map((column) => `${row}.${column}`).join(', ');
    const all = [...FIXED, ...COUNTED];
    const smaller = COUNTED.map((column) => `new.${column} <= old.${column}`).join(' and ');
    this.addSql(`drop trigger trade_order_immutable on trade_order`);
    this.addSql(`create trigger trade_order_immutable before update of ${all.join(', ')} on trade_order
      for each row when ((${of('old', FIXED)}) is distinct from (${of('new', FIXED)})
        or ((${of('old', COUNTED)}) is distinct from (${of('new', COUNTED)})
          and not (old.status = 'pending' and new.status = 'pending' and old.side = 'sell' and ${smaller})))
      execute function refuse_changed_intent()`);
  }
}
