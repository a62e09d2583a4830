import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { loadChannel } from '../../engine/notifications/channel-row.ts';
import { createChannel, SECRET_OVERLAP_MS } from '../../engine/notifications/channels.ts';
import { NOTIFICATION_KINDS } from '../../engine/notifications/kinds.ts';
import { recordPeriodicNotices } from '../../engine/notifications/periodic-notices.ts';
import { openChannel } from '../../engine/notifications/secrets.ts';
import { systemWork, type Work } from '../../engine/platform/context.ts';
import { NOTIFY_SEVERITIES } from '../../engine/strategy/graph/types.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { failDeployment } from '../../engine/usecases/blueprints/running/fail.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { riskUsage } from '../../engine/usecases/risk-rules/usage.ts';
import type { RunnerContext } from '../../server/kernel/rounds/options.ts';
import { openMailer } from '../../server/workers/notifications/mail.ts';
import { storeNotifications } from '../../server/workers/trading/shards/store-notifications.ts';
import { expectOk } from '../support/api.ts';
import { NotificationFixture, SENDER, say } from '../support/notification-fixture.ts';
import { openMailServer, proveChannel } from '../support/notifications.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { addBlueprint, addConnection, hold, pendingBuy, proposeBuy } from '../support/trading.ts';

const fixture = new NotificationFixture();

test('an order that waits for approval is notified with its expiry and a link to its dialog', async () => {
  await fixture.hook();
  const blueprintId = await addBlueprint(fixture.account, 'Dip buyer');
  const order = await pendingBuy(fixture.world, fixture.account, { blueprintId, amount: '0.001' });
  await fixture.work();
  const pending = fixture.receiver.deliveries
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'order.pending');
  expect(pending).toMatchObject({
    mode: 'paper',
    data: { orderId: order.id, blueprintName: 'Dip buyer', expiresAt: expect.any(String), side: 'buy' },
  });
});

