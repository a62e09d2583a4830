import { z } from 'zod';
import { listOf, timestamp } from '../../schemas.ts';
import { sessionProcedure } from '../../trpc.ts';

const Session = z.object({
  id: z.string(),
  startedAt: timestamp,
  /** When it was last extended: once a day while it is in use. */
  seenAt: timestamp,
  address: z.string().nullable(),
  /** The user agent of the browser. */
  agent: z.string().nullable(),
  isCurrent: z.boolean(),
});

/** The person's sessions, newest first; ended by `/api/auth/revoke-session` and its id. */
export const sessions = sessionProcedure()
  .input(z.strictObject({}))
  .output(listOf(Session))
  .query(({ ctx: { sessionsOf, principal } }) => sessionsOf(principal));
