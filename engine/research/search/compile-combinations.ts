/** Compiles every combination before the first one runs. */
import { compile } from '../../strategy/graph/compile/compile.ts';
import type { Issue, KnownInstruments, Needs } from '../../strategy/graph/types.ts';
import type { Search, Space } from './request.ts';
import { type Combination, combinationsOf, graphWith } from './space.ts';

/** A combination whose graph does not compile: it is listed, and not run. */
export type RefusedCombination = { readonly combination: Combination; readonly issues: readonly Issue[] };

export type CompiledCombinations = {
  /** A trial's number is its index here. */
  readonly trials: readonly { readonly combination: Combination; readonly needs: Needs }[];
  readonly refused: readonly RefusedCombination[];
};

/** Pure. Known facts of instruments are checked, as at a deploy. */
export function compileCombinations(
  visual: unknown,
  { space, search }: { readonly space: Space; readonly search: Search },
  known?: KnownInstruments,
): CompiledCombinations {
  const trials: { combination: Combination; needs: Needs }[] = [];
  const refused: RefusedCombination[] = [];
  for (const combination of combinationsOf(visual, space, search)) {
    const { plan, issues, needs } = compile(graphWith(visual, space, combination), known);
    if (plan === null)
      refused.push({ combination, issues: issues.filter(({ severity }) => severity === 'error') });
    else trials.push({ combination, needs });
  }
  return { trials, refused };
}
