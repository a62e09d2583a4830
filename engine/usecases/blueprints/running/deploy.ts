import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../../db/json.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import type { MarketData } from '../../../../venues/port.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import { audit } from '../../../platform/audit/audit.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { recordEvents } from '../../../platform/events/events.ts';
import { newId } from '../../../platform/ids.ts';
import { requireReviewedVersion } from '../../../platform/reviewed-version.ts';
import type { Members } from '../../../strategy/graph/series-lists.ts';
import type { Issue, Memory } from '../../../strategy/graph/types.ts';
import { refuseSuspended } from '../../../trading/accounts/suspension.ts';
import { refuseEndedKey } from '../../../trading/keys/read-spending-limits.ts';
import { type BlueprintRow, type LockedBlueprint, lockBlueprint, readBlueprint } from '../drafts/row.ts';
import { freezeRelease } from '../releases/freeze-release.ts';
import { pruneReleases } from '../releases/prune-releases.ts';
import { shardOfAccount } from './account-shard.ts';
import { compileWithFacts } from './compile-with-facts.ts';
import { endDeployment } from './end-deployment.ts';
import type { AdmitLookUp } from './look-up.ts';
import { readNeededInstruments } from './needed-instruments.ts';
import { requirePaperRun } from './paper-run.ts';

/** Edits between compiling and locking are rare. This many in a row mean that a caller edits during a live deploy. */
const COMPILES_MAX = 5;

export type DeployOptions = {
  market: MarketData;
  shardCount: number;
  /** Whether venues may be asked on the caller's behalf. */
  admit?: AdmitLookUp | undefined;
  /** Version the caller reviewed (`If-Match`). */
  reviewedVersion?: number | undefined;
  /** Whether the person who deploys vouches for a graph that has not run on paper for 24 hours. */
  isVouchedFor?: boolean;
};

/**
 * Deploys a blueprint: freezes its graph as a release and starts a new deployment of it.
 *
 * Compiling asks venues, so it happens before the account's lock. The row is compared again under the lock and
 * compiled again if it changed meanwhile. Deploying a running blueprint changes nothing.
 *
 * @throws DomainError `not_found`, `precondition_failed`, `blueprint_invalid` with one issue per problem.
 * @throws DomainError `invalid_state` if it runs in another mode, `paper_run_missing` in live mode before 24 hours on paper.
 */
export async function deployBlueprint(work: Work, id: string, options: DeployOptions): Promise<BlueprintRow> {
  return deployCompiled(work, await compileDraft(work, id, options), options);
}

/** A draft and what its plan reads; null for a blueprint that runs already. */
export type CompiledDraft = { draft: BlueprintRow; reads: PlanReads | null };

/** The instruments that a plan reads, and the members of its lists that are series. */
export type PlanReads = { readonly tokenIds: string[]; readonly members: Members };

/**
 * Runs the first half of a deploy. It takes long, because venues are asked, and changes nothing.
 *
 * @throws DomainError `not_found`, `blueprint_invalid`, `precondition_failed`.
 */
export async function compileDraft(
  work: Work,
  id: string,
  { market, admit, reviewedVersion }: DeployOptions,
): Promise<CompiledDraft> {
  const draft = await readBlueprint(work, id);
  requireReviewedVersion(draft.version, reviewedVersion);
  if (draft.status === 'running') return { draft, reads: null };
  return { draft, reads: await compileToRun(work, { id, visual: draft.visual }, { market, admit }) };
}

/**
 * Compiles a graph with the venues' facts, and returns what its plan reads. Its series have the open markets, and closed ones
 * that the blueprint still holds: their exits continue.
 *
 * @param graph the graph, and the blueprint it is for; null for one that is yet to be created
 * @throws DomainError `blueprint_invalid` if it cannot run.
 */
export async function compileToRun(
  work: Work,
  graph: { id: string | null; visual: Json },
  { market, admit }: Pick<DeployOptions, 'market' | 'admit'>,
): Promise<PlanReads> {
  const needed = graph.id === null ? [] : await readNeededInstruments(work, graph.id);
  const { plan, issues, members } = await compileWithFacts(work.db, market, graph.visual, admit, {
    needed,
  });
  if (!plan) throw blueprintInvalid(issues);
  // Includes symbols of candles: the delisting of one must be noticed.
  return { tokenIds: [...new Set([...plan.needs.instruments, ...plan.needs.traded])], members };
}

/** Runs the second half: starts the compiled graph, or compiles again if it was edited since. */
export async function deployCompiled(
  work: Work,
  compiled: CompiledDraft,
  options: DeployOptions,
): Promise<BlueprintRow> {
  for (let compiles = 1; compiles <= COMPILES_MAX; compiles++) {
    const { draft, reads } = compiles === 1 ? compiled : await compileDraft(work, compiled.draft.id, options);
    if (reads === null) return draft;
    const deployed = await underAccountLock(work, (tx, at) => startDeployment(tx, at, draft, reads, options));
    if (deployed) return deployed;
  }
  throw new DomainError('overloaded', 'The blueprint is being edited right now. Try again.', {
    retryAfterSec: 1,
  });
}

