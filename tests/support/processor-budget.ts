// Fails a test that takes more processor time than its budget, unless it is tagged `long`. A setup file of every project.

import { afterEach, beforeEach } from 'vitest';
import { processorMs, slowness } from './processor-speed.ts';

/** Milliseconds of processor time that a test may take on the reference machine; a slower machine gets more. */
const BUDGET_MS = 2_000;

let startedMs = 0;

beforeEach(() => {
  startedMs = processorMs();
});

afterEach(({ task }) => {
  const takenMs = processorMs() - startedMs;
  const budgetMs = BUDGET_MS * slowness;
  if (takenMs > budgetMs && !task.tags?.includes('long'))
    throw new Error(
      `This test took ${Math.round(takenMs)} ms of processor time of ${Math.round(budgetMs)} ms. Make it cheaper, or tag it: test(title, { tags: ['long'] }, …)`,
    );
});
