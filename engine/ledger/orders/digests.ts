import { transitionDigest } from '../../platform/transition-digest.ts';
import type { BookedOrder } from '../rebuilt-books.ts';
import type { Report, StepRow } from '../rows.ts';

/** Compares a step and the inputs of its decision with its digest. Steps before `since` may have none; null: all may. */
export function checkDigest(
  { row }: Pick<BookedOrder, 'row'>,
  step: StepRow,
  since: Date | null,
  report: Report,
): void {
  const field = `digest of step ${step.number}`;
  if (step.digest == null) {
    if (since !== null && Date.parse(step.at) >= since.getTime())
      report('order_transition', row.id, field, 'a digest', 'none');
    return;
  }
  const expected = transitionDigest(row, step);
  if (expected !== step.digest) report('order_transition', row.id, field, expected, step.digest);
}
