import { z } from 'zod';
import type { Json } from '../../../db/json.ts';

/** `grey`: it could not be found out. */
export const CHECK_STATES = ['green', 'red', 'grey'] as const;

/** One row of a check, as it is stored and shown. */
const Check = z.object({
  name: z.string(),
  state: z.enum(CHECK_STATES),
  /** What was found, in words. */
  value: z.string().nullable(),
  /** What is wrong and what to do. */
  reason: z.string().nullable(),
  at: z.string(),
});
export type Check = Readonly<z.output<typeof Check>>;

const Checks = z.array(Check);

/** The rows of a stored check; none where it was never made. */
export const readChecks = (stored: Json): readonly Check[] => (stored === null ? [] : Checks.parse(stored));
