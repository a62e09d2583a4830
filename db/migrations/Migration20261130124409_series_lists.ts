import { Migration } from '@mikro-orm/migrations';

/** Lists of instruments by a series of markets: the series of each instrument, spans in which one is known, members of deployments. */
export class Migration20261130124409_series_lists extends Migration {
  override name = 'Migration20261130124409_series_lists';

  override up(): void {
    this.addSql(`alter table "instrument" add "series" varchar(200) null;`);
    this.addSql(`create index "instrument_venue_series_index" on "instrument" ("venue", "series");`);
    this.addSql(`alter table "deployment" add "members" jsonb null;`);
    this.addSql(
      `create table "series_coverage" ("venue" text not null, "series" varchar(200) not null, "from_at" timestamptz(3) not null, "until_at" timestamptz(3) not null, primary key ("venue", "series", "from_at"));`,
    );
    this.addSql(
      `alter table "series_coverage" add constraint "series_coverage_venue_check" check ("venue" in ('venue-a', 'venue-b', 'crypto'));`,
    );
  }
}
