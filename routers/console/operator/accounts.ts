import { z } from 'zod';
import { listOf, moment, queryInteger, singleLineText, timestamp, uuid } from '../../schemas.ts';
import { operatorProcedure } from './procedure.ts';

const LIMIT_DEFAULT = 50;

const OperatedAccount = z.object({
  id: z.uuid(),
  /** Null for an erased user. */
  email: z.string().nullable(),
  name: z.string().nullable(),
  createdAt: timestamp,
  isMoving: z.boolean(),
  suspendedAt: timestamp.nullable(),
  suspensionReason: z.string().nullable(),
  lastSeenAt: timestamp.nullable(),
  sessions: z.number(),
  running: z.number(),
  keys: z.number(),
  connections: z.number(),
  blueprints: z.number(),
  graphBytes: z.number(),
  limits: z.object({ blueprints: z.number(), graphBytes: z.number(), keys: z.number() }),
});

/** Accounts, newest first: who they are, their state, their counts and limits. */
export const accounts = operatorProcedure
  .input(
    z.strictObject({
      limit: queryInteger(1, 200).optional(),
      /** The beginning of an e-mail. */
      find: singleLineText(1, 100).optional(),
      /** The last row of the page before. */
      before: z.strictObject({ createdAt: moment, id: uuid }).optional(),
    }),
  )
  .output(z.object({ rows: listOf(OperatedAccount) }))
  .query(async ({ ctx, input: { limit = LIMIT_DEFAULT, find, before } }) => ({
    rows: await ctx.operator.accounts(ctx.principal, { find, after: before ?? null, limit }),
  }));
