import { z } from 'zod';

/**
 * A decimal of the engine or the database in an answer: decimal text here, a JSON number for the caller. A value other than a
 * finite decimal is a defect. A number passes unchanged: some limits are whole, and answers stored by an earlier version hold
 * numbers.
 */
export const decimalNumber = z.pipe(
  // Not `transform`, which would hold each value until the next full garbage collection.
  z.unknown().overwrite(numberOf) as unknown as z.ZodType<number, string | number>,
  z.number(),
);

/** A value that is no decimal becomes NaN, which the schema refuses: `Number` alone would convert null and "" to 0. */
function numberOf(decimal: unknown): number {
  if (typeof decimal === 'number') return decimal;
  return typeof decimal === 'string' && decimal !== '' ? Number(decimal) : Number.NaN;
}
