import { expect, test } from 'vitest';
import { begun } from '../../routers/file-route.ts';

function openSource() {
  const source = { isOpen: true };
  async function* pieces() {
    try {
      yield* ['a', 'b', 'c'];
    } finally {
      source.isOpen = false;
    }
  }
  return { source, pieces: pieces() };
}

test('a file that has begun has each of its pieces once', async () => {
  const { source, pieces } = openSource();
  const read: string[] = [];
  for await (const piece of await begun(pieces)) read.push(piece);
  expect(read).toEqual(['a', 'b', 'c']);
  expect(source.isOpen).toBe(false);
});

test.for([1, 2, 3])('a reader who leaves at piece %d closes the source', async (left) => {
  const { source, pieces } = openSource();
  let read = 0;
  for await (const _ of await begun(pieces)) if (++read === left) break;
  expect(source.isOpen).toBe(false);
});
