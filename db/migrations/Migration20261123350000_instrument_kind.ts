import { Migration } from '@mikro-orm/migrations';

/** What is traded, said by the instrument itself. What is stored already follows from the three venues of that time. */
export class Migration20261123350000_instrument_kind extends Migration {
  override name = 'Migration20261123350000_instrument_kind';

  override up(): void {
    this.addSql(`alter table "instrument" add "kind" text`);
    this.addSql(`update "instrument" set "kind" = case "venue" when 'crypto' then 'spot' else 'outcome' end`);
    this.addSql(`alter table "instrument" alter column "kind" set not null`);
    this.addSql(
      `alter table "instrument" add constraint "instrument_kind_check" check ("kind" in ('outcome', 'spot'))`,
    );
  }
}