/** Call under the account's lock. Null if the graph differs from the compiled one. */
export async function startDeployment(
  tx: Work,
  at: Date,
  compiled: BlueprintRow,
  reads: PlanReads,
  options: DeployOptions,
): Promise<BlueprintRow | null> {
  const locked = await lockToDeploy(tx, at, compiled.id, options);
  const draft = await readBlueprint(tx, locked.id);
  if (locked.status === 'running') return draft;
  if (!isDeepStrictEqual(draft.visual, compiled.visual)) return null;
  return replaceDeployment(tx, at, { ...locked, visual: draft.visual }, { ...reads, memory: null }, options);
}

/**
 * Locks a blueprint that is to run in the mode of the work.
 *
 * @throws DomainError `account_suspended`, `not_found`, `precondition_failed`, `invalid_state` if it runs in another mode,
 *   `credentials_invalid`.
 */
export async function lockToDeploy(
  tx: Work,
  at: Date,
  id: string,
  { reviewedVersion }: DeployOptions,
): Promise<LockedBlueprint> {
  await refuseSuspended(tx);
  await refuseEndedKey(tx, at);
  const locked = await lockBlueprint(tx, id);
  requireReviewedVersion(locked.version, reviewedVersion);
  if (locked.runs_in !== null && locked.runs_in !== tx.mode) throw runsElsewhere(locked.runs_in);
  return locked;
}

/** The instruments and members that a deployment's plan reads, and the memory with which it starts. */
export type DeploymentStart = PlanReads & { memory: Memory | null };

/** Ends the live deployment of a locked blueprint, if any, and starts one of its graph. Call within one transaction. */
export async function replaceDeployment(
  tx: Work,
  at: Date,
  row: Omit<BlueprintRow, 'node_states'>,
  start: DeploymentStart,
  { isVouchedFor = false, shardCount }: DeployOptions,
): Promise<BlueprintRow> {
  const isUntried = await requirePaperRun(tx, row, { at, isVouchedFor });
  const replaced = await endDeployment(tx, row.id, at, 'deployed again');
  const release = await freezeRelease(tx, row, at);
  await pruneReleases(tx, row.id, release);
  const deploymentId = await insertDeployment(tx, row, {
    ...start,
    release,
    shard: shardOfAccount(tx.accountId, shardCount),
    at,
  });
  await tx.db
    .updateTable('blueprint')
    .set({
      status: 'running',
      deployment_id: deploymentId,
      error: null,
      version: row.version + 1,
      updated_at: at,
    })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', row.id)
    .execute();
  await audit(tx, {
    action: 'blueprint.deployed',
    subjectId: row.id,
    before: { status: row.status, deploymentId: replaced },
    after: { status: 'running', deploymentId, release, ...(isUntried && { isUntried }) },
    at,
  });
  await recordEvents(tx, at, [
    { type: 'blueprint.changed', payload: { id: row.id, status: 'running', deploymentId } },
  ]);
  return readBlueprint(tx, row.id);
}

async function insertDeployment(
  tx: Work,
  blueprint: Pick<BlueprintRow, 'id'>,
  {
    release,
    tokenIds,
    members,
    memory,
    shard,
    at,
  }: DeploymentStart & { release: number; shard: number; at: Date },
): Promise<string> {
  const id = newId();
  const { db } = tx;
  await db
    .insertInto('deployment')
    .values({
      account_id: tx.accountId,
      id,
      blueprint_id: blueprint.id,
      release_number: release,
      mode: tx.mode,
      shard,
      token_ids: tokenIds,
      members: members === null ? null : JSON.stringify(members),
      started_at: at,
    })
    .execute();
  await db
    .insertInto('deployment_state')
    .values({
      account_id: tx.accountId,
      deployment_id: id,
      ...(memory && { memory: JSON.stringify(memory) }),
      updated_at: at,
    })
    .execute();
  return id;
}

const runsElsewhere = (mode: Mode): DomainError =>
  new DomainError(
    'invalid_state',
    `The blueprint runs in ${mode} mode. Stop it there first, then deploy it here.`,
  );

/** The reasons why a graph cannot run: one issue per problem. */
export function blueprintInvalid(issues: readonly Issue[]): DomainError {
  const errors = issues.filter((issue) => issue.severity === 'error');
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new DomainError(
    'blueprint_invalid',
    `The blueprint cannot run: ${errors[0]?.message ?? 'it does not compile.'}${more}`,
    { issues: errors.map(({ path, code, message }) => ({ path: `/visual${path}`, code, message })) },
  );
}
