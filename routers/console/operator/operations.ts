import { z } from 'zod';
import { listOf, timestamp, uuid } from '../../schemas.ts';
import { noteRequest, operatorProcedure } from './procedure.ts';

const Operations = z.object({
  version: z.string(),
  queues: z.array(
    z.object({
      name: z.string(),
      waiting: z.number(),
      running: z.number(),
      oldestSec: z.number().nullable(),
    }),
  ),
  processes: listOf(
    z.object({
      id: z.uuid(),
      role: z.string(),
      version: z.string(),
      host: z.string(),
      startedAt: timestamp,
      seenAt: timestamp,
      isAlive: z.boolean(),
      drainsSince: timestamp.nullable(),
      shards: z.number(),
      connections: z.number(),
    }),
  ),
  commands: z.array(
    z.object({
      name: z.string(),
      endedAt: timestamp.nullable(),
      isOk: z.boolean().nullable(),
      lastOkAt: timestamp.nullable(),
    }),
  ),
  database: z.object({
    bytes: z.number(),
    version: z.string(),
    connections: z.number(),
    isArchived: z.boolean(),
    archivedAt: timestamp.nullable(),
    isArchiveFailing: z.boolean(),
  }),
});

/** Queues, processes, scheduled commands and the database, at most three seconds old. */
export const operations = operatorProcedure
  .input(z.strictObject({}))
  .output(Operations)
  .query(({ ctx }) => ctx.operator.operations());

/** Asks a process to give its shards and connections to the others, or to take some again. */
export const drain = operatorProcedure
  .input(z.strictObject({ processId: uuid, isDraining: z.boolean() }))
  .output(z.null())
  .mutation(async ({ ctx, input: { processId, isDraining } }) => {
    await noteRequest(ctx, { act: isDraining ? 'drain' : 'end drain', subjectId: processId });
    await ctx.operator.drain(processId, isDraining);
    return null;
  });
