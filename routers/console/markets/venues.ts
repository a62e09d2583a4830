import { z } from 'zod';
import { VENUE_IDS } from '../../../db/vocabulary.ts';
import { VENUES } from '../../../venues/port.ts';
import { procedure } from '../../trpc.ts';

const VenueForm = z.object({
  id: z.enum(VENUE_IDS),
  /** A regular expression: the ids of what this venue lists, and no other's, fit it. */
  tokenPattern: z.string(),
});

/** How each venue writes the ids of its instruments, for names in a drawing that nobody has looked up yet. */
export const venues = procedure({ scope: 'market_data:read' })
  .input(z.strictObject({}))
  .output(z.array(VenueForm))
  .query(() => VENUE_IDS.map((id) => ({ id, tokenPattern: VENUES[id].token.pattern.source })));
