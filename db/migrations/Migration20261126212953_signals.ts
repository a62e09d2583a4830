import { Migration } from '@mikro-orm/migrations';

/** Named inputs that senders outside the service write, and their values as they arrived. */
export class Migration20261126212953_signals extends Migration {
  override name = 'Migration20261126212953_signals';

  override up(): void {
    this.addSql(
      `create table "signal" ("account_id" uuid not null, "name" varchar(60) not null, "mode" text not null, "token_hash" bytea not null, "received" bigint not null default '0', "last_value" double precision null, "last_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("account_id", "name"));`,
    );
    this.addSql(
      `create table "signal_value" ("account_id" uuid not null, "name" varchar(60) not null, "number" bigint not null, "at" timestamptz(3) not null, "value" double precision not null, "message_key" varchar(64) not null, primary key ("account_id", "name", "number"));`,
    );
    this.addSql(
      `alter table "signal" add constraint "signal_mode_check" check ("mode" in ('paper', 'live'));`,
    );
    this.addSql(`alter table signal add constraint signal_account_id_foreign
      foreign key (account_id) references account (id) on delete restrict`);
    this.addSql(`alter table signal_value add constraint signal_value_name_foreign
      foreign key (account_id, name) references signal (account_id, name) on delete cascade`);
    this.addSql(`create unique index signal_token on signal (token_hash)`);
    this.addSql(`create index signal_value_time on signal_value (account_id, name, at)`);
    this.addSql(`create index signal_value_message on signal_value (account_id, name, message_key, at)`);
    this.addSql(`create index signal_value_age on signal_value using brin (at)`);
  }
}
