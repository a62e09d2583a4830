import { type Selectable, sql } from 'kysely';
import { compileOnce } from '../../../../db/compiled.ts';
import type { BlueprintStatus } from '../../../../db/entities/blueprint.ts';
import type { Json } from '../../../../db/json.ts';
import type { Database } from '../../../../db/tables.ts';
import { byMode, type Mode } from '../../../../db/vocabulary.ts';
import type { Work } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';

/** The columns that are the same in every mode, without the graph. */
const SHARED = ['id', 'name', 'tags', 'version', 'created_at', 'updated_at'] as const;

/** A blueprint as one mode sees it, with the node states of its latest deployment there. */
export type BlueprintRow = Pick<
  Selectable<Database['blueprint']>,
  (typeof SHARED)[number] | 'status' | 'deployment_id' | 'error' | 'visual'
> & { node_states: Json };

/**
 * The account's blueprints that are not deleted, as the mode of the work sees them. A run in another mode, current or past, is
 * invisible. A blueprint that ran here before counts as stopped.
 */
export const blueprintsOf = (work: Pick<Work, 'db' | 'accountId' | 'mode'>) =>
  blueprintsWithoutGraph(work).select('b.visual');

const blueprintsWithoutGraph = ({ db, accountId, mode }: Pick<Work, 'db' | 'accountId' | 'mode'>) =>
  db
    .selectFrom('blueprint as b')
    .leftJoin('deployment as d', (join) =>
      join.onRef('d.account_id', '=', 'b.account_id').onRef('d.id', '=', 'b.deployment_id'),
    )
    // Its latest deployment in this mode, looked for only if its latest of all was in another.
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('deployment as e')
          .select('e.id')
          .whereRef('e.account_id', '=', 'b.account_id')
          .whereRef('e.blueprint_id', '=', 'b.id')
          .where('e.mode', '=', sql.lit(mode))
          .where('d.mode', '<>', sql.lit(mode))
          .orderBy('e.started_at', 'desc')
          .orderBy('e.id', 'desc')
          .limit(sql.lit(1))
          .as('p'),
      (join) => join.onTrue(),
    )
    .leftJoin('deployment_nodes as n', (join) =>
      join.onRef('n.account_id', '=', 'b.account_id').on('n.deployment_id', '=', deploymentIn(mode)),
    )
    .select(SHARED.map((column) => `b.${column}` as const))
    .select([
      statusIn(mode).as('status'),
      deploymentIn(mode).as('deployment_id'),
      sql<string | null>`case when ${isIn(mode)} then b.error end`.as('error'),
      'n.states as node_states',
    ])
    .where('b.account_id', '=', accountId)
    .where('b.deleted_at', 'is', null);

/** Whether the columns of `blueprint b` belong to this mode: its latest deployment `d` was in it, or there was none. */
const isIn = (mode: Mode) => sql<boolean>`coalesce(d.mode = ${sql.lit(mode)}, true)`;

/** The latest deployment in a mode: that of `blueprint b`, or the previous one `p`. */
const deploymentIn = (mode: Mode) =>
  sql<string | null>`case when ${isIn(mode)} then b.deployment_id else p.id end`;

/** The status of `blueprint b` in a mode. */
export const statusIn = (mode: Mode) =>
  sql<BlueprintStatus>`case when ${isIn(mode)} then b.status when p.id is not null then 'stopped' else 'draft' end`;

const READ = byMode((mode) =>
  compileOnce<{ accountId: string; id: string }, BlueprintRow>((db, { accountId, id }) =>
    blueprintsOf({ db, accountId, mode }).where('b.id', '=', id).compile(),
  ),
);

/** @throws DomainError `not_found` for a missing, deleted or foreign one, all alike. */
export async function readBlueprint(work: Work, id: string): Promise<BlueprintRow> {
  const { db, accountId, mode } = work;
  const [row] = await READ[mode](db, { accountId, id });
  if (!row) throw notFound();
  return row;
}

const READ_WITHOUT_GRAPH = byMode((mode) =>
  compileOnce<{ accountId: string; id: string }, Omit<BlueprintRow, 'visual'>>((db, { accountId, id }) =>
    blueprintsWithoutGraph({ db, accountId, mode }).where('b.id', '=', id).compile(),
  ),
);

/** Reads a blueprint whose graph was just stored. Reading and parsing it again would take the thread for milliseconds. */
export async function readAfterStoring(work: Work, id: string, visual: Json): Promise<BlueprintRow> {
  const { db, accountId, mode } = work;
  const [row] = await READ_WITHOUT_GRAPH[mode](db, { accountId, id });
  if (!row) throw notFound();
  return { ...row, visual };
}

/** The node values of a blueprint, without its graph. */
export type NodeValues = Pick<BlueprintRow, 'id' | 'status' | 'deployment_id' | 'node_states'>;

/** Reads the node values of these blueprints. Missing, deleted and foreign ones are left out, all alike. */
export async function readNodeValues(work: Work, ids: readonly string[]): Promise<NodeValues[]> {
  if (ids.length === 0) return [];
  return blueprintsOf(work)
    .clearSelect()
    .select([
      'b.id',
      statusIn(work.mode).as('status'),
      deploymentIn(work.mode).as('deployment_id'),
      'n.states as node_states',
    ])
    .where('b.id', 'in', ids)
    .execute();
}

type BlueprintWithoutGraph = Omit<Selectable<Database['blueprint']>, 'visual'>;

/** A blueprint in any mode, without its graph. `runs_in` is null while it does not run. */
export type LockedBlueprint = BlueprintWithoutGraph & { runs_in: Mode | null };

const COLUMNS_WITHOUT_GRAPH = [
  'account_id',
  'id',
  'name',
  'status',
  'deployment_id',
  'error',
  'visual_bytes',
  'thesis_id',
  'tags',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies readonly (keyof BlueprintWithoutGraph)[];

/** Reads the row, but not its graph, and locks it until the transaction ends. Lock order: the account first. */
export async function lockBlueprint(tx: Work, id: string): Promise<LockedBlueprint> {
  const row = await tx.db
    .selectFrom('blueprint')
    .select(COLUMNS_WITHOUT_GRAPH)
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return { ...row, runs_in: await modeOfRun(tx, row) };
}

async function modeOfRun(tx: Work, { id, status }: BlueprintWithoutGraph): Promise<Mode | null> {
  if (status !== 'running' && status !== 'error') return null;
  const live = await tx.db
    .selectFrom('deployment')
    .select('mode')
    .where('account_id', '=', tx.accountId)
    .where('blueprint_id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return live?.mode ?? tx.mode;
}
