import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { DatabaseGauge } from './database-gauge.ts';
import { JOB_GAUGES } from './job-gauges.ts';
import { LIVE_TRADING_GAUGES } from './live-trading-gauges.ts';
import { RUNNER_GAUGES } from './runner-gauges.ts';
import { SERVER_GAUGES, TABLE_GAUGES } from './server-gauges.ts';
import { TRADING_RESULT_GAUGES } from './trading-result-gauges.ts';

/** Pause before querying a database again that did not answer. */
const RETRY_MS = 10_000;

/**
 * A scrape waits no longer for the database, and serves the values from before: one that hangs must not hide what the process knows
 * of itself, and one that is slow is not down. The statement itself ends after some seconds, and its failure clears the values.
 */
const SCRAPE_WAITS_MS = 2_000;

/** One statement, whose answer is reused for this long. */
type Statement = { readonly gauges: readonly DatabaseGauge[]; readonly holdsMs: number };

const GROUPS: readonly Statement[] = [
  { gauges: [...RUNNER_GAUGES, ...LIVE_TRADING_GAUGES, ...JOB_GAUGES, ...SERVER_GAUGES], holdsMs: 10_000 },
  { gauges: TABLE_GAUGES, holdsMs: 60_000 },
];

/** Results by account, queried only on request. */
export const TRADING_RESULT_STATEMENTS: readonly Statement[] = [
  { gauges: TRADING_RESULT_GAUGES, holdsMs: 10_000 },
];

/** Gauges of each state machine, queue, lease and nightly job, with the alert on each. */
export const DATABASE_GAUGES: readonly DatabaseGauge[] = GROUPS.flatMap(({ gauges }) => gauges);

type Row = { name: string; labels: Record<string, string | number>; value: number };

/** Builds one statement for any number of gauges: a row for each value. */
const statementOf = (gauges: readonly DatabaseGauge[]): RawBuilder<Row> =>
  sql.join(
    gauges.map(
      ({
        name,
        query,
      }) => sql`select ${name}::text as name, to_jsonb(g) - 'value' as labels, g.value::float8 as value
        from (${query}) g`,
    ),
    sql` union all `,
  );

/** Removes every value. An unlabelled gauge would be 0 after a reset, and one with labels cannot be removed. */
function clear({ gauges, visible }: Pick<Group, 'gauges' | 'visible'>): void {
  for (const { name, labels } of gauges) {
    if (labels === undefined) visible.get(name)?.remove();
    else visible.get(name)?.reset();
  }
}

type Group = { gauges: readonly DatabaseGauge[]; visible: ReadonlyMap<string, Gauge> };

/** Serves the gauges of the database. If it does not answer, only `trading_database_up` is served, with 0. */
export function serveDatabaseGauges(
  register: Registry,
  pool: Pool,
  statements: readonly Statement[] = GROUPS,
): { refresh: () => Promise<void> } {
  const registers = [register];
  const up = new Gauge({ name: 'trading_database_up', help: '1 while the database answers', registers });
  const groups = statements.map(({ gauges, holdsMs }) => {
    const visible = new Map(
      gauges.map(({ name, help, labels = [] }) => [
        name,
        new Gauge({ name, help, labelNames: [...labels], registers }),
      ]),
    );
    return { gauges, visible, statement: statementOf(gauges), holdsMs, queriedMs: Number.NEGATIVE_INFINITY };
  });
  let query: Promise<void> | null = null;

  async function queryAll(): Promise<void> {
    const nowMs = performance.now();
    const due = groups.filter(({ holdsMs, queriedMs }) => nowMs - queriedMs >= holdsMs);
    if (due.length === 0) return;
    try {
      for (const group of due) {
        const { rows } = await group.statement.execute(systemDb(pool));
        clear(group);
        for (const { name, labels, value } of rows) group.visible.get(name)?.set(labels, value);
        group.queriedMs = nowMs;
      }
      up.set(1);
    } catch {
      for (const group of groups) {
        clear(group);
        group.queriedMs = nowMs - group.holdsMs + RETRY_MS;
      }
      up.set(0);
    }
  }

  return {
    refresh: async () => {
      query ??= queryAll().finally(() => {
        query = null;
      });
      await Promise.race([query, sleep(SCRAPE_WAITS_MS, undefined, { ref: false })]);
    },
  };
}
