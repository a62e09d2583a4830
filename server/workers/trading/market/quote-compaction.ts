import {
  HOURS_PER_ROUND,
  purgeQuotes,
  type Retention,
  sealHours,
} from '../../../../engine/history/quote-log.ts';
import { ifLockFree } from '../../../kernel/rounds/lock-session.ts';
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
    const sealed = await ifLockFree(db, 'quote-log', () => sealHours(db, now, signal));
    if (sealed === null || sealed < HOURS_PER_ROUND) break;
  }
  await ifLockFree(db, 'quote-log', () => purgeQuotes(db, now, retention));
}
