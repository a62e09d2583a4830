import { Migration } from '@mikro-orm/migrations';

/**
 * Notifications: where an account is told, what it is told, each on its way to each channel, and how far its events have
 * been turned into them.
 */
export class Migration20261127700000_notifications extends Migration {
  override name = 'Migration20261127700000_notifications';

  override up(): void {
    this.addSql(
      `create table "notification_channel" ("account_id" uuid not null, "id" uuid not null, "kind" text not null, "label" varchar(120) not null, "target" varchar(500) not null, "switches" jsonb not null, "quiet_hours" jsonb null, "state" text not null default 'on', "state_reason" varchar(300) null, "key_id" varchar(32) null, "wrapped_key" bytea null, "nonce" bytea null, "ciphertext" bytea null, "tag" bytea null, "position" bigint not null default '0', "attempts" int not null default 0, "failing_since" timestamptz(3) null, "due_at" timestamptz(3) null, "lease_owner" uuid null, "leased_until" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, primary key ("account_id", "id"))`,
    );
    this.addSql(
      `create table "notification" ("account_id" uuid not null, "id" uuid not null, "kind" varchar(60) not null, "mode" text null, "at" timestamptz(3) not null, "data" jsonb not null, primary key ("account_id", "id"))`,
    );
    this.addSql(
      `create table "notification_delivery" ("account_id" uuid not null, "id" uuid not null, "channel_id" uuid not null, "position" bigint not null, "notification_id" uuid not null, "status" text not null default 'waiting', "not_before" timestamptz(3) not null, "expires_at" timestamptz(3) null, "is_replay" boolean not null default false, "attempts" int not null default 0, "last_attempt_at" timestamptz(3) null, "last_status" int null, "last_problem" varchar(200) null, "took_ms" int null, "created_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("account_id", "id"))`,
    );
    this.addSql(
      `create table "notification_cursor" ("account_id" uuid not null, "seq" bigint not null, primary key ("account_id"))`,
    );
    this.addSql(
      `create table "notification_mark" ("account_id" uuid not null, "name" varchar(200) not null, "at" timestamptz(3) not null, primary key ("account_id", "name"))`,
    );
    this.addSql(
      `create table "push_key" ("name" varchar(20) not null, "public_key" varchar(200) not null, "key_id" varchar(32) not null, "wrapped_key" bytea not null, "nonce" bytea not null, "ciphertext" bytea not null, "tag" bytea not null, "created_at" timestamptz(3) not null, primary key ("name"))`,
    );
    this.addSql(
      `alter table "notification" add constraint "notification_mode_check" check ("mode" in ('paper', 'live'))`,
    );
    this.addSql(
      `alter table "notification_channel" add constraint "notification_channel_kind_check" check ("kind" in ('webhook', 'slack', 'discord', 'telegram', 'email', 'push'))`,
    );
    this.addSql(
      `alter table "notification_channel" add constraint "notification_channel_state_check" check ("state" in ('on', 'off', 'disabled'))`,
    );
    this.addSql(
      `alter table "notification_delivery" add constraint "notification_delivery_status_check" check ("status" in ('waiting', 'delivered', 'expired', 'refused'))`,
    );
    this.addSql(`alter table notification_channel
      add constraint notification_channel_sealed_check check (num_nulls(key_id, wrapped_key, nonce, ciphertext, tag) in (0, 5)),
      add constraint notification_channel_lease_check check ((lease_owner is null) = (leased_until is null)),
      add constraint notification_channel_failing_check check ((attempts = 0) = (failing_since is null)),
      add constraint notification_channel_disabled_check check ((state = 'disabled') = (state_reason is not null))`);
    this.addSql(`alter table notification_delivery
      add constraint notification_delivery_ended_check check ((status = 'waiting') = (ended_at is null)),
      add constraint notification_delivery_position_key unique (account_id, channel_id, position)`);
    for (const table of [
      'notification_channel',
      'notification',
      'notification_cursor',
      'notification_mark',
    ]) {
      this.addSql(
        `alter table ${table} add constraint ${table}_account_id_foreign foreign key (account_id) references account (id) on delete restrict`,
      );
    }
    this.addSql(`alter table notification_delivery
      add constraint notification_delivery_channel_id_foreign foreign key (account_id, channel_id) references notification_channel (account_id, id) on delete cascade,
      add constraint notification_delivery_notification_id_foreign foreign key (account_id, notification_id) references notification (account_id, id) on delete cascade`);
    this.addSql(
      `create index notification_channel_due on notification_channel (due_at) where state = 'on' and due_at is not null`,
    );
    this.addSql(`create index notification_newest on notification (account_id, at desc, id desc)`);
    this.addSql(`create index notification_old on notification (at)`);
    this.addSql(
      `create index notification_delivery_waiting on notification_delivery (account_id, channel_id, position) where status = 'waiting'`,
    );
    this.addSql(
      `create index notification_delivery_newest on notification_delivery (account_id, created_at desc, id desc)`,
    );
    this.addSql(
      `create index notification_delivery_of on notification_delivery (account_id, notification_id)`,
    );
    this.addSql(`create index notification_mark_old on notification_mark (at)`);
  }

  override down(): void {
    this.addSql(`drop table notification_delivery, notification_channel, notification, notification_cursor`);
    this.addSql(`drop table notification_mark, push_key`);
  }
}
