import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { testChannel, updateChannel } from '../../engine/notifications/channels.ts';
import { replayDelivery, replayRange } from '../../engine/notifications/deliveries.ts';
import { loadChannel } from '../../engine/notifications/row.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import { recordEvents } from '../../engine/platform/events/events.ts';
import { newId } from '../../engine/platform/ids.ts';
import { idsOf, NotificationDesk, say, textsOf } from '../support/notification-desk.ts';
import { openReceiver } from '../support/notifications.ts';

const desk = new NotificationDesk();

describe('a webhook', () => {
  test('gets events in the order of their commits, signed, and none before its commit or after a rollback', async () => {
    const { secret } = await desk.hook();
    await say(desk.account.work, 'first', 'second');
    await underAccountLock(desk.account.work, async (tx, at) => {
      await recordEvents(tx, at, [{ type: 'notification', payload: { kind: 'notify', text: 'taken back' } }]);
      await desk.work();
      expect(textsOf(desk.receiver)).toEqual(['first', 'second']);
      throw new Error('taken back');
    }).catch(() => {});
    await say(desk.account.work, 'third');
    await desk.work();
    await desk.work();
    expect(textsOf(desk.receiver)).toEqual(['first', 'second', 'third']);
    expect(new Set(idsOf(desk.receiver)).size).toBe(3);
    for (const { body, headers } of desk.receiver.heard) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    }
  });

  test('that answers 500 to one message gets the others at once, and that one again later, the same bytes under the same id', async () => {
    const { id } = await desk.hook();
    let isTaken = false;
    desk.receiver.answer((_request, response) => {
      const isFirst = textsOf(desk.receiver).at(-1) === 'first';
      response.writeHead(isFirst && !isTaken ? 500 : 200).end();
    });
    await say(desk.account.work, 'first', 'second');
    await desk.work();
    await say(desk.account.work, 'third');
    await desk.work();
    expect(textsOf(desk.receiver)).toEqual(['first', 'second', 'third']);
    expect(await desk.logOf(id)).toMatchObject([
      { status: 'waiting', attempts: 1, last_status: 500 },
      { status: 'delivered' },
      { status: 'delivered' },
    ]);
    isTaken = true;
    await desk.pass();
    await desk.work();
    expect(textsOf(desk.receiver)).toEqual(['first', 'second', 'third', 'first']);
    const [before, , , again] = desk.receiver.heard;
    expect([again?.body, again?.headers['webhook-id']]).toEqual([
      before?.body,
      before?.headers['webhook-id'],
    ]);
    expect(await loadChannel(desk.account.work, id)).toMatchObject({
      attempts: 0,
      failing_since: null,
      due_at: null,
    });
  });

  test('that answers nothing is paused after three messages, and probed by one', async () => {
    const { id } = await desk.hook();
    desk.receiver.answer((_request, response) => response.writeHead(503).end());
    await say(desk.account.work, 'a', 'b', 'c', 'd', 'e');
    await desk.work();
    await say(desk.account.work, 'f');
    await desk.work();
    expect(textsOf(desk.receiver)).toEqual(['a', 'b', 'c']);
    await desk.pass();
    await desk.work();
    expect(textsOf(desk.receiver)).toHaveLength(4);
    desk.receiver.answer((_request, response) => response.end());
    await desk.pass();
    await desk.work();
    expect((await desk.logOf(id)).map(({ status }) => status)).toEqual(Array(6).fill('delivered'));
  });

  test('that refuses a message by 4xx gets it once, and all others', async () => {
    const { id } = await desk.hook();
    desk.receiver.answer((_request, response) => {
      response.writeHead(textsOf(desk.receiver).at(-1) === 'refused' ? 422 : 200).end();
    });
    await say(desk.account.work, 'refused', 'taken');
    await desk.work();
    await desk.pass();
    await desk.work();
    expect(textsOf(desk.receiver)).toEqual(['refused', 'taken']);
    expect(await desk.logOf(id)).toMatchObject([
      { status: 'refused', last_status: 422 },
      { status: 'delivered' },
    ]);
  });

  test('that never answers for three days is disabled, the account’s other channels are notified, and once enabled it gets messages again', async () => {
    const dead = await desk.hook();
    desk.receiver.answer((_request, response) => response.writeHead(500).end());
    await say(desk.account.work, 'waits');
    await desk.work();
    await sql`update notification_channel set failing_since = clock_timestamp() - interval '73 hours' where attempts > 0`.execute(
      desk.world.db,
    );
    await desk.pass();
    await desk.work();
    expect(await loadChannel(desk.account.work, dead.id)).toMatchObject({
      state: 'disabled',
      lease_owner: null,
    });
    const other = await openReceiver();
    await desk.hook(other.url);
    await desk.work();
    desk.receiver.answer((_request, response) => response.end());
    await updateChannel(desk.account.work, dead.id, { isOn: true }, desk.place());
    await desk.work();
    expect(textsOf(desk.receiver).at(-1)).toBe('waits');
    await say(desk.account.work, 'both');
    await desk.work();
    expect(textsOf(desk.receiver).at(-1)).toBe('both');
    const types = other.heard.map(({ body }) => JSON.parse(body).type);
    expect(types).toEqual(['channel.disabled', 'blueprint.said']);
    await other.close();
  });

  test('that answers 410 is disabled at once', async () => {
    const { id } = await desk.hook();
    desk.receiver.answer((_request, response) => response.writeHead(410).end());
    await say(desk.account.work, 'hello');
    await desk.work();
    expect((await loadChannel(desk.account.work, id)).state).toBe('disabled');
  });

  test('that hangs delays no other', async () => {
    const healthy = await openReceiver();
    await desk.hook();
    await desk.hook(healthy.url);
    desk.receiver.answer(() => {});
    await say(desk.account.work, 'one', 'two');
    const working = desk.work();
    await expect.poll(() => textsOf(healthy)).toEqual(['one', 'two']);
    await working;
    expect(textsOf(desk.receiver)).toEqual(['one', 'two']);
    await healthy.close();
  });

  test('replayed, one event of a span comes again under its id, switched-off kinds do not', async () => {
    const { id } = await desk.hook();
    await say(desk.account.work, 'one', 'two');
    await desk.work();
    const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
    expect(await replayRange(desk.account.work, id, span)).toBe(2);
    await desk.work();
    expect(idsOf(desk.receiver).slice(2)).toEqual(idsOf(desk.receiver).slice(0, 2));
    await updateChannel(desk.account.work, id, { switches: { 'blueprint.said': 'off' } }, desk.place());
    expect(await replayRange(desk.account.work, id, span)).toBe(0);
    await testChannel(desk.account.work, id);
    await desk.work();
    expect(JSON.parse(desk.receiver.heard.at(-1)?.body ?? '')).toMatchObject({ type: 'test' });
  });

  test('replayed repeatedly, a queued event is queued once, under the same delivery', async () => {
    const { id } = await desk.hook();
    await say(desk.account.work, 'one', 'two');
    await desk.work();
    const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
    for (let time = 0; time < 5; time++) expect(await replayRange(desk.account.work, id, span)).toBe(2);
    const waiting = (await desk.logOf(id)).filter(({ status }) => status === 'waiting');
    expect(waiting).toHaveLength(2);
    const first = waiting[0]?.id ?? '';
    expect(await replayDelivery(desk.account.work, first)).toBe(first);
    await desk.work();
    expect(idsOf(desk.receiver).slice(2)).toEqual(idsOf(desk.receiver).slice(0, 2));
  });

  test('replayed while its queue is full, it is refused with the value, the limit and the remedy', async () => {
    const { id } = await desk.hook();
    await say(desk.account.work, 'one', 'two');
    await desk.work();
    await sql`insert into notification_delivery (account_id, id, channel_id, position, notification_id, not_before, created_at)
      select d.account_id, gen_random_uuid(), d.channel_id, 10 + n, d.notification_id, now(), now()
      from (select * from notification_delivery where channel_id = ${id} order by position limit 1) as d, generate_series(1, 10000) as n`.execute(
      desk.world.db,
    );
    const { rows } = await sql<{ id: string }>`select id from notification_delivery
      where channel_id = ${id} and status = 'delivered' order by position`.execute(desk.world.db);
    await sql`update notification_channel set position = 20000 where id = ${id}`.execute(desk.world.db);
    await expect(replayDelivery(desk.account.work, rows[1]?.id ?? '')).rejects.toMatchObject({
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
    desk.receiver.heard.length = 0;
    await desk.change();
    const { id } = await desk.hook();
    await say(desk.account.work, 'a', 'b', 'c');
    const owner = newId();
    isAlive = await desk.work({ db: mortal(systemDb(desk.world.pool), dyingAt), owner }).then(
      () => true,
      () => false,
    );
    await sql`update notification_channel set leased_until = clock_timestamp() - interval '1 second' where lease_owner = ${owner}`.execute(
      desk.world.db,
    );
    await desk.pass();
    await desk.work();
    const first = [...new Set(textsOf(desk.receiver))];
    expect(first, `died at ${dyingAt}`).toEqual(['a', 'b', 'c']);
    expect(new Set(idsOf(desk.receiver)).size).toBe(3);
    expect((await desk.logOf(id)).map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ]);
    await updateChannel(desk.account.work, id, { isOn: false }, desk.place());
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
