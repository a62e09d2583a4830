import type { Json } from '../../db/json.ts';
import type { MarketData } from '../../venues/port.ts';
import type { Work } from '../context.ts';
import type { Issue } from '../graph/types.ts';
import { compileDrawing } from './compile.ts';
import { firesAtDeploy } from './fires-at-deploy.ts';
import type { Admit } from './look-up.ts';
import { readBlueprint } from './row.ts';

export type Validation = { valid: boolean; issues: readonly Issue[] };

/**
 * What deploy would say of a blueprint's drawing, or of `visual` in its place, without deploying: the same errors, and
 * warnings that stop nothing, such as what would fire at once.
 */
export async function validateBlueprint(
  work: Work,
  market: MarketData,
  id: string,
  visual?: Json,
  admit?: Admit,
): Promise<Validation> {
  const row = await readBlueprint(work, id);
  const drawn = visual === undefined ? row.visual : visual;
  const { plan, issues, instruments } = await compileDrawing(work.db, market, drawn, admit);
  if (plan === null) return { valid: false, issues };
  const advice = await firesAtDeploy(work, market, { blueprintId: id, plan, instruments });
  return { valid: true, issues: [...issues, ...advice] };
}
