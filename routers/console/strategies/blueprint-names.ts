import { z } from 'zod';
import { BLUEPRINT_STATUSES } from '../../../db/entities/blueprint.ts';
import { toIso } from '../../../engine/platform/clock/timestamp-text.ts';
import { blueprintNames } from '../../../engine/usecases/blueprints/drafts/list.ts';
import { SAMPLE_NAME } from '../../../engine/usecases/blueprints/running/start-sample-blueprint.ts';
import { Tag } from '../../blueprints/schemas.ts';
import { listOf, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const Row = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.enum(BLUEPRINT_STATUSES),
  deploymentId: z.string().nullable(),
  error: z.string().nullable(),
  updatedAt: timestamp,
  tags: z.array(z.string()),
  /** Whether it is the sample of a new account. Once renamed, it is the person’s own. */
  isSample: z.boolean(),
});

/** All blueprints by name, or those with a tag, without their graphs, which are up to 256 KiB each. */
export const blueprints = procedure({ scope: 'blueprints:read' })
  .input(z.strictObject({ tag: Tag.optional() }))
  .output(listOf(Row))
  .query(async ({ ctx, input: { tag } }) => {
    const rows = await blueprintNames(ctx.work, tag);
    return rows.map(({ deployment_id, updated_at, ...row }) => ({
      ...row,
      deploymentId: deployment_id,
      updatedAt: toIso(updated_at),
      isSample: row.name === SAMPLE_NAME,
    }));
  });
