import { Migration } from '@mikro-orm/migrations';

/** Lets a file of the archive have points of blueprints. A column that is null changes no digest of a part. */
export class Migration20261130124729_archived_blueprints extends Migration {
  override name = 'Migration20261130124729_archived_blueprints';

  override up(): void {
    this.addSql(`alter table "archived_part" add "blueprint_ids" uuid[] null;`);
    this.addSql(`alter table archived_part add constraint archived_part_blueprints_have_books
      check (blueprint_ids is null or equity_mode is not null)`);
  }
}