test('an order that waits for approval is notified however wrong the clock of the process is', async () => {
  const chat = {
    kind: 'slack',
    label: 'Chat',
    url: fixture.receiver.url,
    switches: {},
    quietHours: null,
  } as const;
  const { row } = await createChannel(fixture.account.work, chat, fixture.place());
  const blueprintId = await addBlueprint(fixture.account, 'Dip buyer');
  await pendingBuy(fixture.world, fixture.account, { blueprintId, amount: '0.001' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  try {
    await fixture.work();
  } finally {
    vi.useRealTimers();
  }
  const log = await fixture.logOf(row.id);
  expect(log.map(({ status }) => status)).toEqual(log.map(() => 'delivered'));
  expect(fixture.receiver.deliveries.map(({ body }) => body).join()).toContain('Dip buyer');
});

test('a Notify step reaches only channels whose switch for its severity is on, with the severity in the body', async () => {
  await fixture.hook(fixture.receiver.url, { 'blueprint.said': 'off', 'blueprint.warning': 'off' });
  const blueprintId = await addBlueprint(fixture.account, 'Dip buyer');
  const note = {
    accountId: fixture.account.accountId,
    mode: 'paper',
    blueprintId,
    stepAt: Date.now(),
  } as const;
  await storeNotifications(
    { workOf: () => fixture.account.work } as unknown as RunnerContext,
    NOTIFY_SEVERITIES.map((severity) => ({
      ...note,
      deploymentId: blueprintId,
      nodeId: 'say',
      severity,
      text: severity,
    })),
  );
  await fixture.work();
  const heard = fixture.receiver.deliveries.map(({ body }) => JSON.parse(body));
  expect(heard).toMatchObject([
    { type: 'blueprint.critical', data: { severity: 'critical', text: 'critical', nodeId: 'say' } },
  ]);
});

test('every change with a notification is notified by the code that makes it, with its subject', async () => {
  await fixture.hook(
    fixture.receiver.url,
    Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, 'always'])),
  );
  const { work: books } = fixture.account;
  const loose = { requireApprovalAbove: 100_000, maxOrderSize: 100_000 };
  const blueprintId = await addBlueprint(fixture.account, 'Dip buyer');
  const wish = { blueprintId, amount: '0.001' };
  await hold(fixture.world, fixture.account, wish);
  await updateRules(books, { maxOrderSize: 1 });
  await proposeBuy(fixture.world, fixture.account, wish);
  await updateRules(books, loose);
  const broker = new ScriptedBroker();
  broker.arriving = { status: 'rejected', reasonCode: 'off_tick', reason: 'Price off the tick.' };
  await sendOrder(books, broker, (await proposeBuy(fixture.world, fixture.account, wish)).id);
  const waiting = await pendingBuy(fixture.world, fixture.account, wish);
  await updateRules(books, loose);
  const deployed = expectOk(await fixture.account.http('POST', `/api/blueprints/${blueprintId}/deploy`));
  await failDeployment(books, (deployed as { deploymentId: string }).deploymentId, 'The market is gone.');
  await say(books, 'The price is low.');
  await addConnection(fixture.account);
  const exposure = (await riskUsage(books)).lines.find(({ rule }) => rule === 'maxOpenPositions');
  await updateRules(books, { maxOpenPositions: Number(exposure?.used), maxGrossExposure: 1_000_000 });
  const stake = (await riskUsage(books)).lines.find(({ rule }) => rule === 'maxGrossExposure')?.used;
  await updateRules(books, { maxGrossExposure: Math.ceil(Number(stake) * 1.15) });
  await recordPeriodicNotices(books);
  await updateRules(books, { maxOpenPositions: 100, maxGrossExposure: 1_000_000 });
  await recordPeriodicNotices(tomorrow(books));
  await fixture.work();
  const heard = fixture.receiver.deliveries.map(({ body }) => JSON.parse(body));
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
  const made = await fixture.account.http('POST', '/api/notification-channels', {
    kind: 'webhook',
    label: 'Hook',
    url: fixture.receiver.url,
  });
  const { id, secret } = expectOk(made) as { id: string; secret: string };
  await proveChannel(fixture.world.db, id);
  const rotated = expectOk(
    await fixture.account.http('POST', `/api/notification-channels/${id}/rotate-secret`),
  ) as {
    secret: string;
  };
  expect(rotated.secret).not.toBe(secret);
  const read = await fixture.account.http('GET', `/api/notification-channels/${id}`);
  for (const known of [secret, rotated.secret]) expect(read.text).not.toContain(known.slice(-20));
  await say(fixture.account.work, 'hello');
  await fixture.work();
  const [{ body, headers } = { body: '', headers: {} }] = fixture.receiver.deliveries;
  for (const known of [secret, rotated.secret])
    expect(new Webhook(known).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
  const { rows } = await sql<{ after: unknown }>`select after from audit_event
    where account_id = ${fixture.account.accountId} and action = 'notification_channel.rotated'`.execute(
    fixture.world.db,
  );
  expect(rows).toEqual([{ after: { overlapMs: SECRET_OVERLAP_MS } }]);
  const chat = { kind: 'slack', label: 'Chat', url: 'https://hooks.slack.com/services/T/B/x' };
  const other = expectOk(await fixture.account.http('POST', '/api/notification-channels', chat)) as {
    id: string;
  };
  expect(
    await fixture.account.http('POST', `/api/notification-channels/${other.id}/rotate-secret`),
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
  await fixture.hook();
  await sql`update api_key set expires_at = clock_timestamp() + interval '44 hours' where id = ${fixture.account.keyId}`.execute(
    fixture.world.db,
  );
  for (let round = 0; round < 2; round++) await recordPeriodicNotices(tomorrow(fixture.account.work));
  await fixture.work();
  const types = fixture.receiver.deliveries.map(({ body }) => JSON.parse(body).type).sort();
  expect(types).toEqual(['key.expiring', 'summary.daily']);
});

test('a day has no summary if it ended before there were books, or any channel', async () => {
  const { id } = await fixture.hook();
  await recordPeriodicNotices(fixture.account.work);
  await fixture.world.db
    .updateTable('notification_channel')
    .set({ created_at: sql<string>`created_at - interval '2 days'` })
    .where('account_id', '=', fixture.account.accountId)
    .where('id', '=', id)
    .execute();
  await recordPeriodicNotices(fixture.account.work);
  await fixture.work();
  expect(fixture.receiver.deliveries).toEqual([]);
});

test('a browser that renewed its subscription is reached by the new one; other kinds have none', async () => {
  const subscription = (name: string) => ({
    endpoint: fixture.receiver.url.replace('hook', name),
    keys: { p256dh: 'p', auth: 'a' },
  });
  const made = expectOk(
    await fixture.account.http('POST', '/api/notification-channels', {
      kind: 'push',
      label: 'Browser',
      subscription: subscription('before'),
    }),
  ) as { id: string };
  const url = `/api/notification-channels/${made.id}`;
  const renewed = expectOk(await fixture.account.http('PATCH', url, { subscription: subscription('after') }));
  expect(renewed).toMatchObject({ id: made.id, target: expect.stringMatching(/…fter$/) });
  const row = await loadChannel(fixture.account.work, made.id);
  const owner = { accountId: fixture.account.accountId, channelId: made.id };
  expect(await openChannel(owner, row, fixture.place().keys)).toEqual({
    url: subscription('after').endpoint,
    push: subscription('after').keys,
  });
  expect(
    await fixture.account.http('PATCH', url, {
      subscription: { ...subscription('x'), endpoint: 'http://10.0.0.1/' },
    }),
  ).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
  const { id } = await fixture.hook();
  expect(
    await fixture.account.http('PATCH', `/api/notification-channels/${id}`, {
      subscription: subscription('after'),
    }),
  ).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
});

test('e-mail arrives at a real server as text and HTML, once under one id; none is sent to unverified addresses', async () => {
  const server = await openMailServer();
  const mailer = openMailer({ url: server.url, from: 'Trading <notify@desk.example>' });
  const { email } = await fixture.world.signUp();
  const { rows } = await sql<{ account_id: string }>`
    select m.account_id from membership m join auth."user" u on u.id = m.user_id where u.email = ${email}`.execute(
    fixture.world.db,
  );
  const own = systemWork(fixture.world.pool, { accountId: rows[0]?.account_id ?? '', mode: 'paper' });
  const wanted = { kind: 'email', label: 'Mine', switches: {}, quietHours: null } as const;
  await expect(
    createChannel(own, { ...wanted, address: 'stranger@else.example' }, fixture.place()),
  ).rejects.toThrow('must be the e-mail address of a user of this account');
  await createChannel(own, { ...wanted, address: email }, fixture.place());
  await say(own, '<b>bold</b> claims');
  await fixture.work({ options: { ...SENDER, mailer } });
  expect(server.mails).toHaveLength(1);
  const [mail = ''] = server.mails;
  expect(mail).toContain(`To: ${email}`);
  expect(mail).toContain('text/plain');
  expect(mail).toContain('text/html');
  expect(mail.replaceAll('=\r\n', '')).toContain('&lt;b&gt;bold&lt;/b&gt; claims');
  mailer.close();
  await server.close();
});
