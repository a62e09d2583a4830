/** What a venue charges, as it is stored with an instrument. */
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

/** The schedule stored with an instrument; null where its venue has stated none. Throws on anything else. */
export const feeScheduleOf = (stored: Json): FeeSchedule | null =>
  stored === null ? null : Schedule.parse(stored);

/** What is charged in an instrument that is traded. Throws where nothing is known: a fee is never guessed. */
export function knownSchedule(of: {
  readonly token_id: string;
  readonly fee_schedule: FeeSchedule | null;
}): FeeSchedule {
  if (of.fee_schedule === null) throw new Error(`The fee of ${of.token_id} is not known.`);
  return of.fee_schedule;
}
