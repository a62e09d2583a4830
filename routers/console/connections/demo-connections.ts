import { z } from 'zod';
import { VENUE_IDS } from '../../../db/vocabulary.ts';
import { sessionProcedure } from '../../trpc.ts';

const DemoConnectionView = z.object({
  venue: z.enum(VENUE_IDS),
  environment: z.literal('demo'),
  label: z.string(),
  credentials: z.record(z.string(), z.unknown()),
});

/** The credentials of the simulated venues' demo accounts, to fill the form with; empty outside a demonstration. */
export const demoConnections = sessionProcedure()
  .input(z.strictObject({}))
  .output(z.array(DemoConnectionView))
  .query(({ ctx }) => [...ctx.demoConnections]);
