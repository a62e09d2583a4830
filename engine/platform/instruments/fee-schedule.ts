/** The fee schedule of a venue, as stored with an instrument. */
import { z } from 'zod';
import type { Json } from '../../../db/json.ts';
import type { FeeSchedule } from '../../../venues/port.ts';

const Rate = z.string().regex(/^\d+(\.\d+)?$/);
const Schedule: z.ZodType<FeeSchedule> = z.object({
  formula: z.enum(['probability', 'notional']),
  takerRate: Rate,
  makerRate: Rate,
  exponent: z.number().min(0).max(10),
  roundUpTo: Rate.nullable(),
});

/** Parses the schedule stored with an instrument; null if its venue has stated none. Throws on anything else. */
export const feeScheduleOf = (stored: Json): FeeSchedule | null =>
  stored === null ? null : Schedule.parse(stored);

/** Returns the fee schedule of a traded instrument. Throws if it is not known: a fee is never guessed. */
export function knownSchedule(of: {
  readonly token_id: string;
  readonly fee_schedule: FeeSchedule | null;
}): FeeSchedule {
  if (of.fee_schedule === null) throw new Error(`The fee of ${of.token_id} is not known.`);
  return of.fee_schedule;
}
