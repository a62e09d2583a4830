import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { underAccountLock } from '../../engine/account-lock.ts';
import { failDeployment } from '../../engine/blueprints/fail.ts';
import { databaseClock, systemWork, type Work } from '../../engine/context.ts';
import { recordEvents } from '../../engine/events.ts';
import { newId } from '../../engine/ids.ts';
import {
  createChannel,
  OVERLAP_MS,
  testChannel,
  updateChannel,
} from '../../engine/notifications/channels.ts';
import { replayRange } from '../../engine/notifications/deliveries.ts';
import { fanOut, findBehind } from '../../engine/notifications/fan-out.ts';
import { NOTIFICATION_KINDS, type Switches } from '../../engine/notifications/kinds.ts';
import { claimChannels } from '../../engine/notifications/queue.ts';
import { loadChannel } from '../../engine/notifications/row.ts';
import { openChannel } from '../../engine/notifications/secrets.ts';
import { watch } from '../../engine/notifications/watch.ts';
import { sendOrder } from '../../engine/orders/execution/send.ts';
import { updateRules } from '../../engine/risk-rules/rules.ts';
import { riskUsage } from '../../engine/risk-rules/usage.ts';
import { openMailer } from '../../server/notifications/mail.ts';
import type { SenderOptions } from '../../server/notifications/sender.ts';
import { takeTurn } from '../../server/notifications/turn.ts';
import { expectOk } from '../support/api.ts';
import { openMailServer, openReceiver, type Receiver } from '../support/notifications.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { addBlueprint, addConnection, hold, pendingBuy, proposeBuy } from '../support/trading.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

let world: World;
let account: Account;
let receiver: Receiver;
let sender: SenderOptions;
const running = new AbortController();

beforeAll(async () => {
  world = await openWorld();
  sender = {
    publicUrl: 'https://desk.example',
    isLoopbackAllowed: true,
    resolve: async () => ['127.0.0.1'],
    timeoutMs: 1_000,
    mailer: null,
    pushKeys: null,
  };
});
beforeEach(async () => {
  account = await world.account();
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  // What a test leaves waiting is no other's to send.
  await sql`update notification_channel set state = 'off', state_reason = null`.execute(world.db);
});
afterAll(() => world.close());

const keysOf = () => world.config.credentialKeys;
const place = () => ({ keys: keysOf(), hasMail: true, isLoopbackAllowed: true });
const hook = async (url = receiver.url, switches: Switches = {}) => {
  const wanted = { kind: 'webhook', label: 'Hook', url, switches, quietHours: null } as const;
  const { row, secret } = await createChannel(account.work, wanted, place());
  return { id: row.id, secret: secret ?? '' };
};
const say = (work: Work, ...texts: string[]) =>
  underAccountLock(work, (tx, at) =>
    recordEvents(
      tx,
      at,
      texts.map((text) => ({ type: 'notification' as const, payload: { kind: 'notify', text } })),
    ),
  );

/** What a process does: makes notifications of what is committed, and tells who is due. */
async function work({ db = systemDb(world.pool), owner = newId(), options = sender, leaseMs = 30_000 } = {}) {
  for (const accountId of await findBehind(db, 1_000)) {
    while (await fanOut(db, accountId, await databaseClock(db)));
  }
  const workOf = (accountId: string) => systemWork(world.pool, { accountId, mode: 'live' });
  const common = {
    db,
    workOf,
    keys: keysOf(),
    sender: options,
    leaseMs,
    stopping: running.signal,
    chance: () => 0,
  };
  for (const isFailing of [false, true]) {
    const claimed = await claimChannels(db, { owner, leaseMs, count: 100, isFailing });
    await Promise.all(claimed.map((channel) => takeTurn(channel, owner, common)));
  }
}

const textsOf = ({ heard }: Receiver) => heard.map(({ body }) => JSON.parse(body).data.text);
const idsOf = ({ heard }: Receiver) => heard.map(({ headers }) => headers['webhook-id']);
/** The time until the next try passes. */
const pass = () =>
  sql`update notification_channel set due_at = clock_timestamp() - interval '1 second' where due_at is not null`.execute(
    world.db,
  );
const logOf = (id: string) =>
  world.db
    .selectFrom('notification_delivery')
    .select(['status', 'attempts', 'last_status', 'last_problem'])
    .where('channel_id', '=', id)
    .orderBy('position')
    .execute();

