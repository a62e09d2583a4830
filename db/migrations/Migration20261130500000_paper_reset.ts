import { Migration } from '@mikro-orm/migrations';

/** Paper money comes and goes without a fill where its account is reset. */
export class Migration20261130500000_paper_reset extends Migration {
  override name = 'Migration20261130500000_paper_reset';

  override up(): void {
    this.addSql(`alter table cash_entry drop constraint cash_entry_live_check`);
    this.addSql(
      `alter table cash_entry add constraint cash_entry_live_check check (mode = 'live' or kind in ('deposit', 'trade', 'fee', 'settlement', 'write_off', 'reversal', 'transfer'))`,
    );
  }
}
