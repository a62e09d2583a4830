import { z } from 'zod';
import type { Json } from '../../../db/json.ts';

/** States of a check row. `grey`: undetermined. */
export const CHECK_STATES = ['green', 'red', 'grey'] as const;

/** One row of a check, as stored and displayed. */
const Check = z.object({
  name: z.string(),
  state: z.enum(CHECK_STATES),
  /** Finding, in words. */
  value: z.string().nullable(),
  /** Problem and remedy. */
  reason: z.string().nullable(),
  at: z.string(),
});
export type Check = Readonly<z.output<typeof Check>>;

const Checks = z.array(Check);

/** Parses the rows of a stored check; none if it was never made. */
export const parseChecks = (stored: Json): readonly Check[] => (stored === null ? [] : Checks.parse(stored));
