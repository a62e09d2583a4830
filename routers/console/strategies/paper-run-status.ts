import { z } from 'zod';
import { readBlueprint } from '../../../engine/usecases/blueprints/drafts/row.ts';
import { PAPER_RUN_MS, readPaperRun } from '../../../engine/usecases/blueprints/running/paper-run.ts';
import { BlueprintId } from '../../blueprints/schemas.ts';
import { procedure } from '../../trpc.ts';

/** How long a blueprint's graph has run on paper, and whether a person has to vouch for it here. */
export const paperRun = procedure({ scope: 'blueprints:read' })
  .input(BlueprintId)
  .output(
    z.object({
      longestMs: z.number(),
      neededMs: z.number(),
      hasBothSides: z.boolean(),
      isMissing: z.boolean(),
    }),
  )
  .query(async ({ ctx: { work }, input: { id } }) => {
    const run = await readPaperRun(work, await readBlueprint(work, id), await work.clock(work.db));
    return { ...run, neededMs: PAPER_RUN_MS, isMissing: run.isMissing && work.mode === 'live' };
  });
