import { stopBlueprint } from '../../engine/usecases/blueprints/running/stop.ts';
import { EXAMPLE, RUNNING_BLUEPRINT_EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { blueprintAnswerStorage } from './blueprint-answer-storage.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from './schemas.ts';

export const stop = route({
  method: 'POST',
  path: '/api/blueprints/{id}/stop',
  access: { kind: 'scope', scope: 'blueprints:deploy', bucket: 'brake' },
  tag: 'Blueprints',
  summary: 'Stop a blueprint',
  description:
    'After this answer the deployment creates and sends nothing. Orders already at the venue get a cancel and may still fill until the venue confirms. Positions stay.',
  etag: true,
  idempotent: { isUrgent: true, keeping: blueprintAnswerStorage },
  example: {
    path: { id: EXAMPLE.blueprintId },
    response: { ...RUNNING_BLUEPRINT_EXAMPLE, status: 'stopped' },
  },
  input: BlueprintId,
  output: BlueprintView,
  resolve: async ({ ctx, reply, input }) => {
    const row = await stopBlueprint(ctx.work, input.id);
    ctx.wakeOrders();
    reply.version(row.version);
    return viewBlueprint(row);
  },
});
