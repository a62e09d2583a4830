import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemDb } from '../../db/pool.ts';
import { systemWork, type Work } from '../../engine/platform/context.ts';
import { eventsAfter } from '../../engine/platform/events/event-stream.ts';
import { recordEvents } from '../../engine/platform/events/events.ts';
import { transact } from '../../engine/platform/transact.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { findUser } from '../../server/identity/users/users.ts';
import { begun } from '../support/begun.ts';
import { ORIGIN, openWorld, type World } from '../support/world.ts';

type Received = { id: string | null; event: string; data: { type?: string; payload?: unknown } };

/** Reads a server-sent stream until `enough` returns true, then hangs up. */
async function readStream(
  world: World,
  cookie: string,
  input: Record<string, unknown>,
  enough: (received: Received[]) => boolean,
  meanwhile: () => Promise<void> = async () => {},
): Promise<Received[]> {
  const hangUp = new AbortController();
  const url = `${world.base}/trpc/events?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await fetch(url, {
    headers: { cookie, origin: ORIGIN, accept: 'text/event-stream' },
    signal: AbortSignal.any([hangUp.signal, AbortSignal.timeout(10_000)]),
  });
  if (!response.ok || !response.body) throw new Error(`The stream answered ${response.status}`);
  const received: Received[] = [];
  let rest = '';
  let started = false;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    rest += chunk;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    received.push(...blocks.flatMap(parseBlock));
    if (!started && received.some(({ data }) => data.type === 'account')) {
      started = true;
      await meanwhile();
    }
    if (enough(received)) break;
  }
  hangUp.abort();
  return received;
}

function parseBlock(block: string): Received[] {
  const fields = new Map(
    block
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const data = fields.get('data');
  if (!data) return [];
  return [{ id: fields.get('id') ?? null, event: fields.get('event') ?? 'message', data: JSON.parse(data) }];
}

const ofType = (received: Received[], type: string) => received.filter(({ data }) => data.type === type);

describe('the live stream', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  async function signedIn(): Promise<{ cookie: string; work: Work }> {
    const { cookie, email } = await world.signUp();
    const { account_id: accountId } = await world.db
      .selectFrom('membership')
      .select('account_id')
      .where('user_id', '=', await userIdOf(email))
      .executeTakeFirstOrThrow();
    return {
      cookie,
      work: systemWork(world.pool, { accountId, mode: 'paper' }),
    };
  }

  async function userIdOf(email: string): Promise<string> {
    const id = await findUser(world.pool, email);
    if (!id) throw new Error('No such user.');
    return id;
  }

  test('sends a change committed by another process', async () => {
    const { cookie, work } = await signedIn();
    const other = await world.another();
    const received = await readStream(
      world,
      cookie,
      {},
      (all) => ofType(all, 'risk_rules.changed').length > 0,
      async () => {
        await updateRules(systemWork(other.pool, { accountId: work.accountId, mode: 'paper' }), {
          maxOrderSize: '42',
        });
      },
    );
    await other.stop();
    expect(ofType(received, 'risk_rules.changed')).toHaveLength(1);
  });

  test('resumed by lastEventId, it sends exactly the missed events, in order', async () => {
    const { cookie, work } = await signedIn();
    for (const size of ['1', '2', '3', '4']) await updateRules(work, { maxOrderSize: size });
    const received = await readStream(
      world,
      cookie,
      { lastEventId: '2' },
      (all) => ofType(all, 'risk_rules.changed').length >= 2,
    );
    expect(ofType(received, 'risk_rules.changed').map(({ id }) => id)).toEqual(['3', '4']);
    expect(ofType(received, 'resync')).toEqual([]);
  });

  test('if missed events are no longer stored, it sends resync once and continues from now', async () => {
    const { cookie, work } = await signedIn();
    for (const size of ['1', '2', '3']) await updateRules(work, { maxOrderSize: size });
    await systemDb(world.pool)
      .deleteFrom('account_event')
      .where('account_id', '=', work.accountId)
      .where('seq', '<', '3')
      .execute();
    const received = await readStream(
      world,
      cookie,
      { lastEventId: '1' },
      (all) => ofType(all, 'account').length > 0,
    );
    expect(ofType(received, 'resync').map(({ id }) => id)).toEqual(['3']);
    expect(ofType(received, 'risk_rules.changed')).toEqual([]);
  });

  test('an event committed during a read is sent, not treated as missing', async () => {
    const { work } = await signedIn();
    await updateRules(work, { maxOrderSize: '1' });
    const read = await transact(work, async (tx) => {
      // Blocks a reader of the account's number until this commit: the reader is in the middle of its read.
      await sql`lock table account in access exclusive mode`.execute(tx.db);
      const reading = begun(eventsAfter(work, 1));
      await sleep(200);
      await recordEvents(tx, new Date(), [{ type: 'risk_rules.changed', payload: { version: 2 } }]);
      return { reading };
    });
    expect((await read.reading)?.map(({ seq }) => seq)).toEqual([2]);
  });

  test('node states come for every watched blueprint; a missing one does not affect the others', async () => {
    const { cookie } = await signedIn();
    const create = async (name: string) => {
      const headers = { cookie, origin: ORIGIN };
      const answer = await world.send('POST', '/api/blueprints', { headers, body: { name } });
      return (JSON.parse(answer.text) as { id: string }).id;
    };
    const ids = [await create('One'), await create('Two')];
    const received = await readStream(
      world,
      cookie,
      { blueprintIds: [ids[0], randomUUID(), ids[1]] },
      (all) => ofType(all, 'node_states').length >= 2,
    );
    expect(
      ofType(received, 'node_states').map(
        ({ data }) => (data.payload as { blueprintId: string }).blueprintId,
      ),
    ).toEqual(ids);
  });

  test('a stream without events sends every few seconds that it is still alive', {
    tags: ['long'],
  }, async () => {
    const { cookie } = await signedIn();
    const received = await readStream(world, cookie, {}, (all) => ofType(all, 'beat').length > 0);
    expect(ofType(received, 'beat').map(({ id }) => id)).toEqual(['0']);
  });

  // tRPC opens the stream before it calls the procedure, so the refusal is its first event.
  test('an API key is refused in the stream itself', async () => {
    const { key } = await world.account();
    const answer = await world.send('GET', '/trpc/events?input=%7B%7D', {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.text).toContain('session_required');
    expect(answer.text).not.toContain('asOf');
  });

  test('ends when its process stops, instead of delaying the stop', async () => {
    const other = await world.another();
    const { cookie } = await signedIn();
    const response = await fetch(
      `http://127.0.0.1:${other.address?.port}/trpc/events?input=${encodeURIComponent('{}')}`,
      { headers: { cookie, accept: 'text/event-stream' } },
    );
    const ended = response.text();
    await sleep(200);
    await other.stop();
    await expect(ended).resolves.toContain('account');
  });
});
