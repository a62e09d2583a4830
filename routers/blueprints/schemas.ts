import { z } from 'zod';
import { BLUEPRINT_STATUSES } from '../../db/entities/blueprint.ts';
import type { Json } from '../../db/json.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import {
  GRAPH_BYTES_MAX,
  graphBytesOf,
  graphProblems,
} from '../../engine/usecases/blueprints/drafts/graph-bounds.ts';
import type { BlueprintRow } from '../../engine/usecases/blueprints/drafts/row.ts';
import { TAG_LENGTH_MAX, TAGS_MAX } from '../../engine/usecases/blueprints/drafts/tags.ts';
import { anyJson, singleLineText, timestamp, uuid } from '../schemas.ts';

export const BlueprintId = z.strictObject({
  id: uuid.meta({ description: 'The blueprint.' }),
});

export const Name = singleLineText(1, 120).meta({
  description: '1 to 120 characters after trimming, no control characters.',
});

export const Tag = singleLineText(1, TAG_LENGTH_MAX).meta({
  description: '1 to 32 characters after trimming, no control characters.',
});

/** Tags as sent: a list that exceeds the limit is refused before each tag is checked. */
export const Tags = z.array(Tag).max(TAGS_MAX).meta({
  description: 'Up to 10. Spellings of one word that differ only in case are one tag, as written first.',
});

/**
 * A graph, checked for values that could not be stored as sent. Deploy and validate check its meaning. `superRefine` and
 * `transform` would hold each graph until the next full garbage collection: they set a closure on the value's holder.
 */
export const Visual = z
  .unknown()
  .check(({ value: visual, issues }) => {
    const problems = graphProblems(visual);
    for (const { path, message } of problems) issues.push({ code: 'custom', path, message, input: visual });
    if (problems.length > 0 || visual === undefined) return;
    const bytes = graphBytesOf(visual as Json);
    if (bytes > GRAPH_BYTES_MAX) {
      const message = `takes ${bytes} bytes of at most ${GRAPH_BYTES_MAX}`;
      issues.push({ code: 'custom', message, input: visual });
    }
  })
  .meta({
    description: 'The graph: any JSON value, at most 256 KiB and 64 levels deep. `null` clears it.',
  }) as z.ZodType<Json | undefined>;

export const BlueprintView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: z.enum(BLUEPRINT_STATUSES),
    deploymentId: z.string().nullable().meta({ description: 'Set by deploy.' }),
    visual: anyJson.meta({ description: 'The graph: any JSON value.' }),
    nodeStates: anyJson.meta({ description: 'State per node of the latest deployment.' }),
    error: z.string().nullable().meta({ description: 'The failure, its node, and the remedy.' }),
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
