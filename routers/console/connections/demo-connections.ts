import { z } from 'zod';
import { VENUE_IDS } from '../../../db/vocabulary.ts';
import { sessionProcedure } from '../../trpc.ts';

const DemoConnectionView = z.object({
  venue: z.enum(VENUE_IDS),
  environment: z.literal('demo'),
  label: z.string(),
  credentials: z.record(z.string(), z.unknown()),
});

/** What connects the members of the simulated venues, to fill the form with; empty where this is no demonstration. */
export const demoConnections = sessionProcedure()
  .input(z.strictObject({}))
  .output(z.array(DemoConnectionView))
  .query(({ ctx }) => [...ctx.demoConnections]);
