/** Paginated lists of a venue, in which each page names the next by a cursor. */
import { VenueError } from '../errors.ts';

export type Page<T> = { readonly items: readonly T[]; readonly cursor: string | null };

/** More pages than this are no list of one account: the list is held in memory. */
const PAGES_MAX = 200;

/** The items of all pages. Throws an `unavailable` VenueError if a cursor repeats, or the pages do not end. */
export async function allPages<T>(
  venue: string,
  page: (cursor: string | null) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = [];
  const seen = new Set<string | null>();
  for (let cursor: string | null = null; seen.size < PAGES_MAX && !seen.has(cursor); ) {
    seen.add(cursor);
    const next: Page<T> = await page(cursor);
    for (const item of next.items) all.push(item);
    if (next.cursor === null) return all;
    cursor = next.cursor;
  }
  throw VenueError.unavailable(`${venue} sent a list that does not end`);
}
