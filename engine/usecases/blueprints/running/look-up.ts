import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Db } from '../../../../db/tables.ts';
import type { MarketData } from '../../../../venues/port.ts';
import type { InstrumentRow } from '../../../trading/orders/row.ts';
import { findInstruments, freshInstrument } from '../../../trading/orders/terms/instruments.ts';

/** Instruments nobody here knows yet that one drawing may ask the venues about. */
export const LOOK_UPS_MAX = 32;
const AT_ONCE = 4;
/** So long a venue's "no such instrument" is believed, of so many. */
const NOT_LISTED_MS = 60_000;
const NOT_LISTED_MAX = 10_000;

/** Asks whoever compiles for leave to ask a venue once more on their behalf; throws where they asked too much. */
export type Admit = () => Promise<void>;
export const freely: Admit = async () => {};

/** The instruments a drawing names, null for those no venue knows; or how many there are too many to ask about. */
export type LookUp = { facts: Map<string, InstrumentRow | null> } | { tooMany: number };

/**
 * Finds instruments, stored ones first; those whose terms are old are asked for again, as far as there is room. What venues
 * are asked is bounded per drawing, admitted one by one, and comes after all that trading and people at a screen wait
 * for: whoever names made-up instruments keeps nobody from a venue.
 *
 * @throws VenueError while a venue is in trouble, and what `admit` throws. What was found until then is not asked again.
 */
export async function lookUpInstruments(
  db: Db,
  market: MarketData,
  tokenIds: readonly string[],
  admit: Admit,
): Promise<LookUp> {
  const notListed = notListedBy(market);
  const known = await findInstruments(db, tokenIds);
  const facts = new Map<string, InstrumentRow | null>([...known].map(([tokenId, { row }]) => [tokenId, row]));
  for (const tokenId of tokenIds) if (notListed.has(tokenId)) facts.set(tokenId, null);
  const unknown = tokenIds.filter((tokenId) => !facts.has(tokenId));
  if (unknown.length > LOOK_UPS_MAX) return { tooMany: unknown.length };
  const old = [...known.values()].filter(({ isFresh, row }) => !isFresh && facts.get(row.token_id) !== null);
  // What was not stated in full decides whether the drawing may trade: it goes first.
  const toAskAgain = old
    .sort((a, b) => Number(a.row.tradable) - Number(b.row.tradable))
    .map(({ row }) => row.token_id)
    .slice(0, LOOK_UPS_MAX - unknown.length);
  const instrument = async (tokenId: string) => {
    await admit();
    const info = await market.instrument(tokenId, { priority: 'background' });
    if (info === null) notListed.set(tokenId, true);
    return info;
  };
  const queue = new PQueue({ concurrency: AT_ONCE });
  try {
    await queue.addAll(
      [...unknown, ...toAskAgain].map((tokenId) => async () => {
        facts.set(tokenId, await freshInstrument(db, { instrument }, tokenId));
      }),
    );
  } finally {
    queue.clear();
  }
  return { facts };
}

const notListed = new WeakMap<MarketData, LRUCache<string, true>>();

function notListedBy(market: MarketData): LRUCache<string, true> {
  const known = notListed.get(market) ?? new LRUCache({ max: NOT_LISTED_MAX, ttl: NOT_LISTED_MS });
  notListed.set(market, known);
  return known;
}
