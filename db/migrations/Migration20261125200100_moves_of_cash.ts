import { Migration } from '@mikro-orm/migrations';

/** Money that moved without a fill is little, and asked for with every look at what an account is worth. */
export class Migration20261125200100_moves_of_cash extends Migration {
  override name = 'Migration20261125200100_moves_of_cash';

  override up(): void {
    this.addSql(
      `create index cash_entry_without_fill on cash_entry (account_id, mode, kind) where fill_id is null`,
    );
    this.addSql(
      `create index fill_holder on fill (account_id, mode, token_id, seq desc) where connection_id is not null`,
    );
  }
}
