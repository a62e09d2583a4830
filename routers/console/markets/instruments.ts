import { z } from 'zod';
import { VENUE_IDS } from '../../../db/vocabulary.ts';
import { findInstruments, lookUpInstruments } from '../../../engine/platform/instruments/find.ts';
import { ListingStatus } from '../../../venues/views.ts';
import { listOf, singleLineText } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const WORDS_MAX = 100;
const TOKENS_MAX = 40;

const Instrument = z.object({
  tokenId: z.string(),
  venue: z.enum(VENUE_IDS),
  title: z.string(),
  outcome: z.string(),
  status: ListingStatus,
  bid: z.number().nullable(),
  ask: z.number().nullable(),
  last: z.number().nullable(),
  change24h: z.number().nullable(),
  volume24h: z.number().nullable(),
  tickSize: z.number().nullable(),
  closesAt: z.string().nullable(),
});

/**
 * Instruments of all venues in one list: matches of a search, the most traded ones without a search, or those of given ids. A
 * venue that does not respond is named, and the others are listed.
 */
export const instruments = procedure({ scope: 'market_data:read', bucket: 'market_data' })
  .input(
    z.union([
      z.strictObject({ find: z.union([z.literal(''), singleLineText(1, WORDS_MAX)]) }),
      z.strictObject({ tokenIds: z.array(singleLineText(1, 200)).max(TOKENS_MAX) }),
    ]),
  )
  .output(z.object({ instruments: listOf(Instrument), silent: z.array(z.enum(VENUE_IDS)) }))
  .query(async ({ ctx: { market }, input }) => {
    const found = await ('find' in input
      ? findInstruments(market, input.find.trim())
      : lookUpInstruments(market, input.tokenIds));
    return { instruments: [...found.instruments], silent: [...found.silent] };
  });
