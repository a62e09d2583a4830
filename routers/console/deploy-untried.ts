import { z } from 'zod';
import { deployBlueprint } from '../../engine/blueprints/deploy.ts';
import { PAPER_RUN_MS, readPaperRun } from '../../engine/blueprints/paper-run.ts';
import { readBlueprint } from '../../engine/blueprints/row.ts';
import { admitLookUp } from '../blueprints/look-up.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from '../blueprints/schemas.ts';
import { procedure, sessionProcedure } from '../trpc.ts';

/** How long the drawing of a blueprint has run on paper, and whether a person has to vouch for it here. */
export const paperRun = procedure({ scope: 'blueprints:read' })
  .input(BlueprintId)
  .output(z.object({ longestMs: z.number(), neededMs: z.number(), isMissing: z.boolean() }))
  .query(async ({ ctx: { work }, input: { id } }) => {
    const run = await readPaperRun(work, await readBlueprint(work, id), await work.clock(work.db));
    return { ...run, neededMs: PAPER_RUN_MS, isMissing: run.isMissing && work.mode === 'live' };
  });

/** Deploys what a person vouches for: the version they looked at, before it has run on paper for a day. */
export const deployUntried = sessionProcedure()
  .input(BlueprintId.extend({ version: z.int().min(0) }))
  .output(BlueprintView)
  .mutation(async ({ ctx, input: { id, version } }) => {
    const row = await deployBlueprint(ctx.work, id, {
      market: ctx.market,
      admit: admitLookUp(ctx),
      shardCount: ctx.shardCount,
      reviewedVersion: version,
      isVouchedFor: true,
    });
    ctx.nudgeOrders();
    return viewBlueprint(row);
  });