describe('a webhook', () => {
  test('hears of events in the order of their commits, signed, and of none before its commit or after a rollback', async () => {
    const { secret } = await hook();
    await say(account.work, 'first', 'second');
    await underAccountLock(account.work, async (tx, at) => {
      await recordEvents(tx, at, [{ type: 'notification', payload: { kind: 'notify', text: 'taken back' } }]);
      await work();
      expect(textsOf(receiver)).toEqual(['first', 'second']);
      throw new Error('taken back');
    }).catch(() => {});
    await say(account.work, 'third');
    await work();
    await work();
    expect(textsOf(receiver)).toEqual(['first', 'second', 'third']);
    expect(new Set(idsOf(receiver)).size).toBe(3);
    for (const { body, headers } of receiver.heard) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    }
  });

  test('that answers 500 is told again later, the same bytes under the same id, and nothing overtakes it', async () => {
    const { id } = await hook();
    receiver.answer((_request, response) => response.writeHead(500).end());
    await say(account.work, 'first', 'second');
    await work();
    await work();
    expect(textsOf(receiver)).toEqual(['first']);
    expect(await logOf(id)).toMatchObject([
      { status: 'waiting', attempts: 1, last_status: 500 },
      { attempts: 0 },
    ]);
    receiver.answer((_request, response) => response.end());
    await pass();
    await work();
    expect(textsOf(receiver)).toEqual(['first', 'first', 'second']);
    const [before, again] = receiver.heard;
    expect([again?.body, again?.headers['webhook-id']]).toEqual([
      before?.body,
      before?.headers['webhook-id'],
    ]);
    expect(await loadChannel(account.work, id)).toMatchObject({
      attempts: 0,
      failing_since: null,
      due_at: null,
    });
  });

  test('that never answers for three days is disabled, the account’s others are told, and turned on it goes on', async () => {
    const dead = await hook();
    receiver.answer((_request, response) => response.writeHead(500).end());
    await say(account.work, 'waits');
    await work();
    await sql`update notification_channel set failing_since = clock_timestamp() - interval '73 hours' where attempts > 0`.execute(
      world.db,
    );
    await pass();
    await work();
    expect(await loadChannel(account.work, dead.id)).toMatchObject({ state: 'disabled', lease_owner: null });
    const other = await openReceiver();
    await hook(other.url);
    await work();
    receiver.answer((_request, response) => response.end());
    await updateChannel(account.work, dead.id, { isOn: true }, place());
    await work();
    expect(textsOf(receiver).at(-1)).toBe('waits');
    await say(account.work, 'both');
    await work();
    expect(textsOf(receiver).at(-1)).toBe('both');
    const types = other.heard.map(({ body }) => JSON.parse(body).type);
    expect(types).toEqual(['channel.disabled', 'blueprint.said']);
    await other.close();
  });

  test('that says 410 is disabled at once', async () => {
    const { id } = await hook();
    receiver.answer((_request, response) => response.writeHead(410).end());
    await say(account.work, 'hello');
    await work();
    expect((await loadChannel(account.work, id)).state).toBe('disabled');
  });

  test('that hangs delays no other', async () => {
    const healthy = await openReceiver();
    await hook();
    await hook(healthy.url);
    receiver.answer(() => {});
    await say(account.work, 'one', 'two');
    const working = work();
    await expect.poll(() => textsOf(healthy)).toEqual(['one', 'two']);
    await working;
    expect(textsOf(receiver)).toEqual(['one']);
    await healthy.close();
  });

  test('replayed, one of a span comes again under its id, switched-off kinds do not', async () => {
    const { id } = await hook();
    await say(account.work, 'one', 'two');
    await work();
    const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
    expect(await replayRange(account.work, id, span)).toBe(2);
    await work();
    expect(idsOf(receiver).slice(2)).toEqual(idsOf(receiver).slice(0, 2));
    await updateChannel(account.work, id, { switches: { 'blueprint.said': 'off' } }, place());
    expect(await replayRange(account.work, id, span)).toBe(0);
    await testChannel(account.work, id);
    await work();
    expect(JSON.parse(receiver.heard.at(-1)?.body ?? '')).toMatchObject({ type: 'test' });
  });
});

