import { readRelease } from '../../../engine/usecases/blueprints/releases/releases.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE } from '../../examples.ts';
import { route } from '../../route.ts';
import { anyJson } from '../../schemas.ts';
import { RELEASE_EXAMPLE, ReleaseId, ReleaseView, viewRelease } from './release-schemas.ts';

const ReleaseWithVisual = ReleaseView.extend({ visual: anyJson }).meta({ id: 'ReleaseWithVisual' });

export const release = route({
  method: 'GET',
  path: '/api/blueprints/{id}/releases/{n}',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Blueprints',
  summary: 'Read a release',
  description: 'One release with its graph.',
  example: {
    path: { id: EXAMPLE.blueprintId, n: 1 },
    response: { ...RELEASE_EXAMPLE, visual: BLUEPRINT_EXAMPLE.visual },
  },
  input: ReleaseId,
  output: ReleaseWithVisual,
  resolve: async ({ ctx, input }) => {
    const row = await readRelease(ctx.work, input.id, input.n);
    return { ...viewRelease(row), visual: row.visual };
  },
});
