import { useEffect, useState, useSyncExternalStore } from 'react';
import { readProblem } from '../api/problem.ts';
import type { Blueprint } from '../api/row-types.ts';
import { client, handleCallError, queryClient, trpc } from '../api/trpc.ts';
import { browserClock } from '../live/browser-clock.ts';
import { type Answer, DraftSync, type Stored, type SyncState } from './draft-sync.ts';
import { readGraph, writeGraph } from './drawing/json.ts';
import { wholeGraphOf } from './drawing/modules/open.ts';
import { loadGraph, replaceGraph, useEditor } from './store.ts';

export type DraftGraph = ReturnType<typeof writeGraph>;
export type Draft = SyncState<DraftGraph> & { sync: DraftSync<DraftGraph> };

/** The draft in the editor. It outlives its page: unsaved edits are there again when the user comes back. */
let open: { id: string; sync: DraftSync<DraftGraph> } | null = null;

function draftOf(id: string): DraftSync<DraftGraph> {
  if (open?.id !== id) open = { id, sync: makeSync(id) };
  return open.sync;
}

/** The blueprint's graph in the editor, saved automatically. */
export function useDraftSync(blueprint: Blueprint): Draft {
  const [sync] = useState(() => draftOf(blueprint.id));
  useEffect(() => sync.stored(storedOf(blueprint)), [sync, blueprint]);
  useEffect(() => {
    sync.opened();
    const unsubscribe = useEditor.subscribe((now, before) => {
      if (now.nodes === before.nodes && now.edges === before.edges && now.rest === before.rest) return;
      sync.edited(writeGraph(wholeGraphOf(now)));
    });
    return () => {
      unsubscribe();
      sync.left();
    };
  }, [sync]);
  return { ...useSyncExternalStore(sync.subscribe, sync.state), sync };
}

function makeSync(id: string): DraftSync<DraftGraph> {
  const filter = trpc.console.blueprint.queryFilter({ id });
  const answerOf = async (call: Promise<Blueprint>): Promise<Answer<DraftGraph>> => {
    try {
      const blueprint = await call;
      await show(blueprint);
      return { stored: storedOf(blueprint) };
    } catch (error) {
      handleCallError(error);
      return { problem: readProblem(error) };
    }
  };
  return new DraftSync<DraftGraph>({
    clock: browserClock,
    textOf,
    read: () => answerOf(client.console.blueprint.query({ id })),
    store: (visual, version) => answerOf(storeOver(id, visual, version)),
    draw: (how, graph) => (how === 'load' ? loadGraph : replaceGraph)(readGraph(graph)),
    onRefused: () => void queryClient.invalidateQueries(filter),
  });
}

async function storeOver(id: string, visual: DraftGraph, version: number): Promise<Blueprint> {
  const saved = await client.blueprints.update.mutate(
    { id, visual },
    { context: { ifMatch: `"v${version}"` } },
  );
  return { ...saved, version: version + 1 };
}

const storedOf = ({ visual, version, status }: Blueprint): Stored<DraftGraph> => ({
  graph: writeGraph(readGraph(visual)),
  version,
  isRunning: status === 'running',
});

const textOf = (graph: DraftGraph): string => JSON.stringify(graph, sortFields);

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Shows the stored graph. A read that began earlier could return an older one, so it is canceled and made again. */
async function show(blueprint: Blueprint): Promise<void> {
  const filter = trpc.console.blueprint.queryFilter({ id: blueprint.id });
  const isReading = queryClient.isFetching(filter) > 0;
  await queryClient.cancelQueries(filter);
  queryClient.setQueryData(trpc.console.blueprint.queryKey({ id: blueprint.id }), (cached) =>
    cached && cached.version > blueprint.version ? cached : blueprint,
  );
  if (isReading) void queryClient.invalidateQueries(filter);
}
