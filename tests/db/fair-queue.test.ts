import { expect, test } from 'vitest';
import { FairQueue, QueueFull, type Release, WaitedTooLong } from '../../db/fair-queue.ts';

/** Takes slots in the order of the accounts, and records each that was admitted. */
function takeAll(queue: FairQueue, accounts: readonly string[]) {
  const admitted: string[] = [];
  const releases: Release[] = [];
  for (const account of accounts) {
    void queue.take(account).then(
      (release) => {
        admitted.push(account);
        releases.push(release);
      },
      () => admitted.push(`${account} refused`),
    );
  }
  const release = () => releases.shift()?.();
  return { admitted, release };
}
const settle = () => new Promise(setImmediate);

test('up to n slots are in use, and a released one goes to a waiter', async () => {
  const queue = new FairQueue({ slots: 2 });
  const { admitted, release } = takeAll(queue, ['a', 'b', 'c']);
  await settle();
  expect(admitted).toEqual(['a', 'b']);
  expect(queue.waiting).toBe(1);
  release();
  await settle();
  expect(admitted).toEqual(['a', 'b', 'c']);
  release();
  release();
  expect(queue.isIdle).toBe(true);
  const again = takeAll(queue, ['d', 'e', 'f']);
  await settle();
  expect(again.admitted).toEqual(['d', 'e']);
});

test('the first request of each account goes before the second of any', async () => {
  const queue = new FairQueue({ slots: 1 });
  const { admitted, release } = takeAll(queue, ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
  for (let given = 0; given < 7; given += 1) {
    await settle();
    release();
  }
  await settle();
  expect(admitted).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
});

test('an account has at most its share of the slots, while others get theirs', async () => {
  const queue = new FairQueue({ slots: 3, slotsPerAccount: 1 });
  const { admitted, release } = takeAll(queue, ['a', 'a', 'a', 'b']);
  await settle();
  expect(admitted).toEqual(['a', 'b']);
  release();
  await settle();
  expect(admitted).toEqual(['a', 'b', 'a']);
});

test('a slot released twice is one slot', async () => {
  const queue = new FairQueue({ slots: 1 });
  const release = await queue.take('a');
  release();
  release();
  const { admitted } = takeAll(queue, ['b', 'c']);
  await settle();
  expect(admitted).toEqual(['b']);
});

test('a waiter that gives up gets no slot, and takes none from others', async () => {
  const queue = new FairQueue({ slots: 1 });
  const release = await queue.take('a');
  await expect(queue.take('b', { waitMs: 1 })).rejects.toThrow(WaitedTooLong);
  const leaving = new AbortController();
  const left = queue.take('b', { signal: leaving.signal });
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(queue.take('b', { signal: leaving.signal })).rejects.toThrow('gone');
  const { admitted } = takeAll(queue, ['c']);
  release();
  await settle();
  expect(admitted).toEqual(['c']);
});

test('a task that fails returns its slot', async () => {
  const queue = new FairQueue({ slots: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(queue.run('b', async () => 'ran')).resolves.toBe('ran');
});

test('an account has at most its limit of waiters', async () => {
  const queue = new FairQueue({ slots: 1, waitingPerAccount: 1 });
  const { admitted } = takeAll(queue, ['a', 'a', 'a', 'b']);
  await settle();
  expect(admitted).toEqual(['a', 'a refused']);
  expect(queue.waiting).toBe(2);
  await expect(queue.take('b')).rejects.toThrow(QueueFull);
});

test('a full queue refuses the account with the most waiters, never one with fewer', async () => {
  const queue = new FairQueue({ slots: 1, waiting: 3 });
  const { admitted, release } = takeAll(queue, ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'd']);
  await settle();
  expect(admitted.toSorted()).toEqual(['a', 'a refused', 'a refused', 'a refused', 'd refused']);
  for (let given = 0; given < 4; given += 1) {
    release();
    await settle();
  }
  expect(admitted.slice(5)).toEqual(['b', 'c', 'a']);
});