test('a process killed at any await loses nothing and changes no order: every event arrives, under one id', async () => {
  let isAlive = false;
  for (let dyingAt = 1; !isAlive; dyingAt++) {
    expect(dyingAt).toBeLessThan(60);
    receiver.heard.length = 0;
    account = await world.account();
    const { id } = await hook();
    await say(account.work, 'a', 'b', 'c');
    const owner = newId();
    isAlive = await work({ db: mortal(systemDb(world.pool), dyingAt), owner }).then(
      () => true,
      () => false,
    );
    await sql`update notification_channel set leased_until = clock_timestamp() - interval '1 second' where lease_owner = ${owner}`.execute(
      world.db,
    );
    await pass();
    await work();
    const first = [...new Set(textsOf(receiver))];
    expect(first, `died at ${dyingAt}`).toEqual(['a', 'b', 'c']);
    expect(new Set(idsOf(receiver)).size).toBe(3);
    expect((await logOf(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
    await updateChannel(account.work, id, { isOn: false }, place());
  }
});

/** A handle whose process dies before or after its statement number `dyingAt`. */
function mortal(db: Db, dyingAt: number): Db {
  let steps = 0;
  const step = () => {
    steps += 1;
    if (steps >= dyingAt) throw new Error('killed');
  };
  return db.withPlugin({
    transformQuery: ({ node }) => {
      step();
      return node;
    },
    transformResult: async ({ result }) => {
      step();
      return result;
    },
  });
}

test('an approval that waits is told with its order, its expiry and a link to its dialog', async () => {
  await hook();
  const blueprintId = await addBlueprint(account, 'Dip buyer');
  const order = await pendingBuy(world, account, { blueprintId, amount: '0.001' });
  await work();
  const told = receiver.heard
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'order.pending');
  expect(told).toMatchObject({
    mode: 'paper',
    data: { orderId: order.id, blueprintName: 'Dip buyer', expiresAt: expect.any(String), side: 'buy' },
  });
});

test('every change that an account is told of is told by what makes it, with what it is about', async () => {
  await hook(receiver.url, Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, 'always'])));
  const { work: books } = account;
  const loose = { requireApprovalAbove: 100_000, maxOrderSize: 100_000 };
  const blueprintId = await addBlueprint(account, 'Dip buyer');
  const wish = { blueprintId, amount: '0.001' };
  await hold(world, account, wish);
  await updateRules(books, { maxOrderSize: 1 });
  await proposeBuy(world, account, wish);
  await updateRules(books, loose);
  const broker = new ScriptedBroker();
  broker.arriving = { status: 'rejected', reasonCode: 'off_tick', reason: 'Price off the tick.' };
  await sendOrder(books, broker, (await proposeBuy(world, account, wish)).id);
  const waiting = await pendingBuy(world, account, wish);
  await updateRules(books, loose);
  const deployed = expectOk(await account.http('POST', `/api/blueprints/${blueprintId}/deploy`));
  await failDeployment(books, (deployed as { deploymentId: string }).deploymentId, 'The market is gone.');
  await say(books, 'The price is low.');
  await addConnection(account);
  const exposure = (await riskUsage(books)).lines.find(({ rule }) => rule === 'maxOpenPositions');
  await updateRules(books, { maxOpenPositions: Number(exposure?.used), maxGrossExposure: 1_000_000 });
  const stake = (await riskUsage(books)).lines.find(({ rule }) => rule === 'maxGrossExposure')?.used;
  await updateRules(books, { maxGrossExposure: Math.ceil(Number(stake) * 1.15) });
  await watch(books);
  await updateRules(books, { maxOpenPositions: 100, maxGrossExposure: 1_000_000 });
  await watch(tomorrow(books));
  await work();
  const heard = receiver.heard.map(({ body }) => JSON.parse(body));
  const of = (kind: string) => heard.filter(({ type }) => type === kind).map(({ data }) => data);
  expect(of('order.filled')).toMatchObject([
    { blueprintName: 'Dip buyer', side: 'buy', filledAmount: 0.001 },
  ]);
  expect(of('order.denied')).toMatchObject([{ reasonCode: 'maxOrderSize', reason: expect.any(String) }]);
  expect(of('order.rejected')).toMatchObject([{ reasonCode: 'off_tick', reason: 'Price off the tick.' }]);
  expect(heard.find(({ type }) => type === 'order.pending').link).toBe(
    `https://desk.example/orders?approve=${waiting.id}`,
  );
  expect(of('order.pending')).toMatchObject([{ orderId: waiting.id, expiresAt: expect.any(String) }]);
  expect(of('blueprint.error')).toMatchObject([
    { blueprintId, blueprintName: 'Dip buyer', error: 'The market is gone.' },
  ]);
  expect(of('blueprint.said')).toMatchObject([{ text: 'The price is low.' }]);
  expect(of('connection.changed').at(-1)).toMatchObject({
    label: 'Spare',
    venue: 'crypto',
    state: 'unverified',
  });
  expect(of('rule.reached')).toMatchObject([{ rule: 'maxOpenPositions', usedPercent: 100 }]);
  expect(of('rule.near_limit')).toMatchObject([{ rule: 'maxGrossExposure' }]);
  expect(of('summary.daily')).toHaveLength(1);
});

