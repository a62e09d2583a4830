import type { Json } from '../../../db/json.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { type BlueprintRow, readBlueprint } from '../../usecases/blueprints/drafts/row.ts';
import { updateBlueprint } from '../../usecases/blueprints/drafts/update.ts';
import { type GraphDifference, graphDifference } from '../backtests/graph-difference.ts';
import { valueAtPointer } from '../search/json-pointer.ts';
import type { Scalar } from '../search/request.ts';
import { type Combination, graphWith, isScalar, scalarsOf } from '../search/space.ts';
import { readSweep, type SweepRow } from './row.ts';

type LoadedTrial = {
  readonly blueprintId: string;
  readonly sweep: SweepRow;
  readonly combination: Combination;
};

/** Loads a trial, and the blueprint whose draft it may become. */
async function loadTrial(work: Work, id: string, number: number): Promise<LoadedTrial> {
  const sweep = await readSweep(work, id);
  const trial = await work.db
    .selectFrom('sweep_trial')
    .select('combination')
    .where('account_id', '=', work.accountId)
    .where('sweep_id', '=', id)
    .where('stage', '=', 'whole')
    .where('fold', '=', 0)
    .where('number', '=', number)
    .executeTakeFirst();
  if (trial === undefined) throw notFound();
  if (sweep.blueprint_id === null) {
    throw new DomainError(
      'invalid_state',
      'The sweep has no blueprint, or its blueprint was deleted: there is no draft to write.',
    );
  }
  return {
    blueprintId: sweep.blueprint_id,
    sweep,
    combination: trial.combination as unknown as Combination,
  };
}

/**
 * Writes the graph of a trial as the draft of the blueprint. Never as a release: running deployments continue unchanged.
 *
 * @throws DomainError `not_found`, `invalid_state` for a sweep without a blueprint, and errors of an edit.
 */
export async function applyTrial(
  work: Work,
  id: string,
  number: number,
  reviewedVersion?: number,
): Promise<BlueprintRow> {
  const { blueprintId, sweep, combination } = await loadTrial(work, id, number);
  const graph = graphWith(sweep.visual, sweep.request.space, combination);
  return updateBlueprint(work, blueprintId, { visual: graph as Json }, reviewedVersion);
}

/** Changes that a trial would make to the current draft. */
export type TrialChange = {
  readonly blueprint: BlueprintRow;
  /** `now` is null if the draft has nothing at this path, or another node. */
  readonly values: readonly {
    readonly pointer: string;
    readonly now: Scalar | null;
    readonly next: Scalar;
  }[];
  /** Edits since the sweep began, which would be lost. */
  readonly edited: GraphDifference;
};

/** @throws DomainError `not_found`, `invalid_state` for a sweep without a blueprint. */
export async function previewTrial(work: Work, id: string, number: number): Promise<TrialChange> {
  const { blueprintId, sweep, combination } = await loadTrial(work, id, number);
  const blueprint = await readBlueprint(work, blueprintId);
  const { space } = sweep.request;
  const values = scalarsOf(space, combination);
  return {
    blueprint,
    values: space.dimensions.flatMap(({ pointer }, index) => {
      const value = values[index];
      const now = isSameNode(sweep.visual, blueprint.visual, pointer)
        ? valueAtPointer(blueprint.visual, pointer)
        : null;
      return value === undefined ? [] : [{ pointer, now: isScalar(now) ? now : null, next: value }];
    }),
    edited: graphDifference(sweep.visual, blueprint.visual),
  };
}

/** Whether both graphs have the same node at a pointer. */
function isSameNode(graph: unknown, other: unknown, pointer: string): boolean {
  const node = /^\/nodes\/\d+/.exec(pointer)?.[0];
  return node !== undefined && valueAtPointer(graph, `${node}/id`) === valueAtPointer(other, `${node}/id`);
}
