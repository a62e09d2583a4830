import type { Db } from '../../../db/tables.ts';
import {
  ATTEMPTS_MAX,
  countFailure,
  FAILED_IN_A_ROW,
  type FailureState,
  isGivenUp,
  NO_FAILURES,
  nextAttemptAt,
  pauseState,
} from '../../../engine/notifications/backoff.ts';
import type { ChannelRow } from '../../../engine/notifications/channel-row.ts';
import type { Verdict } from '../../../engine/notifications/channels/define-channel.ts';
import {
  deliveryVerdictOf,
  isReceiverAlive,
  type ReceiverAnswer,
} from '../../../engine/notifications/delivery-verdict.ts';
import { WAITING_MAX } from '../../../engine/notifications/enqueue.ts';
import {
  type ChannelLease,
  countWaiting,
  type DeliveryAttempt,
  type DueDelivery,
  disableChannel,
  nextDue,
  pauseChannel,
  recordAttempts,
  releaseChannel,
} from '../../../engine/notifications/queue.ts';
import { type ChannelSecrets, openChannel } from '../../../engine/notifications/secrets.ts';
import type { Work } from '../../../engine/platform/context.ts';
import type { KeyWrapper } from '../../../engine/trading/connections/credentials/key-ring.ts';
import { openAgents } from './post.ts';
import { type SenderOptions, sendNotification } from './sender.ts';

/** Notifications of one channel in memory, and how long a sent one may wait until it is recorded. */
const BATCH = 20;
const NOTE_MS = 1_000;
/** A channel with a long queue yields to others after this time. */
const TURN_MS = 10_000;

export type SendQueuedOptions = {
  readonly db: Db;
  readonly workOf: (accountId: string) => Work;
  readonly keys: KeyWrapper | null;
  readonly sender: SenderOptions;
  readonly leaseMs: number;
  readonly stopping: AbortSignal;
  readonly chance: () => number;
};

/**
 * Sends a leased channel its queued notifications. A failed one is retried later and does not delay the others. A receiver that
 * failed several times in a row is paused. Notifications that were sent but not recorded, because the process died, are sent
 * again.
 */
export async function sendQueuedNotifications(
  channel: ChannelRow,
  owner: string,
  options: SendQueuedOptions,
): Promise<void> {
  const { db, keys, stopping } = options;
  const lease = { accountId: channel.account_id, channelId: channel.id, owner };
  const agents = openAgents();
  try {
    const secrets = await openOrNull(lease, channel, keys);
    const send = (each: DueDelivery) =>
      secrets === null
        ? LOCKED
        : sendNotification(channel, each.payload, { secrets, agents, options: options.sender });
    const { attempts, failing_since } = channel;
    let failing: FailureState = {
      attempts,
      failingSince: failing_since === null ? null : new Date(failing_since),
    };
    const endMs = performance.now() + TURN_MS;
    while (!stopping.aborted && performance.now() < endMs) {
      const due = await nextDue(db, lease, BATCH);
      if (due.length === 0) break;
      const outcomes = await sendBatch(due, send, { kind: channel.kind, failing, stopping });
      const after = await note(channel, lease, { outcomes, failing }, options);
      if (after === null) return;
      failing = after;
    }
    await releaseChannel(db, lease);
  } finally {
    agents.close();
  }
}

/** Keys may be locked, if one was removed. Once it is back, all notifications are still queued. */
const LOCKED: ReceiverAnswer = {
  status: null,
  problem: 'its secrets are locked: a key of CREDENTIAL_KEYS is missing',
};

const openOrNull = (
  lease: ChannelLease,
  channel: ChannelRow,
  keys: KeyWrapper | null,
): Promise<ChannelSecrets | null> => openChannel(lease, channel, keys).catch(() => null);

type Outcome = {
  due: DueDelivery;
  verdict: Verdict | 'expired';
  answer: ReceiverAnswer | null;
  tookMs: number | null;
};
type Batch = { kind: ChannelRow['kind']; failing: FailureState; stopping: AbortSignal };

