import { Migration } from '@mikro-orm/migrations';

/** What a user stream tells of an order before the answer that says what the venue calls it. */
export class Migration20261124010200_venue_event extends Migration {
  override name = 'Migration20261124010200_venue_event';

  override up(): void {
    this.addSql(
      `create table "venue_event" ("account_id" uuid not null, "connection_id" uuid not null, "key" varchar(500) not null, "client_order_id" varchar(200) null, "venue_order_id" varchar(200) null, "report" jsonb not null, "at" timestamptz(3) not null, primary key ("account_id", "connection_id", "key"))`,
    );
    this.addSql(
      `alter table venue_event add constraint venue_event_account_id_foreign foreign key (account_id) references account (id) on delete restrict`,
    );
    this.addSql(`create index venue_event_age on venue_event (at)`);
    this.addSql(
      `create index trade_order_venue_order on trade_order (account_id, connection_id, venue_order_id) where connection_id is not null`,
    );
    this.addSql(
      `create index trade_order_given_up on trade_order (ended_at) where status = 'rejected' and reason_code = 'never_arrived' and connection_id is not null`,
    );
  }
}
