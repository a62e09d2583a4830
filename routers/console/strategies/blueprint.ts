import { z } from 'zod';
import { readBlueprint } from '../../../engine/usecases/blueprints/drafts/row.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from '../../blueprints/schemas.ts';
import { procedure } from '../../trpc.ts';

const Reviewed = BlueprintView.extend({
  /** The version that a decision refers to: sent back as `If-Match: "v<version>"`. */
  version: z.number().int(),
});

/** One blueprint with its version, which REST returns in the `ETag`: queries of the console share a request's headers. */
export const blueprint = procedure({ scope: 'blueprints:read' })
  .input(BlueprintId)
  .output(Reviewed)
  .query(async ({ ctx, input: { id } }) => {
    const row = await readBlueprint(ctx.work, id);
    return { ...viewBlueprint(row), version: row.version };
  });
