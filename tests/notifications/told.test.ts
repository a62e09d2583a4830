import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { createChannel, OVERLAP_MS } from '../../engine/notifications/channels.ts';
import { NOTIFICATION_KINDS } from '../../engine/notifications/kinds.ts';
import { loadChannel } from '../../engine/notifications/row.ts';
import { openChannel } from '../../engine/notifications/secrets.ts';
import { watch } from '../../engine/notifications/watch.ts';
import { systemWork, type Work } from '../../engine/platform/context.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { failDeployment } from '../../engine/usecases/blueprints/running/fail.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { riskUsage } from '../../engine/usecases/risk-rules/usage.ts';
import { openMailer } from '../../server/workers/notifications/mail.ts';
import { expectOk } from '../support/api.ts';
import { NotificationDesk, SENDER, say } from '../support/notification-desk.ts';
import { openMailServer } from '../support/notifications.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { addBlueprint, addConnection, hold, pendingBuy, proposeBuy } from '../support/trading.ts';

const desk = new NotificationDesk();

test('an order that waits for approval is notified with its expiry and a link to its dialog', async () => {
  await desk.hook();
  const blueprintId = await addBlueprint(desk.account, 'Dip buyer');
  const order = await pendingBuy(desk.world, desk.account, { blueprintId, amount: '0.001' });
  await desk.work();
  const told = desk.receiver.heard
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'order.pending');
  expect(told).toMatchObject({
    mode: 'paper',
    data: { orderId: order.id, blueprintName: 'Dip buyer', expiresAt: expect.any(String), side: 'buy' },
  });
});

