import { z } from 'zod';
import { previewTrial } from '../../../engine/research/sweeps/apply.ts';
import { BlueprintView, viewBlueprint } from '../../blueprints/schemas.ts';
import { exactInteger } from '../../schemas.ts';
import { SweepId, Value } from '../../sweeps/schemas.ts';
import { procedure } from '../../trpc.ts';

const ids = z.array(z.string());

const Change = z.object({
  blueprint: BlueprintView.extend({
    /** The version that a decision refers to: sent back as `If-Match: "v<version>"`. */
    version: z.int(),
  }),
  values: z.array(
    z.object({
      pointer: z.string(),
      /** Null if the draft has nothing at this position, or another node. */
      now: Value.nullable(),
      next: Value,
    }),
  ),
  /** The ids of nodes that were edited since the sweep began: their edits are lost. */
  edited: z.object({
    added: ids,
    removed: ids,
    changed: ids,
    edgesAdded: ids,
    edgesRemoved: ids,
  }),
});

/** Previews the changes that applying a trial would make to the draft. */
export const sweepChange = procedure({ scope: 'blueprints:read' })
  .input(SweepId.extend({ number: exactInteger(0, 9_999) }))
  .output(Change)
  .query(async ({ ctx, input: { id, number } }) => {
    const { blueprint, values, edited } = await previewTrial(ctx.work, id, number);
    return {
      blueprint: { ...viewBlueprint(blueprint), version: blueprint.version },
      values: [...values],
      edited: {
        added: [...edited.added],
        removed: [...edited.removed],
        changed: [...edited.changed],
        edgesAdded: [...edited.edgesAdded],
        edgesRemoved: [...edited.edgesRemoved],
      },
    };
  });
