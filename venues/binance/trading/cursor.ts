/** The position in an account's list of trades, by symbol: the id of the trade to begin with; null: from the latest on. */
import { z } from 'zod';
import { VenueError } from '../../errors.ts';

export type FillCursor = Map<string, string | null>;

const Stored = z.record(
  z.string().min(1),
  z
    .string()
    .regex(/^\d{1,20}$/)
    .nullable(),
);

/** Throws a VenueError if the text is no cursor of Binance. */
export function cursorOf(text: string | null): ReadonlyMap<string, string | null> {
  if (text === null) return new Map();
  try {
    return new Map(Object.entries(Stored.parse(JSON.parse(text))));
  } catch (cause) {
    throw VenueError.unavailable('the stored cursor is not one of Binance', undefined, cause);
  }
}

export const cursorText = (cursor: FillCursor): string => JSON.stringify(Object.fromEntries(cursor));
