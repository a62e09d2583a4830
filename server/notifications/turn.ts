import type { Db } from '../../db/tables.ts';
import type { KeyWrapper } from '../../engine/connections/key-ring.ts';
import type { Work } from '../../engine/context.ts';
import { afterFailure } from '../../engine/notifications/backoff.ts';
import {
  type ChannelLease,
  countWaiting,
  type Due,
  disableChannel,
  type Ended,
  nextDue,
  noteEnded,
  noteFailed,
  release,
} from '../../engine/notifications/queue.ts';
import type { ChannelRow } from '../../engine/notifications/row.ts';
import { type ChannelSecrets, openChannel } from '../../engine/notifications/secrets.ts';
import { type Answer, type Verdict, verdictOf } from '../../engine/notifications/verdict.ts';
import { openLine } from './post.ts';
import { type SenderOptions, tell } from './sender.ts';

/** Notifications of one channel in memory, and how long what was sent may wait until it is noted. */
const BATCH = 20;
const NOTE_MS = 1_000;
/** A channel with much to hear makes room for others after so long. */
const TURN_MS = 10_000;
/** A channel that cannot be reached with more waiting than this is not waited for any longer. */
export const WAITING_MAX = 10_000;

export type TurnOptions = {
  readonly db: Db;
  readonly workOf: (accountId: string) => Work;
  readonly keys: KeyWrapper | null;
  readonly sender: SenderOptions;
  readonly leaseMs: number;
  readonly stopping: AbortSignal;
  readonly chance: () => number;
};

type Failure = { due: Due; answer: Answer; tookMs: number; verdict: Extract<Verdict, 'retry' | 'gone'> };

/**
 * Tells a leased channel what waits for it, one after the other: the next goes once the one before has arrived. What was told
 * and not noted, because the process died, is told again.
 */
export async function takeTurn(channel: ChannelRow, owner: string, options: TurnOptions): Promise<void> {
  const { db, keys, stopping, leaseMs } = options;
  const lease = { accountId: channel.account_id, channelId: channel.id, owner };
  const line = openLine();
  try {
    const secrets = await openOrNull(lease, channel, keys);
    const endMs = performance.now() + TURN_MS;
    while (!stopping.aborted && performance.now() < endMs) {
      const due = await nextDue(db, lease, BATCH);
      if (due.length === 0) break;
      const { ended, failure } = await tellInOrder(due, (each) =>
        secrets === null ? LOCKED : tell(channel, each.told, { secrets, line, options: options.sender }),
      )(channel.kind, stopping);
      if (!(await noteEnded(db, lease, ended, leaseMs))) return;
      if (failure !== null) return await fail(channel, lease, failure, ended.length > 0, options);
    }
    await release(db, lease);
  } finally {
    line.close();
  }
}

/** Keys may be locked: somebody took one away. Whoever puts it back finds everything still waiting. */
const LOCKED: Answer = {
  status: null,
  problem: 'its secrets are locked: a key of CREDENTIAL_KEYS is missing',
};

const openOrNull = (
  lease: ChannelLease,
  channel: ChannelRow,
  keys: KeyWrapper | null,
): Promise<ChannelSecrets | null> => openChannel(lease, channel, keys).catch(() => null);

type Told = { ended: Ended[]; failure: Failure | null };

const tellInOrder =
  (due: readonly Due[], send: (due: Due) => Answer | Promise<Answer>) =>
  async (kind: ChannelRow['kind'], stopping: AbortSignal): Promise<Told> => {
    const ended: Ended[] = [];
    const startedMs = performance.now();
    for (const each of due) {
      const { deliveryId, isExpired } = each;
      if (stopping.aborted || performance.now() - startedMs > NOTE_MS) break;
      if (isExpired) {
        ended.push({ deliveryId, status: 'expired', answer: null, tookMs: null });
        continue;
      }
      const sentMs = performance.now();
      const answer = await send(each);
      const tookMs = Math.round(performance.now() - sentMs);
      const verdict = verdictOf(kind, answer);
      if (verdict === 'retry' || verdict === 'gone')
        return { ended, failure: { due: each, answer, tookMs, verdict } };
      ended.push({ deliveryId, status: verdict, answer, tookMs });
    }
    return { ended, failure: null };
  };

/** @param isRecovered others arrived right before: the failing begins anew */
async function fail(
  channel: ChannelRow,
  lease: ChannelLease,
  { due, answer, tookMs, verdict }: Failure,
  isRecovered: boolean,
  { db, workOf, chance }: TurnOptions,
): Promise<void> {
  const work = workOf(lease.accountId);
  const now = await work.clock(work.db);
  const { attempts, failing_since } = channel;
  const failing =
    isRecovered || failing_since === null
      ? { attempts: 0, failingSince: null }
      : { attempts, failingSince: new Date(failing_since) };
  const after = afterFailure(failing, { now, chance: chance(), pauseMs: answer.pauseMs ?? 0 });
  const reason = await reasonToDisable(db, lease, { answer, verdict, after });
  if (reason !== null) return disableChannel(work, lease, reason);
  if (after.kind === 'retry')
    await noteFailed(db, lease, { deliveryId: due.deliveryId, answer, tookMs }, after);
}

async function reasonToDisable(
  db: Db,
  lease: ChannelLease,
  { answer, verdict, after }: Pick<Failure, 'answer' | 'verdict'> & { after: { kind: string } },
): Promise<string | null> {
  if (verdict === 'gone') return 'Its receiver says that nobody is there any more.';
  if (after.kind === 'disable') return `Nothing arrived for three days: ${answer.problem}.`;
  if ((await countWaiting(db, lease, WAITING_MAX + 1)) > WAITING_MAX) {
    return `More than ${WAITING_MAX} notifications wait for it: ${answer.problem}.`;
  }
  return null;
}
