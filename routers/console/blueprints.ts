import { z } from 'zod';
import { BLUEPRINT_STATUSES } from '../../db/entities/blueprint.ts';
import { blueprintNames } from '../../engine/blueprints/list.ts';
import { SAMPLE } from '../../engine/graph/templates/sample.ts';
import { toIso } from '../../engine/time.ts';
import { listOf, timestamp } from '../schemas.ts';
import { procedure } from '../trpc.ts';

const Row = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.enum(BLUEPRINT_STATUSES),
  deploymentId: z.string().nullable(),
  error: z.string().nullable(),
  updatedAt: timestamp,
  /** Whether it is what a new account began with: renamed, it is its person’s own. */
  isSample: z.boolean(),
});

/** All blueprints by name, without their drawings, which are up to 256 KiB each. */
export const blueprints = procedure({ scope: 'blueprints:read' })
  .input(z.strictObject({}))
  .output(listOf(Row))
  .query(async ({ ctx }) => {
    const rows = await blueprintNames(ctx.work);
    return rows.map(({ deployment_id, updated_at, ...row }) => ({
      ...row,
      deploymentId: deployment_id,
      updatedAt: toIso(updated_at),
      isSample: row.name === SAMPLE.name,
    }));
  });
