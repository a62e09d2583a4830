// fast-check as tests import it (`alias` of vitest.config.ts): a property runs `FC_RUNS` per cent of its cases. CI runs all of
// them. A property with a seed of its own is a recording, and runs as it is.

import fastCheck, {
  type IRawProperty,
  type Parameters,
} from '../../node_modules/fast-check/lib/fast-check.js';

export * from '../../node_modules/fast-check/lib/fast-check.js';

const PERCENT = Number(process.env['FC_RUNS'] ?? 20);
const RUNS_MIN = 5;
const USUAL_RUNS = 100;

/** Returns the share of the runs, at least five if as many are given. */
function fewer<Values>(parameters: Parameters<Values> = {}): Parameters<Values> {
  const { numRuns = USUAL_RUNS, seed } = parameters;
  if (seed !== undefined) return parameters;
  return {
    ...parameters,
    numRuns: Math.max(Math.min(RUNS_MIN, numRuns), Math.ceil((numRuns * PERCENT) / 100)),
  };
}

const assert = (<Values>(property: IRawProperty<Values>, parameters?: Parameters<Values>) =>
  fastCheck.assert(property, fewer(parameters))) as typeof fastCheck.assert;

export default { ...fastCheck, assert };