test('an order that waits for approval is notified however wrong the clock of the process is', async () => {
  const chat = {
    kind: 'slack',
    label: 'Chat',
    url: desk.receiver.url,
    switches: {},
    quietHours: null,
  } as const;
  const { row } = await createChannel(desk.account.work, chat, desk.place());
  const blueprintId = await addBlueprint(desk.account, 'Dip buyer');
  await pendingBuy(desk.world, desk.account, { blueprintId, amount: '0.001' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  try {
    await desk.work();
  } finally {
    vi.useRealTimers();
  }
  const log = await desk.logOf(row.id);
  expect(log.map(({ status }) => status)).toEqual(log.map(() => 'delivered'));
  expect(desk.receiver.heard.map(({ body }) => body).join()).toContain('Dip buyer');
});

test('every change with a notification is notified by the code that makes it, with its subject', async () => {
  await desk.hook(desk.receiver.url, Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, 'always'])));
  const { work: books } = desk.account;
  const loose = { requireApprovalAbove: 100_000, maxOrderSize: 100_000 };
  const blueprintId = await addBlueprint(desk.account, 'Dip buyer');
  const wish = { blueprintId, amount: '0.001' };
  await hold(desk.world, desk.account, wish);
  await updateRules(books, { maxOrderSize: 1 });
  await proposeBuy(desk.world, desk.account, wish);
  await updateRules(books, loose);
  const broker = new ScriptedBroker();
  broker.arriving = { status: 'rejected', reasonCode: 'off_tick', reason: 'Price off the tick.' };
  await sendOrder(books, broker, (await proposeBuy(desk.world, desk.account, wish)).id);
  const waiting = await pendingBuy(desk.world, desk.account, wish);
  await updateRules(books, loose);
  const deployed = expectOk(await desk.account.http('POST', `/api/blueprints/${blueprintId}/deploy`));
  await failDeployment(books, (deployed as { deploymentId: string }).deploymentId, 'The market is gone.');
  await say(books, 'The price is low.');
  await addConnection(desk.account);
  const exposure = (await riskUsage(books)).lines.find(({ rule }) => rule === 'maxOpenPositions');
  await updateRules(books, { maxOpenPositions: Number(exposure?.used), maxGrossExposure: 1_000_000 });
  const stake = (await riskUsage(books)).lines.find(({ rule }) => rule === 'maxGrossExposure')?.used;
  await updateRules(books, { maxGrossExposure: Math.ceil(Number(stake) * 1.15) });
  await watch(books);
  await updateRules(books, { maxOpenPositions: 100, maxGrossExposure: 1_000_000 });
  await watch(tomorrow(books));
  await desk.work();
  const heard = desk.receiver.heard.map(({ body }) => JSON.parse(body));
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

test('a webhook’s secret is rotated at the route: returned once, and for a day both are valid', async () => {
  const made = await desk.account.http('POST', '/api/notification-channels', {
    kind: 'webhook',
    label: 'Hook',
    url: desk.receiver.url,
  });
  const { id, secret } = expectOk(made) as { id: string; secret: string };
  const rotated = expectOk(
    await desk.account.http('POST', `/api/notification-channels/${id}/rotate-secret`),
  ) as {
    secret: string;
  };
  expect(rotated.secret).not.toBe(secret);
  const read = await desk.account.http('GET', `/api/notification-channels/${id}`);
  for (const known of [secret, rotated.secret]) expect(read.text).not.toContain(known.slice(-20));
  await say(desk.account.work, 'hello');
  await desk.work();
  const [{ body, headers } = { body: '', headers: {} }] = desk.receiver.heard;
  for (const known of [secret, rotated.secret])
    expect(new Webhook(known).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
  const { rows } = await sql<{ after: unknown }>`select after from audit_event
    where account_id = ${desk.account.accountId} and action = 'notification_channel.rotated'`.execute(
    desk.world.db,
  );
  expect(rows).toEqual([{ after: { overlapMs: OVERLAP_MS } }]);
  const chat = { kind: 'slack', label: 'Chat', url: 'https://hooks.slack.com/services/T/B/x' };
  const other = expectOk(await desk.account.http('POST', '/api/notification-channels', chat)) as {
    id: string;
  };
  expect(
    await desk.account.http('POST', `/api/notification-channels/${other.id}/rotate-secret`),
  ).toMatchObject({
    status: 403,
    body: { error: { code: 'invalid_state' } },
  });
});

/** The same books a day later. */
const tomorrow = (books: Work): Work => ({
  ...books,
  clock: async (db) => new Date((await books.clock(db)).getTime() + 86_400_000),
});

test('a watch notifies once: a day’s summary, a key that ends soon', async () => {
  await desk.hook();
  await sql`update api_key set expires_at = clock_timestamp() + interval '44 hours' where id = ${desk.account.keyId}`.execute(
    desk.world.db,
  );
  for (let round = 0; round < 2; round++) await watch(tomorrow(desk.account.work));
  await desk.work();
  const types = desk.receiver.heard.map(({ body }) => JSON.parse(body).type).sort();
  expect(types).toEqual(['key.expiring', 'summary.daily']);
});

test('a day has no summary if it ended before there were books, or any channel', async () => {
  const { id } = await desk.hook();
  await watch(desk.account.work);
  await desk.world.db
    .updateTable('notification_channel')
    .set({ created_at: sql<string>`created_at - interval '2 days'` })
    .where('account_id', '=', desk.account.accountId)
    .where('id', '=', id)
    .execute();
  await watch(desk.account.work);
  await desk.work();
  expect(desk.receiver.heard).toEqual([]);
});

test('a browser that renewed its subscription is reached by the new one; other kinds have none', async () => {
  const subscription = (name: string) => ({
    endpoint: desk.receiver.url.replace('hook', name),
    keys: { p256dh: 'p', auth: 'a' },
  });
  const made = expectOk(
    await desk.account.http('POST', '/api/notification-channels', {
      kind: 'push',
      label: 'Browser',
      subscription: subscription('before'),
    }),
  ) as { id: string };
  const url = `/api/notification-channels/${made.id}`;
  const renewed = expectOk(await desk.account.http('PATCH', url, { subscription: subscription('after') }));
  expect(renewed).toMatchObject({ id: made.id, target: expect.stringMatching(/…fter$/) });
  const row = await loadChannel(desk.account.work, made.id);
  const owner = { accountId: desk.account.accountId, channelId: made.id };
  expect(await openChannel(owner, row, desk.place().keys)).toEqual({
    url: subscription('after').endpoint,
    push: subscription('after').keys,
  });
  expect(
    await desk.account.http('PATCH', url, {
      subscription: { ...subscription('x'), endpoint: 'http://10.0.0.1/' },
    }),
  ).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
  const { id } = await desk.hook();
  expect(
    await desk.account.http('PATCH', `/api/notification-channels/${id}`, {
      subscription: subscription('after'),
    }),
  ).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
});

test('e-mail arrives at a real server as text and HTML, once under one id; none is sent to unverified addresses', async () => {
  const server = await openMailServer();
  const mailer = openMailer({ url: server.url, from: 'Trading <notify@desk.example>' });
  const { email } = await desk.world.signUp();
  const { rows } = await sql<{ account_id: string }>`
    select m.account_id from membership m join auth."user" u on u.id = m.user_id where u.email = ${email}`.execute(
    desk.world.db,
  );
  const own = systemWork(desk.world.pool, { accountId: rows[0]?.account_id ?? '', mode: 'paper' });
  const wanted = { kind: 'email', label: 'Mine', switches: {}, quietHours: null } as const;
  await expect(
    createChannel(own, { ...wanted, address: 'somebody@else.example' }, desk.place()),
  ).rejects.toThrow('signs in');
  await createChannel(own, { ...wanted, address: email }, desk.place());
  await say(own, '<b>bold</b> claims');
  await desk.work({ options: { ...SENDER, mailer } });
  expect(server.mails).toHaveLength(1);
  const [mail = ''] = server.mails;
  expect(mail).toContain(`To: ${email}`);
  expect(mail).toContain('text/plain');
  expect(mail).toContain('text/html');
  expect(mail.replaceAll('=\r\n', '')).toContain('&lt;b&gt;bold&lt;/b&gt; claims');
  mailer.close();
  await server.close();
});
