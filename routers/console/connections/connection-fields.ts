import { z } from 'zod';
import { ENVIRONMENTS, VENUE_IDS } from '../../../db/vocabulary.ts';
import { ACCESS, environmentsAt } from '../../../venues/trading-access.ts';
import { sessionProcedure } from '../../trpc.ts';

const Connecting = z.object({
  /** Whether the operator has switched live trading on. */
  isLiveOn: z.boolean(),
  /** Whether this service stores credentials at all. */
  keepsCredentials: z.boolean(),
  venues: z.array(
    z.object({
      venue: z.enum(VENUE_IDS),
      /** The environments that can be reached from here. */
      environments: z.array(z.enum(ENVIRONMENTS)),
      /** JSON Schema of the venue's credentials. */
      credentials: z.record(z.string(), z.unknown()),
    }),
  ),
});

const SCHEMAS = VENUE_IDS.map((venue) => ({
  venue,
  // Built from the shape alone: a schema with a name of its own would become a reference to itself.
  credentials: z.toJSONSchema(z.object(ACCESS[venue].credentials.shape), { io: 'input' }),
}));

/** The fields needed to connect an account at each venue, and whether this service is set up for it. */
export const connecting = sessionProcedure()
  .input(z.strictObject({}))
  .output(Connecting)
  .query(({ ctx }) => ({
    isLiveOn: ctx.isLiveOn,
    keepsCredentials: ctx.credentialKeys !== null,
    venues: SCHEMAS.map(({ venue, credentials }) => ({
      venue,
      environments: [...environmentsAt(ctx.signInOptions.prices, venue)],
      credentials,
    })),
  }));
