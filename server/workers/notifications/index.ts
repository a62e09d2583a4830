import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, systemDb } from '../../../db/pool.ts';
import type { ChannelRow } from '../../../engine/notifications/channel-row.ts';
import { fanOut, findBehind } from '../../../engine/notifications/fan-out.ts';
import {
  findBooksWithChannels,
  recordPeriodicNotices,
} from '../../../engine/notifications/periodic-notices.ts';
import { claimChannels } from '../../../engine/notifications/queue.ts';
import { type BooksKey, type Clock, systemWork } from '../../../engine/platform/context.ts';
import { committedEvents } from '../../../engine/platform/events/events.ts';
import { newId } from '../../../engine/platform/ids.ts';
import type { KeyWrapper } from '../../../engine/trading/connections/credentials/key-ring.ts';
import { ALWAYS_AWAKE, type IdleGate } from '../../kernel/rounds/idle-gate.ts';
import { LogOnce } from '../../kernel/rounds/log-once.ts';
import type { RunnerLog } from '../../kernel/rounds/options.ts';
import { startRounds } from '../../kernel/rounds/rounds.ts';
import { type SendQueuedOptions, sendQueuedNotifications } from './send-queued-notifications.ts';
import type { SenderOptions } from './sender.ts';

const ROUND_MS = 1_000;
/** Commits within this time are processed together. */
const COALESCE_MS = 25;
const WATCH_MS = 60_000;
const LEASE_MS = 30_000;
/** Channels that one process notifies at once. Failing ones share a part of the slots, so that they do not delay the others. */
const CHANNELS_MAX = 64;
const FAILING_MAX = 16;
/** Accounts checked in one round, and concurrently. */
const ACCOUNTS_MAX = 500;
const FAN_OUT_LANES = 4;

export type NotificationsOptions = {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly log: RunnerLog;
  readonly keys: KeyWrapper | null;
  readonly sender: SenderOptions;
  /** When rounds rest; never, unless given. */
  readonly idle?: IdleGate;
  /** Shorter in tests. */
  readonly leaseMs?: number;
  readonly chance?: () => number;
};

export type RunningNotifications = {
  /** Wakes the worker after a notification was queued. */
  wake(): void;
  /** Stops starting deliveries; waits for those in progress and records them. */
  stop(): Promise<void>;
};

/** Runs this process's share of the notifications: derives them from events, and delivers them to the channels. */
export function startNotifications(options: NotificationsOptions): RunningNotifications {
  const {
    pool,
    clock,
    keys,
    sender,
    idle = ALWAYS_AWAKE,
    leaseMs = LEASE_MS,
    chance = Math.random,
  } = options;
  const db = systemDb(pool);
  const log = new LogOnce(options.log);
  const owner = newId();
  const stopping = new AbortController();
  const turns = new Map<ChannelRow, Promise<void>>();
  // Notifications cover both modes; this work only locks the account and reports a channel that was disabled.
  const workOf = (accountId: string) => systemWork(pool, { accountId, mode: 'live' }, clock);
  const turn: SendQueuedOptions = { db, workOf, keys, sender, leaseMs, stopping: stopping.signal, chance };

  const begin = (channel: ChannelRow) => {
    const subject = `notifying channel ${channel.id}`;
    const ending = log.attempt(subject, () => sendQueuedNotifications(channel, owner, turn));
    turns.set(
      channel,
      ending.finally(() => {
        turns.delete(channel);
        rounds.wake();
      }),
    );
  };
  const claim = async () => {
    const failing = [...turns.keys()].filter(({ attempts }) => attempts > 0).length;
    const count = CHANNELS_MAX - turns.size;
    for (const channel of await claimChannels(db, { owner, leaseMs, count, isFailing: false }))
      begin(channel);
    const left = Math.min(CHANNELS_MAX - turns.size, FAILING_MAX - failing);
    for (const channel of await claimChannels(db, { owner, leaseMs, count: left, isFailing: true }))
      begin(channel);
  };
  const fanOutAll = async () => {
    const behind = await findBehind(db, ACCOUNTS_MAX);
    const lane = async () => {
      for (let accountId = behind.pop(); accountId && !stopping.signal.aborted; accountId = behind.pop()) {
        const account = accountId;
        await log.attempt(`notifications of account ${account}`, async () => {
          while (await fanOut(db, account, await clock(db))) if (stopping.signal.aborted) return;
        });
      }
    };
    await Promise.all(Array.from({ length: FAN_OUT_LANES }, lane));
  };
  const round = async () => {
    await sleep(COALESCE_MS);
    await log.attempt('notifications', async () => {
      await fanOutAll();
      await claim();
    });
  };
  const rounds = startRounds(round, ROUND_MS, { idle, kind: 'notifications' });
  const watching = startRounds(
    () => log.attempt('watching for notifications', () => watchAll(options, log, stopping.signal)),
    WATCH_MS,
  );
  const wake = () => rounds.wake();
  committedEvents(pool).on('account', wake);
  return {
    wake,
    async stop() {
      committedEvents(pool).off('account', wake);
      stopping.abort();
      await Promise.all([rounds.stop(), watching.stop()]);
      await Promise.all(turns.values());
    },
  };
}

const PAGE = 200;

/** Checks every account with a channel. Several processes may: each notification is delivered by one of them. */
async function watchAll(
  { pool, clock }: NotificationsOptions,
  log: LogOnce,
  signal: AbortSignal,
): Promise<void> {
  const db = systemDb(pool);
  let after: string | null = null;
  while (!signal.aborted) {
    const page: BooksKey[] = await findBooksWithChannels(db, after, PAGE);
    for (const books of page) {
      if (signal.aborted) return;
      await log.attempt(`watching account ${books.accountId}`, () =>
        recordPeriodicNotices(systemWork(pool, books, clock)),
      );
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.accountId;
  }
}
