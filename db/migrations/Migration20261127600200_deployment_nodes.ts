import { Migration } from '@mikro-orm/migrations';

/**
 * What a deployment remembers changes with each candle, what its nodes show is ten times as large: apart, a step rewrites the
 * small row alone, and there is room for that in its page.
 */
export class Migration20261127600200_deployment_nodes extends Migration {
  override name = 'Migration20261127600200_deployment_nodes';

  override up(): void {
    this.addSql(
      `create table "deployment_nodes" ("account_id" uuid not null, "deployment_id" uuid not null, "states" jsonb not null, "updated_at" timestamptz(3) not null, primary key ("account_id", "deployment_id")) with (fillfactor = 70);`,
    );
    this.addSql(
      `insert into deployment_nodes (account_id, deployment_id, states, updated_at) select account_id, deployment_id, node_states, updated_at from deployment_state where node_states is not null`,
    );
    this.addSql(
      `alter table deployment_nodes add constraint deployment_nodes_account_id_deployment_id_foreign foreign key (account_id, deployment_id) references deployment (account_id, id) on delete restrict`,
    );
    this.addSql(`alter table "deployment_state" drop column "node_states";`);
    this.addSql(`alter table deployment_state set (fillfactor = 70)`);
  }
}
