import { z } from 'zod';
import { BLUEPRINT_STATUSES } from '../../db/entities/blueprint.ts';
import type { Json } from '../../db/json.ts';
import { toIso } from '../../engine/platform/clock/time.ts';
import type { BlueprintRow } from '../../engine/usecases/blueprints/drafts/row.ts';
import { TAG_LENGTH_MAX, TAGS_MAX } from '../../engine/usecases/blueprints/drafts/tags.ts';
import {
  VISUAL_BYTES_MAX,
  visualBytesOf,
  visualProblems,
} from '../../engine/usecases/blueprints/drafts/visual.ts';
import { anyJson, line, timestamp, uuid } from '../schemas.ts';

export const BlueprintId = z.strictObject({
  id: uuid.meta({ description: 'The blueprint.' }),
});

export const Name = line(1, 120).meta({
  description: '1 to 120 characters after trimming, no control characters.',
});

export const Tag = line(1, TAG_LENGTH_MAX).meta({
  description: '1 to 32 characters after trimming, no control characters.',
});

/** Tags as sent: more than a blueprint may have are refused before each is looked at. */
export const Tags = z.array(Tag).max(TAGS_MAX).meta({
  description: 'Up to 10. Spellings of one word that differ only in case are one tag, as written first.',
});

/** A drawing, checked for what could not be stored as sent. Its meaning is checked by deploy and validate. */
export const Visual = z
  .unknown()
  .superRefine((visual, context) => {
    const problems = visualProblems(visual);
    for (const { path, message } of problems) {
      context.addIssue({ code: 'custom', path, message, input: visual });
    }
    if (problems.length > 0 || visual === undefined) return;
    const bytes = visualBytesOf(visual as Json);
    if (bytes > VISUAL_BYTES_MAX) {
      context.addIssue({
        code: 'custom',
        message: `takes ${bytes} bytes of at most ${VISUAL_BYTES_MAX}`,
        input: visual,
      });
    }
  })
  .transform((visual) => visual as Json | undefined)
  .meta({
    description: 'The drawing: any JSON value, at most 256 KiB and 64 levels deep. `null` clears it.',
  });

export const BlueprintView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: z.enum(BLUEPRINT_STATUSES),
    deploymentId: z.string().nullable().meta({ description: 'Set by deploy.' }),
    visual: anyJson.meta({ description: 'The drawing: any JSON value.' }),
    nodeStates: anyJson.meta({ description: 'State per node of the latest deployment.' }),
    error: z.string().nullable().meta({ description: 'What failed, at which node, and what to do.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Blueprint', description: 'An automated strategy definition.' });

export const viewBlueprint = (row: BlueprintRow): z.input<typeof BlueprintView> => ({
  id: row.id,
  name: row.name,
  status: row.status,
  deploymentId: row.deployment_id,
  visual: row.visual,
  nodeStates: row.node_states,
  error: row.error,
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
});
