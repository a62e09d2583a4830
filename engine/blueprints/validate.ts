import type { Json } from '../../db/json.ts';
import type { MarketData } from '../../venues/port.ts';
import { dbOf, type Work } from '../context.ts';
import type { Issue } from '../graph/types.ts';
import { compileDrawing } from './compile.ts';
import { readBlueprint } from './row.ts';

export type Validation = { valid: boolean; issues: readonly Issue[] };

/** What deploy would say of a blueprint's drawing, or of `visual` in its place, without deploying. */
export async function validateBlueprint(
  work: Work,
  market: MarketData,
  id: string,
  visual?: Json,
): Promise<Validation> {
  const row = await readBlueprint(work, id);
  const { plan, issues } = await compileDrawing(
    dbOf(work),
    market,
    visual === undefined ? row.visual : visual,
  );
  return { valid: plan !== null, issues };
}
