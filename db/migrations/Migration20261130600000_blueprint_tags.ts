import { Migration } from '@mikro-orm/migrations';

/** Words a person finds blueprints by. */
export class Migration20261130600000_blueprint_tags extends Migration {
  override name = 'Migration20261130600000_blueprint_tags';

  override up(): void {
    this.addSql(
      `alter table "blueprint" add "tags" text[] not null default '{}', add constraint blueprint_tags_check check (cardinality(tags) <= 10 and array_position(tags, null) is null)`,
    );
  }
}
