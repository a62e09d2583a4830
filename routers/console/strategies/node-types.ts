import { z } from 'zod';
import { ANNOTATION_TYPES } from '../../../engine/strategy/graph/compile/parsed-graph.ts';
import { describeCatalogue, nodeTypes as known } from '../../../engine/strategy/graph/nodes/catalogue.ts';
import { NodeType } from '../../blueprints/node-types.ts';
import { procedure } from '../../trpc.ts';

export const Catalogue = z.object({
  types: z.array(
    NodeType.extend({
      /** Whether a cycle may go through it. */
      delays: z.boolean(),
      /** Whether it raises orders. */
      trades: z.boolean(),
    }),
  ),
  /** Types that are shown and not executed. */
  notes: z.array(z.string()),
});

/** The node catalogue with further facts for an editor. */
export const nodeTypes = procedure({ scope: 'blueprints:read' })
  .input(z.strictObject({}))
  .output(Catalogue)
  .query(() => readCatalogue());

export const readCatalogue = (): z.input<typeof Catalogue> => ({
  types: describeCatalogue().map((type) => ({
    ...type,
    delays: known.get(type.type)?.delays === true,
    trades: known.get(type.type)?.trades === true,
  })),
  notes: [...ANNOTATION_TYPES],
});
