import { applyTrial as writeDraft } from '../../engine/research/sweeps/apply.ts';
import { BlueprintView, viewBlueprint } from '../blueprints/schemas.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { exactInteger } from '../schemas.ts';
import { SweepId } from './schemas.ts';

export const applyTrial = route({
  method: 'POST',
  path: '/api/sweeps/{id}/apply',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Sweeps',
  summary: 'Write a trial as draft',
  description:
    'Replaces the draft of the blueprint by the graph of a trial. It changes no release: running deployments continue unchanged.',
  etag: true,
  ifMatch: true,
  example: { path: { id: EXAMPLE.sweepId }, request: { number: 2 }, response: BLUEPRINT_EXAMPLE },
  input: SweepId.extend({
    number: exactInteger(0, 9_999).meta({ description: 'Of the trial.' }),
  }),
  output: BlueprintView,
  resolve: async ({ ctx, reply, reviewedVersion, input: { id, number } }) => {
    const row = await writeDraft(ctx.work, id, number, reviewedVersion);
    reply.version(row.version);
    return viewBlueprint(row);
  },
});
