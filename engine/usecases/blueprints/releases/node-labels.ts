import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import type { Work } from '../../../platform/context.ts';
import { labelsOfGraph } from '../../../strategy/graph/compile/labels-of-graph.ts';

/** Releases whose graphs one call reads; a node of a further one has no label. */
const RELEASES_MAX = 50;
/** The length at which a graph's parser cuts a label. */
const LABEL_CHARS_MAX = 60;

/** A node as an order has it: `buy`, or `buy/BTCUSDT` for a node of a list; nulls for a person or key. */
export type ReleasedNode = {
  readonly blueprintId: string;
  readonly releaseNumber: number | null;
  readonly nodeId: string | null;
};

/** Returns the label of a node in its release. Null: it has none, or its graph was not read. */
export type LabelOfNode = (node: ReleasedNode) => string | null;

/** Reads the labels that the graphs of these releases give these nodes, with one query. */
export async function readNodeLabels(work: Work, nodes: readonly ReleasedNode[]): Promise<LabelOfNode> {
  const ids = new Set(nodes.flatMap(({ nodeId }) => (nodeId === null ? [] : [nodeId, graphIdOf(nodeId)])));
  const ofNodes = nodes.filter(({ nodeId, releaseNumber }) => nodeId !== null && releaseNumber !== null);
  const releases = [...new Map(ofNodes.map((node) => [releaseKey(node), node])).values()];
  const read = releases.slice(0, RELEASES_MAX);
  if (read.length === 0) return () => null;
  const { rows } = await sql<{ blueprintId: string; releaseNumber: number; id: string; label: string }>`
    select r.blueprint_id as "blueprintId", r.number as "releaseNumber",
      n.node ->> 'id' as id, left(btrim(n.node #>> '{data,label}'), ${LABEL_CHARS_MAX}) as label
    from unnest(${read.map(({ blueprintId }) => blueprintId)}::uuid[], ${read.map(({ releaseNumber }) => releaseNumber)}::int[]) as wanted (blueprint_id, number)
      join release r on r.account_id = ${work.accountId} and r.blueprint_id = wanted.blueprint_id and r.number = wanted.number
      join release_body b on b.account_id = r.account_id and b.hash = r.body_hash
      cross join lateral jsonb_path_query(b.visual, '$.nodes[*]') as n (node)
    where n.node ->> 'id' = any(${[...ids]}::text[])
      and jsonb_typeof(n.node #> '{data,label}') = 'string' and btrim(n.node #>> '{data,label}') <> ''`.execute(
    work.db,
  );
  const labels = new Map([
    ...rows.map((row) => [nodeKey(row, row.id), row.label] as const),
    ...(await labelsWithinModules(work, read)),
  ]);
  return (node) => {
    if (node.nodeId === null) return null;
    const own = labels.get(nodeKey(node, node.nodeId));
    if (own !== undefined) return own;
    const graphId = graphIdOf(node.nodeId);
    const label = labels.get(nodeKey(node, graphId));
    return label === undefined ? null : `${label}${node.nodeId.slice(graphId.length)}`;
  };
}

/** Reads graphs that have modules whole: the labels of nodes within depend on the nodes that use them. */
async function labelsWithinModules(
  work: Work,
  releases: readonly ReleasedNode[],
): Promise<(readonly [string, string])[]> {
  const within = releases.filter(({ nodeId }) => nodeId?.includes('/'));
  if (within.length === 0) return [];
  const { rows } = await sql<{ blueprintId: string; releaseNumber: number; visual: Json }>`
    select r.blueprint_id as "blueprintId", r.number as "releaseNumber", b.visual
    from unnest(${within.map(({ blueprintId }) => blueprintId)}::uuid[], ${within.map(({ releaseNumber }) => releaseNumber)}::int[]) as wanted (blueprint_id, number)
      join release r on r.account_id = ${work.accountId} and r.blueprint_id = wanted.blueprint_id and r.number = wanted.number
      join release_body b on b.account_id = r.account_id and b.hash = r.body_hash
    where jsonb_typeof(b.visual -> 'modules') = 'object'`.execute(work.db);
  return rows.flatMap((row) =>
    labelsOfGraph(row.visual).map(({ nodeId, label }) => [nodeKey(row, nodeId), label] as const),
  );
}

/** The node of the graph that a copy for an instrument belongs to. No instrument has a slash. */
const graphIdOf = (id: string): string => (id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : id);

const releaseKey = ({ blueprintId, releaseNumber }: Omit<ReleasedNode, 'nodeId'>): string =>
  `${blueprintId} ${releaseNumber}`;

const nodeKey = (release: Omit<ReleasedNode, 'nodeId'>, id: string): string => `${releaseKey(release)} ${id}`;
