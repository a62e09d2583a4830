import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { loadChannel } from '../../engine/notifications/channel-row.ts';
import { createChannel, testChannel, updateChannel } from '../../engine/notifications/channels.ts';
import { resendDeliveries, resendDelivery } from '../../engine/notifications/deliveries.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import { recordEvents } from '../../engine/platform/events/events.ts';
import { newId } from '../../engine/platform/ids.ts';
import { begun } from '../support/begun.ts';
import { idsOf, NotificationFixture, say, textsOf } from '../support/notification-fixture.ts';
import { openReceiver, proveChannel } from '../support/notifications.ts';

const fixture = new NotificationFixture();

type Challenge = { data: { challenge: string } };
const SPAN = { from: new Date(0), to: new Date('2100-01-01') };

describe('a webhook', () => {
  test('that is new gets nothing but tests, until its answer to one is the signed challenge', async () => {
    const { id, secret } = await fixture.newHook();
    const isProven = async () => (await loadChannel(fixture.account.work, id)).is_proven;
    await say(fixture.account.work, 'unproven');
    await fixture.work();
    expect(fixture.receiver.deliveries).toEqual([]);
    await expect(resendDeliveries(fixture.account.work, id, SPAN)).rejects.toThrow('is not proven');
    await testChannel(fixture.account.work, id);
    // Repeats its request, as some sites do.
    fixture.receiver.answer((_request, response) =>
      response.end(fixture.receiver.deliveries.at(-1)?.body ?? ''),
    );
    await fixture.work();
    expect(await fixture.logOf(id)).toMatchObject([
      { status: 'waiting', last_status: 200, last_problem: 'answered 200 without the challenge' },
    ]);
    expect(await isProven()).toBe(false);
    fixture.receiver.answer((_request, response) => {
      const { body, headers } = fixture.receiver.deliveries.at(-1) ?? { body: '', headers: {} };
      const { data } = new Webhook(secret).verify(body, headers as Record<string, string>) as Challenge;
      response.end(`${data.challenge}\n`);
    });
    await fixture.pass();
    await fixture.work();
    expect(await isProven()).toBe(true);
    await say(fixture.account.work, 'proven');
    await fixture.work();
    expect(textsOf(fixture.receiver).at(-1)).toBe('proven');
    await updateChannel(fixture.account.work, id, { isOn: false }, fixture.place());
    await updateChannel(fixture.account.work, id, { isOn: true }, fixture.place());
    expect(await isProven()).toBe(true);
  });

  test('gets events in the order of their commits, signed, and none before its commit or after a rollback', async () => {
    const { secret } = await fixture.hook();
    await say(fixture.account.work, 'first', 'second');
    await underAccountLock(fixture.account.work, async (tx, at) => {
      await recordEvents(tx, at, [{ type: 'notification', payload: { kind: 'notify', text: 'taken back' } }]);
      await fixture.work();
      expect(textsOf(fixture.receiver)).toEqual(['first', 'second']);
      throw new Error('taken back');
    }).catch(() => {});
    await say(fixture.account.work, 'third');
    await fixture.work();
    await fixture.work();
    expect(textsOf(fixture.receiver)).toEqual(['first', 'second', 'third']);
    expect(new Set(idsOf(fixture.receiver)).size).toBe(3);
    for (const { body, headers } of fixture.receiver.deliveries) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    }
  });

  test('with a body template gets its form, signed; a template with an unknown name is refused', async () => {
    const add = (bodyTemplate: string) =>
      fixture.account.http('POST', '/api/notification-channels', {
        kind: 'webhook',
        label: 'Own form',
        url: fixture.receiver.url,
        bodyTemplate,
      });
    expect(await add('{"says": "{{price}}"}')).toMatchObject({
      status: 400,
      body: { error: { issues: [{ path: '/bodyTemplate' }] } },
    });
    const { id, secret } = (await add('{"says": "{{type}}: {{data.text}}"}')).body as Record<string, string>;
    await proveChannel(fixture.world.db, id ?? '');
    await say(fixture.account.work, 'a "b"');
    await fixture.work();
    const [{ body, headers } = { body: '', headers: {} }] = fixture.receiver.deliveries;
    expect(new Webhook(secret ?? '').verify(body, headers as Record<string, string>)).toEqual({
      says: 'blueprint.said: a "b"',
    });
  });

  test('whose body template is replaced retries in the new form, and without one in the usual form; nothing shows it', async () => {
    const { id, secret } = await fixture.hook();
    const change = (bodyTemplate: string | null) =>
      fixture.account.http('PATCH', `/api/notification-channels/${id}`, { bodyTemplate });
    const lastOf = ({ deliveries }: typeof fixture.receiver) => {
      const { body, headers } = deliveries.at(-1) ?? { body: '', headers: {} };
      return new Webhook(secret).verify(body, headers as Record<string, string>);
    };
    let status = 500;
    fixture.receiver.answer((_request, response) => response.writeHead(status).end());
    await say(fixture.account.work, 'said');
    await fixture.work();
    const usual = lastOf(fixture.receiver);
    const replaced = await change('{"token":"4711","says":"{{data.text}}"}');
    expect(replaced).toMatchObject({ status: 200, body: { proven: true } });
    await fixture.pass();
    await fixture.work();
    expect(lastOf(fixture.receiver)).toEqual({ token: '4711', says: 'said' });
    const removed = await change(null);
    status = 200;
    await fixture.pass();
    await fixture.work();
    expect(lastOf(fixture.receiver)).toEqual(usual);
    expect(new Set(idsOf(fixture.receiver)).size).toBe(1);
    const { rows } = await sql<{ after: object }>`
      select after from audit_event where subject_id = ${id} order by id`.execute(fixture.world.db);
    expect(rows.slice(-2)).toMatchObject([
      { after: { bodyTemplate: 'replaced' } },
      { after: { bodyTemplate: 'removed' } },
    ]);
    expect(replaced.text + removed.text + JSON.stringify(rows)).not.toContain('4711');
  });

  test('refuses a template with an unknown name as it did when it was added, and other channels refuse any', async () => {
    const { id } = await fixture.hook();
    const wanted = {
      kind: 'telegram',
      label: 'Chat',
      botToken: '123:ABC',
      chatId: '4',
      switches: {},
      quietHours: null,
    } as const;
    const chat = await createChannel(fixture.account.work, wanted, fixture.place());
    for (const [of, bodyTemplate] of [
      [id, '{"says": "{{price}}"}'],
      [chat.row.id, '{"says": "{{text}}"}'],
    ])
      expect(
        await fixture.account.http('PATCH', `/api/notification-channels/${of}`, { bodyTemplate }),
      ).toMatchObject({ status: 400, body: { error: { issues: [{ path: '/bodyTemplate' }] } } });
  });

  test('that answers 500 to one message gets the others at once, and that one again later, the same bytes under the same id', async () => {
    const { id } = await fixture.hook();
    let isTaken = false;
    fixture.receiver.answer((_request, response) => {
      const isFirst = textsOf(fixture.receiver).at(-1) === 'first';
      response.writeHead(isFirst && !isTaken ? 500 : 200).end();
    });
    await say(fixture.account.work, 'first', 'second');
    await fixture.work();
    await say(fixture.account.work, 'third');
    await fixture.work();
    expect(textsOf(fixture.receiver)).toEqual(['first', 'second', 'third']);
    expect(await fixture.logOf(id)).toMatchObject([
      { status: 'waiting', attempts: 1, last_status: 500 },
      { status: 'delivered' },
      { status: 'delivered' },
    ]);
    isTaken = true;
    await fixture.pass();
    await fixture.work();
    expect(textsOf(fixture.receiver)).toEqual(['first', 'second', 'third', 'first']);
    const [before, , , again] = fixture.receiver.deliveries;
    expect([again?.body, again?.headers['webhook-id']]).toEqual([
      before?.body,
      before?.headers['webhook-id'],
    ]);
    expect(await loadChannel(fixture.account.work, id)).toMatchObject({
      attempts: 0,
      failing_since: null,
      due_at: null,
    });
  });

  test('that answers nothing is paused after three messages, and probed by one', async () => {
    const { id } = await fixture.hook();
    fixture.receiver.answer((_request, response) => response.writeHead(503).end());
    await say(fixture.account.work, 'a', 'b', 'c', 'd', 'e');
    await fixture.work();
    await say(fixture.account.work, 'f');
    await fixture.work();
    expect(textsOf(fixture.receiver)).toEqual(['a', 'b', 'c']);
    await fixture.pass();
    await fixture.work();
    expect(textsOf(fixture.receiver)).toHaveLength(4);
    fixture.receiver.answer((_request, response) => response.end());
    await fixture.pass();
    await fixture.work();
    expect((await fixture.logOf(id)).map(({ status }) => status)).toEqual(Array(6).fill('delivered'));
  });

  test('that refuses a message by 4xx gets it once, and all others', async () => {
    const { id } = await fixture.hook();
    fixture.receiver.answer((_request, response) => {
      response.writeHead(textsOf(fixture.receiver).at(-1) === 'refused' ? 422 : 200).end();
    });
    await say(fixture.account.work, 'refused', 'taken');
    await fixture.work();
    await fixture.pass();
    await fixture.work();
    expect(textsOf(fixture.receiver)).toEqual(['refused', 'taken']);
    expect(await fixture.logOf(id)).toMatchObject([
      { status: 'refused', last_status: 422 },
      { status: 'delivered' },
    ]);
  });

  test('that never answers for three days is disabled, the account’s other channels are notified, and once enabled it gets messages again', async () => {
    const dead = await fixture.hook();
    fixture.receiver.answer((_request, response) => response.writeHead(500).end());
    await say(fixture.account.work, 'waits');
    await fixture.work();
    await sql`update notification_channel set failing_since = clock_timestamp() - interval '73 hours' where attempts > 0`.execute(
      fixture.world.db,
    );
    await fixture.pass();
    await fixture.work();
    expect(await loadChannel(fixture.account.work, dead.id)).toMatchObject({
      state: 'disabled',
      lease_owner: null,
    });
    const other = await openReceiver();
    await fixture.hook(other.url);
    await fixture.work();
    fixture.receiver.answer((_request, response) => response.end());
    await updateChannel(fixture.account.work, dead.id, { isOn: true }, fixture.place());
    await fixture.work();
    expect(textsOf(fixture.receiver).at(-1)).toBe('waits');
    await say(fixture.account.work, 'both');
    await fixture.work();
    expect(textsOf(fixture.receiver).at(-1)).toBe('both');
    const types = other.deliveries.map(({ body }) => JSON.parse(body).type);
    expect(types).toEqual(['channel.disabled', 'blueprint.said']);
    await other.close();
  });

  test('that answers 410 is disabled at once', async () => {
    const { id } = await fixture.hook();
    fixture.receiver.answer((_request, response) => response.writeHead(410).end());
    await say(fixture.account.work, 'hello');
    await fixture.work();
    expect((await loadChannel(fixture.account.work, id)).state).toBe('disabled');
  });

  test('that hangs delays no other', async () => {
    const healthy = await openReceiver();
    await fixture.hook();
    await fixture.hook(healthy.url);
    fixture.receiver.answer(() => {});
    await say(fixture.account.work, 'one', 'two');
    const working = begun(fixture.work());
    await expect.poll(() => textsOf(healthy)).toEqual(['one', 'two']);
    await working;
    expect(textsOf(fixture.receiver)).toEqual(['one', 'two']);
    await healthy.close();
  });

  test('replayed, one event of a span comes again under its id, switched-off kinds do not', async () => {
    const { id } = await fixture.hook();
    await say(fixture.account.work, 'one', 'two');
    await fixture.work();
    const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
    expect(await resendDeliveries(fixture.account.work, id, span)).toBe(2);
    await fixture.work();
    expect(idsOf(fixture.receiver).slice(2)).toEqual(idsOf(fixture.receiver).slice(0, 2));
    await updateChannel(fixture.account.work, id, { switches: { 'blueprint.said': 'off' } }, fixture.place());
    expect(await resendDeliveries(fixture.account.work, id, span)).toBe(0);
    await testChannel(fixture.account.work, id);
    await fixture.work();
    expect(JSON.parse(fixture.receiver.deliveries.at(-1)?.body ?? '')).toMatchObject({ type: 'test' });
  });

  test('replayed repeatedly, a queued event is queued once, under the same delivery', async () => {
    const { id } = await fixture.hook();
    await say(fixture.account.work, 'one', 'two');
    await fixture.work();
    const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
    for (let time = 0; time < 5; time++)
      expect(await resendDeliveries(fixture.account.work, id, span)).toBe(2);
    const waiting = (await fixture.logOf(id)).filter(({ status }) => status === 'waiting');
    expect(waiting).toHaveLength(2);
    const first = waiting[0]?.id ?? '';
    expect(await resendDelivery(fixture.account.work, first)).toBe(first);
    await fixture.work();
    expect(idsOf(fixture.receiver).slice(2)).toEqual(idsOf(fixture.receiver).slice(0, 2));
  });

  test('replayed while its queue is full, it is refused with the value, the limit and the remedy', async () => {
    const { id } = await fixture.hook();
    await say(fixture.account.work, 'one', 'two');
    await fixture.work();
    await sql`insert into notification_delivery (account_id, id, channel_id, position, notification_id, not_before, created_at)
      select d.account_id, gen_random_uuid(), d.channel_id, 10 + n, d.notification_id, now(), now()
      from (select * from notification_delivery where channel_id = ${id} order by position limit 1) as d, generate_series(1, 10000) as n`.execute(
      fixture.world.db,
    );
    const { rows } = await sql<{ id: string }>`select id from notification_delivery
      where channel_id = ${id} and status = 'delivered' order by position`.execute(fixture.world.db);
    await sql`update notification_channel set position = 20000 where id = ${id}`.execute(fixture.world.db);
    await expect(resendDelivery(fixture.account.work, rows[1]?.id ?? '')).rejects.toMatchObject({
      code: 'quota_exceeded',
      message:
        '10000 notifications wait for this channel, and 1 more would exceed 10000. Wait until they have arrived, or replay a shorter span.',
    });
  });
});

test('a process killed at any await loses nothing and changes no order: every event arrives, under one id', async () => {
  let isAlive = false;
  for (let dyingAt = 1; !isAlive; dyingAt++) {
    expect(dyingAt).toBeLessThan(60);
    fixture.receiver.deliveries.length = 0;
    await fixture.change();
    const { id } = await fixture.hook();
    await say(fixture.account.work, 'a', 'b', 'c');
    const owner = newId();
    isAlive = await fixture.work({ db: mortal(systemDb(fixture.world.pool), dyingAt), owner }).then(
      () => true,
      () => false,
    );
    await sql`update notification_channel set leased_until = clock_timestamp() - interval '1 second' where lease_owner = ${owner}`.execute(
      fixture.world.db,
    );
    await fixture.pass();
    await fixture.work();
    const first = [...new Set(textsOf(fixture.receiver))];
    expect(first, `died at ${dyingAt}`).toEqual(['a', 'b', 'c']);
    expect(new Set(idsOf(fixture.receiver)).size).toBe(3);
    expect((await fixture.logOf(id)).map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ]);
    await updateChannel(fixture.account.work, id, { isOn: false }, fixture.place());
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
