import { z } from 'zod';
import { explainBlueprint } from '../../engine/usecases/blueprints/explain.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { BlueprintId, Visual } from './schemas.ts';

/** A sentence about a node that acts. */
export const Sentence = z.object({ nodeId: z.string(), text: z.string() });

export const explain = route({
  method: 'POST',
  path: '/api/blueprints/{id}/explain',
  access: { kind: 'scope', scope: 'blueprints:read', bucket: 'read' },
  tag: 'Blueprints',
  summary: 'Explain a blueprint',
  description:
    'The blueprint’s graph in words, or the graph you send: one English sentence for each node that acts. A part that is missing is an ellipsis; a node that is switched off has no sentence.',
  idempotent: 'effectless',
  example: {
    path: { id: EXAMPLE.blueprintId },
    request: { visual: null },
    response: {
      sentences: [
        {
          nodeId: 'buy',
          text: 'Buys 40 USD of BTCUSDT at the market when EMA 12 of BTCUSDT 5m close crosses above EMA 26 of BTCUSDT 5m close.',
        },
      ],
    },
  },
  input: BlueprintId.extend({ visual: Visual.optional() }),
  output: z.object({ sentences: z.array(Sentence) }),
  resolve: async ({ ctx, input }) => ({
    sentences: await explainBlueprint(ctx.work, input.id, input.visual),
  }),
});
