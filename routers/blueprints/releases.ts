import { z } from 'zod';
import {
  listReleases,
  type ReleaseRow,
  readRelease,
  restoreRelease,
} from '../../engine/blueprints/releases.ts';
import { toIso } from '../../engine/time.ts';
import { replyEtag } from '../etag.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE } from '../examples.ts';
import { once } from '../idempotency.ts';
import { route } from '../route.ts';
import { anyJson, listOf, pathInteger, timestamp } from '../schemas.ts';
import { procedure } from '../trpc.ts';
import { keptBlueprint } from './kept-answer.ts';
import { BlueprintId, BlueprintView, viewBlueprint } from './schemas.ts';

const ReleaseView = z
  .object({
    number: z.number().int(),
    name: z.string().meta({ description: 'The blueprint’s name when it was deployed.' }),
    deployedBy: z.string().meta({ description: '`session:<user id>` or `key:<key id>`.' }),
    deployedAt: timestamp,
  })
  .meta({ id: 'Release', description: 'What was deployed, when and by whom. Never changes.' });

const ReleaseWithVisual = ReleaseView.extend({ visual: anyJson }).meta({ id: 'ReleaseWithVisual' });

const viewRelease = (row: ReleaseRow): z.input<typeof ReleaseView> => ({
  number: row.number,
  name: row.name,
  deployedBy: row.deployed_by,
  deployedAt: toIso(row.created_at),
});

const ReleaseId = BlueprintId.extend({ n: pathInteger.meta({ description: 'The release’s number.' }) });

const RELEASE_EXAMPLE = {
  number: 3,
  name: 'Dip buyer',
  deployedBy: `key:${EXAMPLE.keyId}`,
  deployedAt: EXAMPLE.updatedAt,
};

export const releases = procedure({ scope: 'blueprints:read' })
  .meta(
    route({
      method: 'GET',
      path: '/api/blueprints/{id}/releases',
      tag: 'Blueprints',
      summary: 'List releases',
      description: 'What was deployed of this blueprint, newest first, at most 200.',
      example: { response: [RELEASE_EXAMPLE] },
    }),
  )
  .input(BlueprintId)
  .output(listOf(ReleaseView))
  .query(async ({ ctx, input }) => (await listReleases(ctx.work, input.id)).map(viewRelease));

export const release = procedure({ scope: 'blueprints:read' })
  .meta(
    route({
      method: 'GET',
      path: '/api/blueprints/{id}/releases/{n}',
      tag: 'Blueprints',
      summary: 'Read a release',
      description: 'One release with its drawing.',
      example: { response: { ...RELEASE_EXAMPLE, visual: BLUEPRINT_EXAMPLE.visual } },
    }),
  )
  .input(ReleaseId)
  .output(ReleaseWithVisual)
  .query(async ({ ctx, input }) => {
    const row = await readRelease(ctx.work, input.id, input.n);
    return { ...viewRelease(row), visual: row.visual };
  });

export const restore = procedure({ scope: 'blueprints:write' })
  .meta(
    route({
      method: 'POST',
      path: '/api/blueprints/{id}/releases/{n}/restore',
      tag: 'Blueprints',
      summary: 'Restore a release',
      description: 'Copies the release’s drawing into the draft. A running blueprint must be stopped first.',
      example: { response: BLUEPRINT_EXAMPLE },
    }),
  )
  .input(ReleaseId)
  .output(BlueprintView)
  .mutation(
    once(
      async ({ ctx, input }) => {
        const row = await restoreRelease(ctx.work, input.id, input.n);
        replyEtag(ctx, row.version);
        return viewBlueprint(row);
      },
      { keeping: keptBlueprint },
    ),
  );
