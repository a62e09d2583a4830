import { test } from 'vitest';
import { stepsAsFromNothing } from '../engine/strategy/graph/from-nothing.ts';

/** 10,000 for all of row 10: some minutes. */
const DRAWINGS = Number(process.env['FAULT_DRAWINGS'] ?? 500);

test(`row 10: ${DRAWINGS} random drawings, each with three deployments on one stepper, come out as evaluations from nothing do`, () => {
  stepsAsFromNothing(DRAWINGS);
}, 3_600_000);
