import { z } from 'zod';
import { toIso } from '../../../engine/platform/clock/timestamp-text.ts';
import type { ReleaseRow } from '../../../engine/usecases/blueprints/releases/releases.ts';
import { EXAMPLE } from '../../examples.ts';
import { pathInteger, timestamp } from '../../schemas.ts';
import { BlueprintId } from '../schemas.ts';

export const ReleaseView = z
  .object({
    number: z.number().int(),
    name: z.string().meta({ description: 'The blueprint’s name when it was deployed.' }),
    deployedBy: z.string().meta({ description: '`session:<user id>` or `key:<key id>`.' }),
    deployedAt: timestamp,
  })
  .meta({
    id: 'Release',
    description: 'A deployed graph, with the time and the actor of its deploy. Never changes.',
  });

export const viewRelease = (row: ReleaseRow): z.input<typeof ReleaseView> => ({
  number: row.number,
  name: row.name,
  deployedBy: row.deployed_by,
  deployedAt: toIso(row.created_at),
});

export const ReleaseId = BlueprintId.extend({
  n: pathInteger.meta({ description: 'The release’s number.' }),
});

export const RELEASE_EXAMPLE = {
  number: 3,
  name: 'Dip buyer',
  deployedBy: `key:${EXAMPLE.keyId}`,
  deployedAt: EXAMPLE.updatedAt,
};
