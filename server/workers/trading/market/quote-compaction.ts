import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import {
  HOURS_PER_ROUND,
  purgeQuotes,
  type Retention,
  sealHours,
} from '../../../../engine/history/quote-log.ts';
import { lockKey } from '../../../kernel/rounds/lock-session.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import { type Rounds, startRounds } from '../../../kernel/rounds/rounds.ts';
import { withDeadline } from '../../../kernel/rounds/with-deadline.ts';

const PERIOD_MS = 60_000;
/** The most hourly rounds at once, after a long downtime. */
const ROUNDS_MAX = 20;

/** Compacts recorded quotes by the hour and deletes the oldest, one process at a time. */
export function startQuoteCompaction(context: RunnerContext, retention: Retention, log: LogOnce): Rounds {
  const subject = 'keeping recorded quotes';
  return startRounds(
    () =>
      log.attempt(subject, () =>
        withDeadline(context.log, subject, (signal) => compactQuotes(context, retention, signal)),
      ),
    PERIOD_MS,
    { idle: context.idle, kind: 'market' },
  );
}

/** Runs one round, unless another process does. */
export async function compactQuotes(
  { db, clock }: Pick<RunnerContext, 'db' | 'clock'>,
  retention: Retention,
  signal: AbortSignal,
): Promise<void> {
  const now = await clock(db);
  for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round++) {
    if ((await ifNobodyElse(db, () => sealHours(db, now, signal))) < HOURS_PER_ROUND) break;
  }
  await ifNobodyElse(db, () => purgeQuotes(db, now, retention));
}

async function ifNobodyElse(db: Db, task: () => Promise<number>): Promise<number> {
  const [space, lock] = lockKey('quote-log');
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ ours: boolean }>`
      select pg_try_advisory_xact_lock(${space}::int, ${lock}::int) as ours`.execute(tx);
    return rows[0]?.ours === true ? task() : 0;
  });
}
