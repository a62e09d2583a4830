import type { z } from 'zod';
import { invalid } from '../../engine/platform/errors.ts';
import { isObject } from '../../engine/strategy/graph/json.ts';
import { ParameterValues } from '../../engine/strategy/graph/parameter-values.ts';
import {
  compileReplacement,
  type Replacement,
  redeployCompiled,
} from '../../engine/usecases/blueprints/running/redeploy.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE, RUNNING_BLUEPRINT_EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { blueprintAnswerStorage } from './blueprint-answer-storage.ts';
import { deployOptionsOf } from './deploy.ts';
import { BlueprintId, BlueprintView, Name, Visual, viewBlueprint } from './schemas.ts';

const Input = BlueprintId.extend({
  name: Name.optional(),
  visual: Visual.optional().meta({
    description:
      'The graph to run; `null` runs an empty one. Required without `parameters`; else absent for the stored one.',
  }),
  parameters: ParameterValues.optional().meta({
    description: 'Values of parameters of the graph, by name: `{"fast": 14}`. Others stay as they are.',
  }),
});

/** A graph without nodes is refused, so that an incomplete request does not stop the strategy that runs; null clears it. */
function replacementOf({ visual, parameters }: z.output<typeof Input>): Replacement {
  if (visual === undefined && parameters === undefined)
    throw invalid([{ path: '/visual', code: 'required', message: 'is required' }]);
  if (visual != null && !(isObject(visual) && Array.isArray(visual['nodes'])))
    throw invalid([
      { path: '/visual/nodes', code: 'required', message: 'is required: send null to run no graph' },
    ]);
  return { visual, parameters: parameters ?? {} };
}

export const redeploy = route({
  method: 'POST',
  path: '/api/blueprints/{id}/redeploy',
  access: { kind: 'scope', scope: 'blueprints:deploy', also: 'blueprints:write' },
  tag: 'Blueprints',
  summary: 'Replace a running blueprint',
  description:
    'Stores this graph, or the stored one with other `parameters`, and runs it as the next release, in one step: exits of the next release guard the positions from the instant at which those of the last one end. A blueprint that runs exactly this graph keeps its deployment. Works for drafts and stopped blueprints, too. Needs `blueprints:write`, too. Send the `ETag` you reviewed as `If-Match`. A graph that cannot run answers 400 with one issue per problem, and changes nothing.',
  etag: true,
  ifMatch: true,
  idempotent: { keeping: blueprintAnswerStorage },
  example: {
    path: { id: EXAMPLE.blueprintId },
    request: { visual: BLUEPRINT_EXAMPLE.visual },
    response: RUNNING_BLUEPRINT_EXAMPLE,
  },
  input: Input,
  output: BlueprintView,
  prepare: (call) => {
    const { ctx, input } = call;
    return compileReplacement(ctx.work, input.id, replacementOf(input), deployOptionsOf(call));
  },
  resolve: async (call, compiled) => {
    const { ctx, input, reply } = call;
    const row = await redeployCompiled(
      ctx.work,
      input.id,
      { ...compiled, name: input.name },
      deployOptionsOf(call),
    );
    ctx.wakeOrders();
    reply.version(row.version);
    return viewBlueprint(row);
  },
});
