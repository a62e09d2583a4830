import { test } from 'vitest';
import { expectStepsAsFresh } from '../engine/strategy/graph/fresh-evaluation.ts';

/** 10,000 for all of row 10: some minutes. */
const DRAWINGS = Number(process.env['FAULT_DRAWINGS'] ?? 500);

test(`row 10: ${DRAWINGS} random graphs, each with three deployments on one stepper, give the same results as evaluations from the start`, () => {
  expectStepsAsFresh(DRAWINGS);
}, 3_600_000);
