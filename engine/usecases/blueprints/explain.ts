import type { Json } from '../../../db/json.ts';
import type { Work } from '../../platform/context.ts';
import { explainGraph, type Sentence } from '../../strategy/graph/story/explain-graph.ts';
import { readBlueprint } from './drafts/row.ts';

/** Explains a blueprint's graph in words, or `visual` instead. */
export async function explainBlueprint(work: Work, id: string, visual?: Json): Promise<Sentence[]> {
  const row = await readBlueprint(work, id);
  return explainGraph(visual === undefined ? row.visual : visual);
}
