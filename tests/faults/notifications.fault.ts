import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createChannel } from '../../engine/notifications/channels.ts';
import { resendDeliveries } from '../../engine/notifications/deliveries.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import type { Work } from '../../engine/platform/context.ts';
import { recordEvents } from '../../engine/platform/events/events.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import {
  openReceiver,
  proveChannel,
  type Receiver,
  STRATEGY_MESSAGES_ONLY,
} from '../support/notifications.ts';
import type { NotifierProcess, NotifierStart } from '../support/notifier-process.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

const PROCESS = fileURLToPath(new URL('../support/notifier-process.ts', import.meta.url));
/** Number of kills, spread over the steps of the process. As many as it has steps hit each once; more are further rounds. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? 4);
const CREDENTIAL_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const KILL_MS_MAX = 30_000;
const LEASE_MS = 1_000;
const TEXTS = ['a', 'b', 'c', 'd', 'e'];
const WAIT = { timeout: 60_000, interval: 20 };

let world: World;
let receiver: Receiver;
let account: Account;
beforeAll(async () => {
  world = await openWorld();
  receiver = await openReceiver();
});
beforeEach(async () => {
  account = await world.account();
  receiver.deliveries.length = 0;
});
afterAll(async () => {
  await Promise.all(spares.map(kill));
  await receiver.close();
  await world.close();
});

/** Imported before the kills, so that no test waits for it. */
const spares: ChildProcess[] = [];
const SPARES = 3;

function spare(): ChildProcess {
  const settings: NotifierProcess = {
    connection: world.database.connection,
    credentialKeys: CREDENTIAL_KEYS,
    leaseMs: LEASE_MS,
    isSpare: true,
  };
  return fork(PROCESS, [JSON.stringify(settings)]);
}

function open(killAtStep: number | null = null): ChildProcess {
  while (spares.length <= SPARES) spares.push(spare());
  const child = spares.shift() ?? spare();
  child.send({ killAtStep } satisfies NotifierStart);
  return child;
}

const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function kill(child: ChildProcess): Promise<void> {
  if (isOver(child)) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function addHook(): Promise<string> {
  // By its name, so that it is looked up before each message.
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  const wanted = {
    kind: 'webhook',
    label: 'Hook',
    url,
    switches: STRATEGY_MESSAGES_ONLY,
    quietHours: null,
  } as const;
  const place = { keys: KeyRing.parse(CREDENTIAL_KEYS), hasMail: false, isLoopbackAllowed: true };
  const { row } = await createChannel(account.work, wanted, place);
  await proveChannel(world.db, row.id);
  return row.id;
}

const say = (work: Work, text: string) =>
  underAccountLock(work, (tx, at) =>
    recordEvents(tx, at, [{ type: 'notification', payload: { kind: 'notify', text } }]),
  );

const ended = async (channelId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from notification_delivery
    where channel_id = ${channelId} and status = 'delivered'`.execute(world.db);
  return rows[0]?.count ?? 0;
};

const texts = () => receiver.deliveries.map(({ body }) => JSON.parse(body).data.text as string);
/** Ids in the order in which each came first. */
function heard(): { order: string[]; ids: Map<string, Set<string>> } {
  const ids = new Map<string, Set<string>>();
  for (const { body, headers } of receiver.deliveries) {
    const { text } = JSON.parse(body).data;
    ids.set(text, (ids.get(text) ?? new Set()).add(String(headers['webhook-id'])));
  }
  return { order: [...ids.keys()], ids };
}

/** Delivers everything by processes, the first of which dies at this step, if it gets there; returns the steps of the last. */
async function toldDespite(
  killAtStep: number | null,
  channelId: string,
  deliveries: number,
): Promise<number> {
  const mortal = open(killAtStep);
  let last = mortal;
  try {
    await expect.poll(async () => isOver(mortal) || (await ended(channelId)) === deliveries, WAIT).toBe(true);
    if (isOver(mortal)) last = open();
    await expect.poll(() => ended(channelId), WAIT).toBe(deliveries);
    return await stepsOf(last);
  } finally {
    await kill(mortal);
    await kill(last);
  }
}

/** The number of steps it made; 0 if it died before it could report. */
const stepsOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.on('message', (said) => {
      if (typeof said === 'number') resolve(said);
    });
    child.once('exit', () => resolve(0));
    if (isOver(child)) resolve(0);
    else child.send('steps', () => {});
  });

/** Records an event that is never committed; the returned function rolls it back. */
async function holdUncommitted(work: Work, text: string): Promise<() => Promise<void>> {
  const recorded = Promise.withResolvers<void>();
  const over = Promise.withResolvers<never>();
  const holding = underAccountLock(work, async (tx, at) => {
    await recordEvents(tx, at, [{ type: 'notification', payload: { kind: 'notify', text } }]);
    recorded.resolve();
    return over.promise;
  }).catch(() => {});
  await recorded.promise;
  return async () => {
    over.reject(new Error('taken back'));
    await holding;
  };
}

const pointsOf = (steps: number): number[] =>
  Array.from({ length: KILLS }, (_, index) =>
    KILLS < steps ? 1 + Math.floor((index * steps) / KILLS) : 1 + (index % steps),
  );

describe(`a sender killed by SIGKILL at its awaits, ${KILLS} times`, () => {
  test(
    'loses no event, tells none before its commit, keeps the order, and repeats under the same id',
    async () => {
      const channelId = await addHook();
      for (const text of TEXTS) await say(account.work, text);
      const steps = await toldDespite(null, channelId, TEXTS.length);
      expect(steps).toBeGreaterThan(0);
      expect(texts()).toEqual(TEXTS);
      let died = 0;
      for (const killAtStep of pointsOf(steps)) {
        account = await world.account();
        receiver.deliveries.length = 0;
        const id = await addHook();
        for (const text of TEXTS) await say(account.work, text);
        const undo = await holdUncommitted(account.work, 'not yet');
        await toldDespite(killAtStep, id, TEXTS.length).finally(undo);
        const { order, ids } = heard();
        expect(order, `killed at ${killAtStep}`).toEqual(TEXTS);
        for (const [text, known] of ids) expect(known.size, `${text}, killed at ${killAtStep}`).toBe(1);
        if (receiver.deliveries.length > TEXTS.length) died += 1;
      }
      // Some kills hit between sending and storing that: those notifications came twice, under one id.
      if (KILLS >= steps) expect(died).toBeGreaterThan(0);
    },
    120_000 + KILLS * KILL_MS_MAX,
  );

  test(
    'a replayed span arrives whole, in order and under its former ids',
    async () => {
      const channelId = await addHook();
      for (const text of TEXTS) await say(account.work, text);
      const steps = await toldDespite(null, channelId, TEXTS.length);
      expect(steps).toBeGreaterThan(0);
      const before = heard().ids;
      const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
      let deliveries = TEXTS.length;
      for (const killAtStep of pointsOf(steps).slice(0, Math.ceil(KILLS / 2))) {
        receiver.deliveries.length = 0;
        deliveries += await resendDeliveries(account.work, channelId, span);
        await toldDespite(killAtStep, channelId, deliveries);
        expect(heard(), `killed at ${killAtStep}`).toEqual({ order: TEXTS, ids: before });
      }
    },
    120_000 + KILLS * KILL_MS_MAX,
  );
});
