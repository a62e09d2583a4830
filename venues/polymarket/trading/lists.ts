/** Lists of venue B, page by page. A record that cannot be parsed is always reported. */
import type { z } from 'zod';
import { VenueError } from '../../errors.ts';
import { allPages } from '../../http/pages.ts';
import { bodyOf, type PrivateApi } from './private-api.ts';
import { LAST_CURSOR, Page, WireOrder, WireTrade } from './records.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** The raw records of all pages. Throws if a page is malformed, or the pages do not end. */
const records = (calls: PrivateApi, path: string, query: Query): Promise<unknown[]> =>
  allPages('venue B', async (cursor) => {
    const answer = await calls.send('GET', path, { query: { ...query, next_cursor: cursor ?? undefined } });
    const { data, next_cursor: next } = parseRecord(Page, bodyOf(answer));
    return { items: data, cursor: next === LAST_CURSOR ? null : next };
  });

/** The parsed value, or a VenueError that names the field and repeats nothing of its value. */
export function parseRecord<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const where = result.error.issues[0]?.path.join('.') ?? '';
  throw VenueError.unreadable(`venue B sent a record of unexpected shape (${where})`);
}

export const listOrders = async (calls: PrivateApi, query: Query = {}): Promise<WireOrder[]> =>
  (await records(calls, '/data/orders', query)).map((record) => parseRecord(WireOrder, record));

/** A trade that cannot be parsed: its name, if it has one, and the first unexpected field. */
export type UnreadableTrade = { readonly id: unknown; readonly field: string };
export type Trades = { readonly read: readonly WireTrade[]; readonly unread: readonly UnreadableTrade[] };

/** Trades that match the query. Trades that cannot be parsed are returned as such, so that no caller takes them for absent. */
export async function listTrades(calls: PrivateApi, query: Query): Promise<Trades> {
  const read: WireTrade[] = [];
  const unread: UnreadableTrade[] = [];
  for (const record of await records(calls, '/data/trades', query)) {
    const { success, data, error } = WireTrade.safeParse(record);
    if (success) read.push(data);
    else {
      const { id } = (record ?? {}) as { id?: unknown };
      unread.push({ id, field: error.issues[0]?.path.join('.') ?? '' });
    }
  }
  return { read, unread };
}
