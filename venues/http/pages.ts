/** Lists that a venue tells page by page, each naming the next by a cursor. */
import { VenueError } from '../errors.ts';

export type Page<T> = { readonly items: readonly T[]; readonly cursor: string | null };

/** More pages than this are no list of one account: all of it is held in memory. */
const PAGES_MAX = 200;

/** Everything on all pages. Throws an `unavailable` VenueError where a cursor comes again, or the pages do not end. */
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
