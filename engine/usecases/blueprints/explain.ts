import type { Json } from '../../../db/json.ts';
import type { Work } from '../../platform/context.ts';
import { explain, type Sentence } from '../../strategy/graph/story/explain.ts';
import { readBlueprint } from './drafts/row.ts';

/** Explains a blueprint's graph in words, or `visual` instead. */
export async function explainBlueprint(work: Work, id: string, visual?: Json): Promise<Sentence[]> {
  const row = await readBlueprint(work, id);
  return explain(visual === undefined ? row.visual : visual);
}
