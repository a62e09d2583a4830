import { isDeepStrictEqual } from 'node:util';
import { Issues } from '../../strategy/graph/compile/issues.ts';
import { inlinedGraph } from '../../strategy/graph/compile/modules/inline-modules.ts';
import { listsIn, type Resolved, withParameters } from '../../strategy/graph/compile/parameters.ts';

/** Differences between two graphs, by the ids of their nodes. */
export type GraphDifference = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Nodes of another type or configuration; positions on the canvas do not count. */
  readonly changed: readonly string[];
  /** Edges as `source.port → target.port`. */
  readonly edgesAdded: readonly string[];
  readonly edgesRemoved: readonly string[];
};

/**
 * Compares two graphs with their modules inlined: a changed module changes its nodes in each use. Invalid nodes and edges are
 * skipped: a graph may be any JSON.
 */
export function graphDifference(written: unknown, otherWritten: unknown): GraphDifference {
  const [graph, other] = [inlinedGraph(written), inlinedGraph(otherWritten)];
  const [before, after] = [nodesOf(resolved(graph)), nodesOf(resolved(other))];
  const [edgesBefore, edgesAfter] = [edgesOf(graph), edgesOf(other)];
  return {
    added: without(after, before),
    removed: without(before, after),
    changed: [...before.keys()].filter(
      (id) => after.has(id) && !isDeepStrictEqual(before.get(id), after.get(id)),
    ),
    edgesAdded: without(edgesAfter, edgesBefore),
    edgesRemoved: without(edgesBefore, edgesAfter),
  };
}

/** A node counts as changed if a parameter that it refers to has another value. */
function resolved(graph: unknown): Resolved {
  return isRecord(graph) ? withParameters(graph, new Issues()) : { visual: {}, lists: new Map() };
}

type Keyed = ReadonlyMap<string, unknown>;

const without = (all: Keyed, known: Keyed): string[] => [...all.keys()].filter((id) => !known.has(id));

function nodesOf({ visual, lists }: Resolved): Keyed {
  return new Map(
    listIn(visual, 'nodes').flatMap((node) => {
      const { id, type, data } = node;
      if (typeof id !== 'string') return [];
      const config = isRecord(data) ? (data['config'] ?? null) : null;
      const instruments = listsIn(config).map((list) => lists.get(list));
      return [[id, { type, config, instruments }] as const];
    }),
  );
}

function edgesOf(graph: unknown): Keyed {
  const end = (node: unknown, port: unknown) =>
    typeof port === 'string' && port !== '' ? `${String(node)}.${port}` : String(node);
  return new Map(
    listIn(graph, 'edges').map((edge) => [
      `${end(edge['source'], edge['sourceHandle'])} → ${end(edge['target'], edge['targetHandle'])}`,
      true,
    ]),
  );
}

function listIn(graph: unknown, key: string): Record<string, unknown>[] {
  const list = isRecord(graph) ? graph[key] : [];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
