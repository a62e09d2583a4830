import { Migration } from '@mikro-orm/migrations';

/** Lets a file of the archive have points of equity instead of evidence. A column that is null changes no digest of a part. */
export class Migration20261130042208_archived_equity extends Migration {
  override name = 'Migration20261130042208_archived_equity';

  override up(): void {
    this.addSql(`alter table "archived_part" add "equity_mode" text null;`);
    this.addSql(
      `alter table "archived_part" add constraint "archived_part_equity_mode_check" check ("equity_mode" in ('paper', 'live'));`,
    );
  }
}
