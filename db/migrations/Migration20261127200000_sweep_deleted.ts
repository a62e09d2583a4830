import { Migration } from '@mikro-orm/migrations';

/** A person deletes a sweep: its content goes, how many trials it made counts for good. */
export class Migration20261127200000_sweep_deleted extends Migration {
  override name = 'Migration20261127200000_sweep_deleted';

  override up(): void {
    this.addSql(`alter table "sweep" add column "deleted_at" timestamptz(3) null`);
    this.addSql(
      `alter table sweep add constraint sweep_deleted_check check (deleted_at is null or (status = 'canceled' and is_forgotten))`,
    );
  }

  override down(): void {
    this.addSql(`alter table sweep drop constraint sweep_deleted_check`);
    this.addSql(`alter table "sweep" drop column "deleted_at"`);
  }
}
