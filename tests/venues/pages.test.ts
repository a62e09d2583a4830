/** Paginated lists. */
import { describe, expect, test } from 'vitest';
import { allPages } from '../../venues/http/pages.ts';

/** A list whose page names the next one by `next`. */
function listOf(next: (page: number) => string | null) {
  const cursors: (string | null)[] = [];
  const all = allPages('the venue', async (cursor) => {
    cursors.push(cursor);
    return { items: [`${cursor}`], cursor: next(cursors.length) };
  });
  return { cursors, all };
}

describe('a list on pages', () => {
  test('is whole once no page follows, in the order of its pages', async () => {
    const { all } = listOf((page) => (page === 3 ? null : `after ${page}`));
    expect(await all).toEqual(['null', 'after 1', 'after 2']);
  });

  test('whose cursors run in a circle ends with the first page that comes again', async () => {
    const { cursors, all } = listOf((page) => (page % 2 === 0 ? 'a' : 'b'));
    await expect(all).rejects.toMatchObject({ name: 'VenueError', kind: 'unavailable' });
    expect(cursors).toEqual([null, 'b', 'a']);
  });

  test('that never ends is refused', async () => {
    const { cursors, all } = listOf((page) => `after ${page}`);
    await expect(all).rejects.toThrow('the venue sent a list that does not end');
    expect(cursors.length).toBeLessThan(1_000);
  });
});
