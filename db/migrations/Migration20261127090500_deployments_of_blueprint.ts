import { Migration } from '@mikro-orm/migrations';

/** The newest deployments of a blueprint: a quote waits for orders of the ones before. */
export class Migration20261127090500_deployments_of_blueprint extends Migration {
  override name = 'Migration20261127090500_deployments_of_blueprint';

  override up(): void {
    this.addSql(
      'create index deployment_of_blueprint on deployment (account_id, blueprint_id, started_at desc, id desc)',
    );
  }
}
