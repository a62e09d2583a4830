import type { Json } from '../../../db/json.ts';
import type { Work } from '../../platform/context.ts';
import { explain, type Sentence } from '../../strategy/graph/story/explain.ts';
import { readBlueprint } from './drafts/row.ts';

/** A blueprint's drawing in words, or `visual` in its place. */
export async function explainBlueprint(work: Work, id: string, visual?: Json): Promise<Sentence[]> {
  const row = await readBlueprint(work, id);
  return explain(visual === undefined ? row.visual : visual);
}
