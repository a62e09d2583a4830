import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { underAccountLock } from '../../engine/account-lock.ts';
import { databaseClock, systemWork, type Work } from '../../engine/context.ts';
import { recordEvents } from '../../engine/events.ts';
import { newId } from '../../engine/ids.ts';
import { createChannel, testChannel, updateChannel } from '../../engine/notifications/channels.ts';
import { replayRange } from '../../engine/notifications/deliveries.ts';
import { fanOut, findBehind } from '../../engine/notifications/fan-out.ts';
import type { Switches } from '../../engine/notifications/kinds.ts';
import { claimChannels } from '../../engine/notifications/queue.ts';
import { loadChannel } from '../../engine/notifications/row.ts';
import { watch } from '../../engine/notifications/watch.ts';
import { openMailer } from '../../server/notifications/mail.ts';
import { ANSWER_BYTES_MAX, openLine, post } from '../../server/notifications/post.ts';
import type { SenderOptions } from '../../server/notifications/sender.ts';
import { takeTurn } from '../../server/notifications/turn.ts';
import { openReceiver, type Receiver } from '../support/notifications.ts';
import { addBlueprint, pendingBuy } from '../support/trading.ts';
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
    await updateChannel(account.work, dead.id, { isOn: true });
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
    await updateChannel(account.work, id, { switches: { 'blueprint.said': 'off' } });
    expect(await replayRange(account.work, id, span)).toBe(0);
    await testChannel(account.work, id);
    await work();
    expect(JSON.parse(receiver.heard.at(-1)?.body ?? '')).toMatchObject({ type: 'test' });
  });
});

describe('where a letter goes', () => {
  const letter = (url: string) => ({ url, headers: {}, body: '{}' });
  const send = async (url: string, more: Partial<SenderOptions> = {}) => {
    const line = openLine();
    try {
      return await post(letter(url), line, { ...sender, ...more });
    } finally {
      line.close();
    }
  };

  test('to no private or special address, also where a name stands for one, or for one among others', async () => {
    for (const addresses of [
      ['169.254.169.254'],
      ['93.184.216.34', '10.0.0.1'],
      ['::ffff:192.168.0.1'],
      [],
    ]) {
      const answer = await send('https://hook.example.com/', { resolve: async () => addresses });
      expect(answer).toEqual({ status: null, problem: 'the name stands for a private or special address' });
    }
    expect((await send('http://169.254.169.254/')).status).toBeNull();
  });

  test('looked up once for each letter: a name that stands for something else a moment later is refused', async () => {
    const turns = [['127.0.0.1'], ['169.254.169.254']];
    let asked = 0;
    const resolve = async () => turns[asked++] ?? [];
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    expect((await send(url, { resolve })).status).toBe(200);
    expect(asked).toBe(1);
    expect((await send(url, { resolve })).status).toBeNull();
    expect(receiver.heard).toHaveLength(1);
    expect(receiver.heard[0]?.headers.host).toBe(new URL(url).host);
  });

  test('to no machine of its own in production', async () => {
    expect((await send(receiver.url, { isLoopbackAllowed: false })).status).toBeNull();
    expect(receiver.heard).toEqual([]);
  });

  test('no redirect is followed', async () => {
    const elsewhere = await openReceiver();
    receiver.answer((_request, response) => response.writeHead(307, { location: elsewhere.url }).end());
    expect(await send(receiver.url)).toMatchObject({
      status: 307,
      problem: expect.stringContaining('not followed'),
    });
    expect(elsewhere.heard).toEqual([]);
    await elsewhere.close();
  });

  test('one that says nothing, or a name that is never found, is given up in time', async () => {
    receiver.answer(() => {});
    expect(await send(receiver.url, { timeoutMs: 100 })).toEqual({
      status: null,
      problem: 'no answer within 0.1 s',
    });
    const never = send('https://hook.example.com/', { timeoutMs: 100, resolve: () => new Promise(() => {}) });
    expect(await never).toMatchObject({ status: null });
  });

  test('of 10 MB of an answer little is read', async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    receiver.answer((_request, response) => {
      response.on('close', () => closed.resolve());
      const chunk = Buffer.alloc(64 * 1_024);
      const more = () => {
        while (written < 10 * 1_024 * 1_024 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    expect((await send(receiver.url)).status).toBe(200);
    await closed.promise;
    expect(written).toBeLessThan(10 * 1_024 * 1_024);
    expect(ANSWER_BYTES_MAX).toBeLessThan(100_000);
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
    await updateChannel(account.work, id, { isOn: false });
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

test('what a watch finds is told once: a day’s summary, a key that ends soon', async () => {
  await hook();
  await sql`update api_key set expires_at = clock_timestamp() + interval '20 hours' where id = ${account.keyId}`.execute(
    world.db,
  );
  for (let round = 0; round < 2; round++) await watch(account.work);
  await work();
  const types = receiver.heard.map(({ body }) => JSON.parse(body).type).sort();
  expect(types).toEqual(['key.expiring', 'summary.daily']);
});

test('e-mail arrives at a real server as text and HTML, once under one id; to strangers none is sent', async () => {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server.server.address() as { port: number }).port;
  const mailer = openMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Trading <notify@desk.example>' });
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
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain(`To: ${email}`);
  expect(mails[0]).toContain('text/plain');
  expect(mails[0]?.replaceAll('=\r\n', '')).toContain('&lt;b&gt;bold&lt;/b&gt; claims');
  mailer.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
