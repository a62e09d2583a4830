import { z } from 'zod';
import { explainGraph } from '../../engine/strategy/graph/story/explain-graph.ts';
import { validateGraph } from '../../engine/usecases/blueprints/running/validate.ts';
import { limitVenueLookUps } from '../limit-venue-look-ups.ts';
import { route } from '../route.ts';
import { Sentence } from './explain.ts';
import { Visual } from './schemas.ts';
import { INVALID, Validation } from './validation.ts';

export const validateDrawing = route({
  method: 'POST',
  path: '/api/blueprints/validate',
  access: { kind: 'scope', scope: 'blueprints:read', bucket: 'read' },
  tag: 'Blueprints',
  summary: 'Check a graph',
  description:
    'Checks the graph you send as deploy would, and explains it: one English sentence for each node that acts. It is not stored, and nothing changes.',
  idempotent: 'effectless',
  example: { request: { visual: null }, response: { ...INVALID, sentences: [] } },
  input: z.strictObject({ visual: Visual.optional() }),
  output: Validation.extend({ sentences: z.array(Sentence) }),
  resolve: async ({ ctx, input: { visual = null } }) => {
    const { valid, issues } = await validateGraph(ctx.work, ctx.market, visual, limitVenueLookUps(ctx));
    return { valid, issues: [...issues], sentences: explainGraph(visual) };
  },
});
