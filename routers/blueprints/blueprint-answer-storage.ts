import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Json } from '../../db/json.ts';
import {
  asStoredJson,
  currentGraph,
  releasedGraph,
} from '../../engine/usecases/blueprints/drafts/stored-graphs.ts';
import type { AnswerStorage } from '../idempotency.ts';
import type { BlueprintView } from './schemas.ts';

type View = z.input<typeof BlueprintView>;
type StoredView = { view: View; hashes: { visual?: string; nodeStates?: string } };

/** A graph or node states up to this size are stored in the answer itself. */
const SMALL_CHARS = 4_096;

/**
 * A blueprint as an answer that is stored for repetitions. Large parts are stored by hash, because they exist elsewhere: in the
 * blueprint, in a release, or in the repeated request. A quota bounds the graphs of an account; copies in every stored answer
 * would have no bound.
 */
export const blueprintAnswerStorage: AnswerStorage<View> = {
  keep(view) {
    const hashes = {
      ...(isLarge(view.visual) && { visual: hashOf(view.visual) }),
      ...(isLarge(view.nodeStates) && { nodeStates: hashOf(view.nodeStates) }),
    };
    if (Object.keys(hashes).length === 0) return view as Json;
    const small = {
      ...view,
      ...(hashes.visual && { visual: null }),
      ...(hashes.nodeStates && { nodeStates: null }),
    };
    return { view: small, hashes } as Json;
  },
  async recall({ ctx: { work }, input }, stored) {
    if (!isStoredView(stored)) return stored as View;
    const { view, hashes } = stored;
    const now = await currentGraph(work, view.id);
    const visual =
      hashes.visual === undefined
        ? found(view.visual)
        : (matching(hashes.visual, now?.visual) ??
          matching(hashes.visual, await releasedGraph(work, hashes.visual)) ??
          matching(hashes.visual, await asStoredJson(work, graphIn(input))));
    const nodeStates =
      hashes.nodeStates === undefined ? found(view.nodeStates) : matching(hashes.nodeStates, now?.nodeStates);
    if (visual === null || nodeStates === null) return null;
    return { ...view, visual: visual.value, nodeStates: nodeStates.value };
  },
  lost: 'The first request succeeded, but the graph in its answer has changed since and is no longer stored. Read the blueprint.',
};

/** The graph of a request, if it has one. */
const graphIn = (input: unknown): Json =>
  typeof input === 'object' && input !== null && 'visual' in input ? (input.visual as Json) : null;

type Found = { value: View['visual'] };
const found = (value: View['visual']): Found => ({ value });

const matching = (hash: string, value: Json | undefined): Found | null =>
  value !== undefined && hashOf(value) === hash ? found(value) : null;

const isLarge = (value: unknown): boolean => JSON.stringify(value).length > SMALL_CHARS;
const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

const isStoredView = (stored: unknown): stored is StoredView =>
  typeof stored === 'object' && stored !== null && 'hashes' in stored;