test('a webhook’s secret is rotated at the route: told once, and for a day both agree', async () => {
  const made = await account.http('POST', '/api/notification-channels', {
    kind: 'webhook',
    label: 'Hook',
    url: receiver.url,
  });
  const { id, secret } = expectOk(made) as { id: string; secret: string };
  const rotated = expectOk(await account.http('POST', `/api/notification-channels/${id}/rotate-secret`)) as {
    secret: string;
  };
  expect(rotated.secret).not.toBe(secret);
  const read = await account.http('GET', `/api/notification-channels/${id}`);
  for (const known of [secret, rotated.secret]) expect(read.text).not.toContain(known.slice(-20));
  await say(account.work, 'hello');
  await work();
  const [{ body, headers } = { body: '', headers: {} }] = receiver.heard;
  for (const known of [secret, rotated.secret])
    expect(new Webhook(known).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
  const { rows } = await sql<{ after: unknown }>`select after from audit_event
    where account_id = ${account.accountId} and action = 'notification_channel.rotated'`.execute(world.db);
  expect(rows).toEqual([{ after: { overlapMs: OVERLAP_MS } }]);
  const chat = { kind: 'slack', label: 'Chat', url: 'https://hooks.slack.com/services/T/B/x' };
  const other = expectOk(await account.http('POST', '/api/notification-channels', chat)) as { id: string };
  expect(await account.http('POST', `/api/notification-channels/${other.id}/rotate-secret`)).toMatchObject({
    status: 403,
    body: { error: { code: 'invalid_state' } },
  });
});

/** The same books a day later. */
const tomorrow = (books: Work): Work => ({
  ...books,
  clock: async (db) => new Date((await books.clock(db)).getTime() + 86_400_000),
});

test('what a watch finds is told once: a day’s summary, a key that ends soon', async () => {
  await hook();
  await sql`update api_key set expires_at = clock_timestamp() + interval '44 hours' where id = ${account.keyId}`.execute(
    world.db,
  );
  for (let round = 0; round < 2; round++) await watch(tomorrow(account.work));
  await work();
  const types = receiver.heard.map(({ body }) => JSON.parse(body).type).sort();
  expect(types).toEqual(['key.expiring', 'summary.daily']);
});

test('no day is summed up that ended before there were books, or anybody to tell', async () => {
  const { id } = await hook();
  await watch(account.work);
  await world.db
    .updateTable('notification_channel')
    .set({ created_at: sql<string>`created_at - interval '2 days'` })
    .where('account_id', '=', account.accountId)
    .where('id', '=', id)
    .execute();
  await watch(account.work);
  await work();
  expect(receiver.heard).toEqual([]);
});

test('a browser that renewed its subscription is reached by the new one; other kinds have none', async () => {
  const subscription = (name: string) => ({
    endpoint: receiver.url.replace('hook', name),
    keys: { p256dh: 'p', auth: 'a' },
  });
  const made = expectOk(
    await account.http('POST', '/api/notification-channels', {
      kind: 'push',
      label: 'Browser',
      subscription: subscription('before'),
    }),
  ) as { id: string };
  const url = `/api/notification-channels/${made.id}`;
  const renewed = expectOk(await account.http('PATCH', url, { subscription: subscription('after') }));
  expect(renewed).toMatchObject({ id: made.id, target: expect.stringMatching(/…fter$/) });
  const row = await loadChannel(account.work, made.id);
  const owner = { accountId: account.accountId, channelId: made.id };
  expect(await openChannel(owner, row, keysOf())).toEqual({
    url: subscription('after').endpoint,
    push: subscription('after').keys,
  });
  expect(
    await account.http('PATCH', url, {
      subscription: { ...subscription('x'), endpoint: 'http://10.0.0.1/' },
    }),
  ).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
  const { id } = await hook();
  expect(
    await account.http('PATCH', `/api/notification-channels/${id}`, { subscription: subscription('after') }),
  ).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
});

test('e-mail arrives at a real server as text and HTML, once under one id; to strangers none is sent', async () => {
  const server = await openMailServer();
  const mailer = openMailer({ url: server.url, from: 'Trading <notify@desk.example>' });
  const { email } = await world.signUp();
  const { rows } = await sql<{ account_id: string }>`
    select m.account_id from membership m join auth."user" u on u.id = m.user_id where u.email = ${email}`.execute(
    world.db,
  );
  const own = systemWork(world.pool, { accountId: rows[0]?.account_id ?? '', mode: 'paper' });
  const wanted = { kind: 'email', label: 'Mine', switches: {}, quietHours: null } as const;
  await expect(createChannel(own, { ...wanted, address: 'somebody@else.example' }, place())).rejects.toThrow(
    'signs in',
  );
  await createChannel(own, { ...wanted, address: email }, place());
  await say(own, '<b>bold</b> claims');
  await work({ options: { ...sender, mailer } });
  expect(server.mails).toHaveLength(1);
  const [mail = ''] = server.mails;
  expect(mail).toContain(`To: ${email}`);
  expect(mail).toContain('text/plain');
  expect(mail).toContain('text/html');
  expect(mail.replaceAll('=\r\n', '')).toContain('&lt;b&gt;bold&lt;/b&gt; claims');
  mailer.close();
  await server.close();
});
