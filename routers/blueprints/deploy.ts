import {
  compileDraft,
  type DeployOptions,
  deployCompiled,
} from '../../engine/usecases/blueprints/running/deploy.ts';
import type { AccountContext } from '../context.ts';
import { EXAMPLE, RUNNING_BLUEPRINT_EXAMPLE } from '../examples.ts';
import { limitVenueLookUps } from '../limit-venue-look-ups.ts';
import type { ReviewedCall } from '../reply.ts';
import { route } from '../route.ts';
import { blueprintAnswerStorage } from './blueprint-answer-storage.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from './schemas.ts';

type DeployCall = Pick<ReviewedCall<AccountContext, unknown>, 'ctx' | 'reviewedVersion'>;

/** The options of a deploy on behalf of a caller. */
export const deployOptionsOf = ({ ctx, reviewedVersion }: DeployCall): DeployOptions => ({
  market: ctx.market,
  admit: limitVenueLookUps(ctx),
  shardCount: ctx.shardCount,
  reviewedVersion,
});

export const deploy = route({
  method: 'POST',
  path: '/api/blueprints/{id}/deploy',
  access: { kind: 'scope', scope: 'blueprints:deploy' },
  tag: 'Blueprints',
  summary: 'Deploy a blueprint',
  description:
    'Freezes the graph as a numbered release and runs it. Deploying a running blueprint changes nothing. Send the `ETag` you reviewed as `If-Match` to deploy exactly that. A graph that cannot run answers 400 with one issue per problem.',
  etag: true,
  ifMatch: true,
  idempotent: { keeping: blueprintAnswerStorage },
  example: { path: { id: EXAMPLE.blueprintId }, response: RUNNING_BLUEPRINT_EXAMPLE },
  input: BlueprintId,
  output: BlueprintView,
  prepare: (call) => compileDraft(call.ctx.work, call.input.id, deployOptionsOf(call)),
  resolve: async (call, compiled) => {
    const { ctx, reply } = call;
    const row = await deployCompiled(ctx.work, compiled, deployOptionsOf(call));
    ctx.wakeOrders();
    reply.version(row.version);
    return viewBlueprint(row);
  },
});
