import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { createChannel } from '../../engine/notifications/channels.ts';
import { fanOut, findBehind } from '../../engine/notifications/fan-out.ts';
import type { Switches } from '../../engine/notifications/kinds.ts';
import { claimChannels } from '../../engine/notifications/queue.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import { databaseClock, systemWork, type Work } from '../../engine/platform/context.ts';
import { recordEvents } from '../../engine/platform/events/events.ts';
import { newId } from '../../engine/platform/ids.ts';
import { sendQueuedNotifications } from '../../server/workers/notifications/send-queued-notifications.ts';
import type { SenderOptions } from '../../server/workers/notifications/sender.ts';
import { openReceiver, proveChannel, type Receiver } from './notifications.ts';
import { type Account, openWorld, type World } from './world.ts';

export const SENDER: SenderOptions = {
  publicUrl: 'https://desk.example',
  isLoopbackAllowed: true,
  resolve: async () => ['127.0.0.1'],
  timeoutMs: 1_000,
  mailer: null,
  pushKeys: null,
};

type Working = Partial<{ db: Db; owner: string; options: SenderOptions; leaseMs: number }>;

/** A world for the tests of a file, with an account and a receiver for each. */
export class NotificationFixture {
  readonly #stopping = new AbortController().signal;
  #world: World | undefined;
  #account: Account | undefined;
  #receiver: Receiver | undefined;

  constructor() {
    beforeAll(async () => {
      this.#world = await openWorld();
    });
    beforeEach(async () => {
      this.#account = await this.world.account();
      this.#receiver = await openReceiver();
    });
    afterEach(async () => {
      await this.receiver.close();
      // Stops the channel, so that no other test sends what this one queued.
      await sql`update notification_channel set state = 'off', state_reason = null`.execute(this.world.db);
    });
    afterAll(() => this.world.close());
  }

  get world(): World {
    return opened(this.#world);
  }
  get account(): Account {
    return opened(this.#account);
  }
  get receiver(): Receiver {
    return opened(this.#receiver);
  }

  /** Opens another account, from now on the one of this test. */
  async change(): Promise<void> {
    this.#account = await this.world.account();
  }

  place() {
    return { keys: this.world.config.credentialKeys, hasMail: true, isLoopbackAllowed: true };
  }

  /** A webhook that has proven itself. */
  async hook(url = this.receiver.url, switches: Switches = {}): Promise<{ id: string; secret: string }> {
    const hook = await this.newHook(url, switches);
    await proveChannel(this.world.db, hook.id);
    return hook;
  }

  async newHook(url = this.receiver.url, switches: Switches = {}): Promise<{ id: string; secret: string }> {
    const wanted = { kind: 'webhook', label: 'Hook', url, switches, quietHours: null } as const;
    const { row, secret } = await createChannel(this.account.work, wanted, this.place());
    return { id: row.id, secret: secret ?? '' };
  }

  /** The work of one process: turns committed events into notifications and sends those that are due. */
  async work({
    db = systemDb(this.world.pool),
    owner = newId(),
    options = SENDER,
    leaseMs = 30_000,
  }: Working = {}): Promise<void> {
    for (const accountId of await findBehind(db, 1_000)) {
      while (await fanOut(db, accountId, await databaseClock(db)));
    }
    const { keys } = this.place();
    const workOf = (accountId: string) => systemWork(this.world.pool, { accountId, mode: 'live' });
    const turn = { db, workOf, keys, sender: options, leaseMs, stopping: this.#stopping, chance: () => 0 };
    for (const isFailing of [false, true]) {
      const claimed = await claimChannels(db, { owner, leaseMs, count: 100, isFailing });
      await Promise.all(claimed.map((channel) => sendQueuedNotifications(channel, owner, turn)));
    }
  }

  /** Skips the time until the next retry. */
  async pass(): Promise<void> {
    const past = sql`clock_timestamp() - interval '1 second'`;
    await sql`update notification_delivery set not_before = ${past} where status = 'waiting' and attempts > 0`.execute(
      this.world.db,
    );
    await sql`update notification_channel set due_at = ${past} where due_at is not null`.execute(
      this.world.db,
    );
  }

  logOf(id: string) {
    return this.world.db
      .selectFrom('notification_delivery')
      .select(['id', 'status', 'attempts', 'last_status', 'last_problem'])
      .where('channel_id', '=', id)
      .orderBy('position')
      .execute();
  }
}

function opened<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('It is there while a test runs.');
  return thing;
}

export const say = (work: Work, ...texts: string[]) =>
  underAccountLock(work, (tx, at) =>
    recordEvents(
      tx,
      at,
      texts.map((text) => ({ type: 'notification' as const, payload: { kind: 'notify', text } })),
    ),
  );

export const textsOf = ({ deliveries }: Receiver) => deliveries.map(({ body }) => JSON.parse(body).data.text);
export const idsOf = ({ deliveries }: Receiver) => deliveries.map(({ headers }) => headers['webhook-id']);
