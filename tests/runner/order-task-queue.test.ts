/** The queue of orders in work: which waits for which. */
import { afterEach, expect, test } from 'vitest';
import type { WorkKey } from '../../engine/trading/orders/execution/queue.ts';
import { OrderTaskQueue } from '../../server/workers/trading/orders/order-task-queue.ts';

const keyOf = (id: string, connectionId: string | null = null): WorkKey => ({
  accountId: 'a',
  mode: connectionId === null ? 'paper' : 'live',
  id,
  connectionId,
});
const many = (count: number, connectionId: string | null) =>
  Array.from({ length: count }, (_, at) => keyOf(`${connectionId}/${at}`, connectionId));

/** A lane in which the orders of some connections do not end before they are released. */
function laneAt(hanging: readonly (string | null)[]) {
  const [begun, done]: [string[], string[]] = [[], []];
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const lane = new OrderTaskQueue({
    concurrency: 3,
    task: async ({ id, connectionId = null }: WorkKey) => {
      begun.push(id);
      if (hanging.includes(connectionId)) await promise;
      done.push(id);
      return true;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  open.push({ lane, letGo });
  return { lane, letGo, begun, done };
}
const open: { lane: OrderTaskQueue; letGo: () => void }[] = [];
afterEach(async () => {
  for (const { lane, letGo } of open.splice(0)) {
    letGo();
    await lane.stop();
  }
});

test.each([
  ['one connection', 'deaf'],
  ['paper', null],
])('a hundred orders of %s that are not answered keep no order of others waiting', async (_, deaf) => {
  const { lane, begun, done, letGo } = laneAt([deaf]);
  lane.take(many(100, deaf));
  lane.take([...many(5, 'sound'), ...many(5, 'other')]);
  await expect.poll(() => done).toHaveLength(10);
  // Only a limited number of unanswered ones are under way.
  expect(begun.filter((id) => id.startsWith(`${deaf}/`))).toHaveLength(3);
  letGo();
  await expect.poll(() => done).toHaveLength(110);
});

test('an order is worked on once at a time, however often it is found, and again once it is done', async () => {
  const { lane, begun, done, letGo } = laneAt(['deaf']);
  for (let round = 0; round < 3; round += 1) lane.take([keyOf('one', 'deaf')]);
  await expect.poll(() => begun).toEqual(['one']);
  letGo();
  await expect.poll(() => done).toEqual(['one']);
  lane.take([keyOf('one', 'deaf')]);
  await expect.poll(() => done).toEqual(['one', 'one']);
});

test('a stopped lane starts nothing more of any connection, and waits for orders under way', async () => {
  const { lane, begun, done, letGo } = laneAt(['deaf']);
  lane.take([...many(10, 'deaf'), ...many(1, 'sound')]);
  await expect.poll(() => done).toHaveLength(1);
  const stopped = lane.stop();
  letGo();
  await stopped;
  expect(begun).toHaveLength(4);
  expect(done).toHaveLength(4);
});

/** Milliseconds between the polls of one order that is never done and always found, on a simulated clock. */
async function pausesOf(
  task: () => Promise<boolean>,
  againWithinMs?: () => Promise<number | null>,
): Promise<number[]> {
  let nowMs = 0;
  const looks: number[] = [];
  const lane = new OrderTaskQueue({
    concurrency: 1,
    task: () => {
      looks.push(nowMs);
      return task();
    },
    onError: () => {},
    uptimeMs: () => nowMs,
    againWithinMs,
  });
  for (; nowMs < 200_000; nowMs += 250) {
    lane.take([keyOf('one', 'deaf')]);
    await new Promise(setImmediate);
  }
  await lane.stop();
  return looks.slice(1).map((atMs, at) => atMs - (looks[at] ?? 0));
}

const undone = async () => false;
const failing = () => Promise.reject(new Error('no answer'));

test('an order that is not done is polled less and less often, and a failing one even less', async () => {
  expect((await pausesOf(undone)).slice(0, 9)).toEqual([
    250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
  ]);
  expect((await pausesOf(failing)).slice(0, 8)).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
  ]);
});

test.each([
  ['is not done', undone],
  ['fails', failing],
])('an order that %s is looked at as soon as it has to be, however often it was', async (_, task) => {
  const pauses = await pausesOf(task, async () => 1_000);
  expect(new Set(pauses.slice(3))).toEqual(new Set([1_000]));
});

test('an order whose next poll cannot be computed is polled soon', async () => {
  expect(new Set(await pausesOf(failing, failing))).toEqual(new Set([1_000]));
});
