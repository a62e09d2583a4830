import type { Json } from '../../../../db/json.ts';
import type { MarketData } from '../../../../venues/port.ts';
import type { Work } from '../../../platform/context.ts';
import { newId } from '../../../platform/ids.ts';
import { lostMemory } from '../../../strategy/deployments/lost-memory.ts';
import { type Members, withMembers } from '../../../strategy/graph/series-lists.ts';
import type { Issue } from '../../../strategy/graph/types.ts';
import { readBlueprint } from '../drafts/row.ts';
import { compileWithFacts } from './compile-with-facts.ts';
import { firesAtDeploy } from './fires-at-deploy.ts';
import type { AdmitLookUp } from './look-up.ts';
import { readNeededInstruments } from './needed-instruments.ts';
import { readMemory } from './redeploy.ts';

export type Validation = { valid: boolean; issues: readonly Issue[] };

/**
 * Checks a blueprint's graph, or `visual` instead, as deploy would, without deploying. Returns the same errors. It adds
 * warnings that do not stop a deploy, such as an action that would fire at once. Of a running blueprint it
 * also names actions whose memory a redeploy would lose.
 */
export async function validateBlueprint(
  work: Work,
  market: MarketData,
  id: string,
  visual?: Json,
  admit?: AdmitLookUp,
): Promise<Validation> {
  const row = await readBlueprint(work, id);
  const graph = visual === undefined ? row.visual : visual;
  const { members, valid, issues } = await validated(work, market, { blueprintId: id, visual: graph, admit });
  const memory = valid ? await readMemory(work, row.deployment_id) : null;
  const lost = lostMemory(memory, withMembers(graph, members));
  return { valid, issues: [...issues, ...lost] };
}

/** Validates a graph that belongs to no blueprint, and therefore holds nothing. Stores nothing. */
export async function validateGraph(
  work: Work,
  market: MarketData,
  visual: Json,
  admit?: AdmitLookUp,
): Promise<Validation> {
  const { valid, issues } = await validated(work, market, { blueprintId: newId(), visual, admit });
  return { valid, issues };
}

type GraphToValidate = { blueprintId: string; visual: Json; admit: AdmitLookUp | undefined };

async function validated(
  work: Work,
  market: MarketData,
  { blueprintId, visual, admit }: GraphToValidate,
): Promise<Validation & { members: Members }> {
  const needed = await readNeededInstruments(work, blueprintId);
  const { plan, issues, instruments, members } = await compileWithFacts(work.db, market, visual, admit, {
    needed,
  });
  if (plan === null) return { valid: false, issues, members };
  const advice = await firesAtDeploy(work, market, { blueprintId, plan, instruments });
  return { valid: true, issues: [...issues, ...advice], members };
}