/** Sends one after another. Stops once the receiver must be paused. */
async function sendBatch(
  due: readonly DueDelivery[],
  send: (due: DueDelivery) => ReceiverAnswer | Promise<ReceiverAnswer>,
  { kind, failing, stopping }: Batch,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const startedMs = performance.now();
  let inARow = failing.attempts;
  for (const each of due) {
    const passedMs = performance.now() - startedMs;
    if (stopping.aborted || passedMs > NOTE_MS) break;
    if (each.expiresInMs !== null && each.expiresInMs <= passedMs) {
      outcomes.push({ due: each, verdict: 'expired', answer: null, tookMs: null });
      continue;
    }
    const sentMs = performance.now();
    const answer = await send(each);
    const tookMs = Math.round(performance.now() - sentMs);
    const verdict = deliveryVerdictOf(kind, answer);
    outcomes.push({ due: each, verdict, answer, tookMs });
    inARow = isReceiverAlive(kind, answer) ? 0 : inARow + 1;
    if (verdict === 'gone' || inARow >= FAILED_IN_A_ROW || answer.pauseMs) break;
  }
  return outcomes;
}

/**
 * Records a batch. Returns the state of the channel, or null if the turn is over: it is paused, disabled, or leased elsewhere.
 */
async function note(
  channel: ChannelRow,
  lease: ChannelLease,
  { outcomes, failing }: { outcomes: readonly Outcome[]; failing: FailureState },
  { db, workOf, leaseMs, chance }: SendQueuedOptions,
): Promise<FailureState | null> {
  const work = workOf(lease.accountId);
  const isWell = outcomes.every(({ verdict }) => verdict === 'delivered' || verdict === 'expired');
  const now = isWell ? new Date() : await work.clock(work.db);
  const after = outcomes.reduce<FailureState>((before, { due, verdict, answer }) => {
    if (verdict === 'expired' || answer === null) return before;
    if (isReceiverAlive(channel.kind, answer)) return NO_FAILURES;
    return countFailure(before, { isFirstTry: due.attempts === 0, now, pauseMs: answer.pauseMs ?? 0 });
  }, failing);
  const tried = outcomes.map((outcome) =>
    triedOf(outcome, { before: failing, after, now, chance: chance() }),
  );
  if (!(await recordAttempts(db, lease, tried, { ...after, leaseMs }))) return null;
  const last = outcomes.at(-1);
  const problem = last?.answer?.problem ?? '';
  const reason = await reasonToDisable(db, lease, { isGone: last?.verdict === 'gone', after, now, problem });
  if (reason !== null) {
    await disableChannel(work, lease, reason);
    return null;
  }
  const pauses = pauseState(after);
  if (pauses === null) return after;
  const pauseMs = last?.answer?.pauseMs ?? 0;
  await pauseChannel(db, lease, nextAttemptAt(pauses, { now, chance: chance(), pauseMs }));
  return null;
}

type Around = { before: FailureState; after: FailureState; now: Date; chance: number };

/** A notification at its maximum of attempts is given up, unless its receiver accepts no other either. */
function triedOf(
  { due, verdict, answer, tookMs }: Outcome,
  { before, after, now, chance }: Around,
): DeliveryAttempt {
  const { deliveryId, attempts } = due;
  const tried = { deliveryId, answer, tookMs };
  if (verdict === 'gone') return { ...tried, status: 'waiting', notBefore: null };
  if (verdict !== 'retry') return { ...tried, status: verdict, notBefore: null };
  if (attempts + 1 >= ATTEMPTS_MAX && before.failingSince === null)
    return { ...tried, status: 'refused', notBefore: null };
  const own = { attempts, failingSince: after.failingSince };
  const notBefore = nextAttemptAt(own, { now, chance, pauseMs: answer?.pauseMs ?? 0 });
  return { ...tried, status: 'waiting', notBefore };
}

type State = { isGone: boolean; after: FailureState; now: Date; problem: string };

async function reasonToDisable(
  db: Db,
  lease: ChannelLease,
  { isGone, after, now, problem }: State,
): Promise<string | null> {
  if (isGone) return 'Its receiver reports that the address no longer exists.';
  if (isGivenUp(after, now)) return `Nothing arrived for three days: ${problem}.`;
  if (after.attempts < FAILED_IN_A_ROW) return null;
  if ((await countWaiting(db, lease, WAITING_MAX + 1)) > WAITING_MAX) {
    return `More than ${WAITING_MAX} notifications wait for it: ${problem}.`;
  }
  return null;
}
