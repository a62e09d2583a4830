import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Db } from '../../../../db/tables.ts';
import type { MarketData } from '../../../../venues/port.ts';
import type { InstrumentRow } from '../../../trading/orders/row.ts';
import { findInstruments, freshInstrument } from '../../../trading/orders/terms/instruments.ts';

/** The most instruments not stored yet that one graph may look up at the venues. */
export const LOOK_UPS_MAX = 32;
const AT_ONCE = 4;
/** How long a venue's "no such instrument" is cached. `NOT_LISTED_MAX` bounds the number. */
const NOT_LISTED_MS = 60_000;
const NOT_LISTED_MAX = 10_000;

/** Asks for permission to call a venue once more on the compiling caller's behalf. Throws above the caller's limit. */
export type AdmitLookUp = () => Promise<void>;
export const admitAllLookUps: AdmitLookUp = async () => {};

/** The instruments that a graph names, null for those no venue knows; or their number if it exceeds the limit. */
export type LookUpResult = { facts: Map<string, InstrumentRow | null> } | { tooMany: number };

/**
 * Finds instruments, stored ones first. Those with old terms are looked up again, up to the limit. Requests to venues are
 * bounded per graph and admitted one at a time. They queue behind requests of trading and of people at a screen. A caller that
 * names made-up instruments therefore blocks no one else.
 *
 * @throws VenueError while a venue fails, and the errors of `admit`. Instruments found until then are not looked up again.
 */
export async function lookUpGraphInstruments(
  db: Db,
  market: MarketData,
  tokenIds: readonly string[],
  admit: AdmitLookUp,
): Promise<LookUpResult> {
  const notListed = notListedBy(market);
  const known = await findInstruments(db, tokenIds);
  const facts = new Map<string, InstrumentRow | null>([...known].map(([tokenId, { row }]) => [tokenId, row]));
  for (const tokenId of tokenIds) if (notListed.has(tokenId)) facts.set(tokenId, null);
  const unknown = tokenIds.filter((tokenId) => !facts.has(tokenId));
  if (unknown.length > LOOK_UPS_MAX) return { tooMany: unknown.length };
  const old = [...known.values()].filter(({ isFresh, row }) => !isFresh && facts.get(row.token_id) !== null);
  // Incomplete facts decide whether the graph may trade: they go first.
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
    await queue.onIdle(); // what was asked is stored, and nothing runs on after a refusal
  }
  return { facts };
}

const notListed = new WeakMap<MarketData, LRUCache<string, true>>();

function notListedBy(market: MarketData): LRUCache<string, true> {
  const known = notListed.get(market) ?? new LRUCache({ max: NOT_LISTED_MAX, ttl: NOT_LISTED_MS });
  notListed.set(market, known);
  return known;
}
