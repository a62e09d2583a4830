import { z } from 'zod';
import { VENUE_IDS } from '../../../db/vocabulary.ts';
import { VENUES } from '../../../venues/port.ts';
import { procedure } from '../../trpc.ts';

const VenueForm = z.object({
  id: z.enum(VENUE_IDS),
  /** A regular expression that matches the ids of this venue’s instruments, and of no other’s. */
  tokenPattern: z.string(),
});

/** The id format of each venue’s instruments, for names in a graph that have not been looked up yet. */
export const venues = procedure({ scope: 'market_data:read' })
  .input(z.strictObject({}))
  .output(z.array(VenueForm))
  .query(() => VENUE_IDS.map((id) => ({ id, tokenPattern: VENUES[id].token.pattern.source })));
