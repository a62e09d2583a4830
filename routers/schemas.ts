import { z } from 'zod';
import { dropPattern } from '../engine/platform/clock/timestamp-text.ts';
import { exact, MONEY_PLACES } from '../engine/platform/decimal.ts';
import { hasInvisible, textProblem } from '../engine/platform/text.ts';
import { validationMessageOf } from './validation-messages.ts';

export { timestamp } from '../engine/platform/clock/timestamp-text.ts';
export { decimalNumber } from '../engine/platform/decimal/decimal-number.ts';

/** The most significant digits that a JSON number keeps exactly through any client. */
export const DIGITS_MAX = 15;

/** A larger number in a request is a typo: `numeric(38,12)` would hold it, no account would. */
const NUMBER_MAX = 1e15;

type Bounds = { min?: number; above?: number; max?: number };

/**
 * A JSON number for money or quantity, taken as sent: never coerced, at most 15 significant digits and 12
 * decimal places.
 */
export const exactNumber = ({ min, above, max = NUMBER_MAX }: Bounds) => {
  let schema = z.number().max(max);
  if (min !== undefined) schema = schema.min(min);
  if (above !== undefined) schema = schema.gt(above);
  return z.pipe(schema.refine(isExact, { error: EXACT_MESSAGE }), z.number());
};

/** A JSON integer, never coerced. One message for every other value, including text from a query string. */
export const exactInteger = (min: number, max: number) => {
  const error = `takes a whole number from ${min} to ${max}`;
  return z.pipe(z.number({ error }).int({ error }).min(min, { error }).max(max, { error }), z.number());
};

/**
 * An integer in a query string. The facade has read it by an exact grammar (`5`, not `05`, ` 5`, `5.0`, `0x5`)
 * before this schema sees it. A value outside that grammar is still a string here, and refused.
 */
export const queryInteger = exactInteger;

const EXACT_MESSAGE = `takes at most ${DIGITS_MAX} significant digits and ${MONEY_PLACES} decimal places`;

function isExact(value: number): boolean {
  const decimal = exact(value);
  return decimal.precision() <= DIGITS_MAX && decimal.decimalPlaces() <= MONEY_PLACES;
}

const NOT_COUNTING = 'is not a whole number from 1';

/** A counting number in a path; tRPC callers may send it as a number. */
export const pathInteger = z
  .union([z.int(), z.string().regex(/^[1-9]\d{0,8}$/, { error: NOT_COUNTING })], { error: NOT_COUNTING })
  .transform(Number)
  .pipe(z.int().min(1))
  .meta({
    override: ({ jsonSchema }) =>
      Object.assign(jsonSchema, { anyOf: undefined, type: 'integer', minimum: 1 }),
  });

/** A UUID of any version, in any case; lower case from here on. */
export const uuid = z.guid({ error: 'is not a UUID' }).toLowerCase();

/** One line of text: trimmed, `min` to `max` characters (code points), no control characters. */
export const singleLineText = (min: number, max: number) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const problem =
        textProblem(text, { min, max, lines: false }) ??
        (hasInvisible(text)
          ? 'holds a character that is invisible or changes the direction of writing'
          : null);
      if (problem) context.addIssue({ code: 'custom', message: problem, input: text });
    })
    .meta({ minLength: min, maxLength: max });

/** Text that may run over several lines. */
export const multiLineText = (min: number, max: number) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const problem = textProblem(text, { min, max, lines: true });
      if (problem) context.addIssue({ code: 'custom', message: problem, input: text });
    })
    .meta({ minLength: min, maxLength: max });

/** An ISO 8601 moment in a request; an offset is allowed. There is no year 0, in history as in the database. */
export const moment = z.iso
  .datetime({ offset: true, error: 'is not a moment such as 2026-11-20T09:00:00Z' })
  .refine((text) => new Date(text).getUTCFullYear() >= 1, { error: 'lies before the year 1' })
  .meta({ override: dropPattern });

/** Any JSON value, passed through as it is. */
export const anyJson = z.unknown().meta({ description: 'Any JSON value.' });

export const okAndId = z.object({
  ok: z.boolean().meta({ description: 'True on success.' }),
  id: z.uuid().meta({ description: 'The order intent.' }),
});

/**
 * A schema that tRPC parses synchronously. Zod has a fast path through objects for synchronous parsing only, and tRPC requests
 * the asynchronous one: for fifty rows that takes twice the time. None of our schemas is asynchronous.
 */
export function parsedSync<Schema extends z.ZodType>(schema: Schema): Schema {
  return Object.assign(schema, {
    parseAsync: async (value: unknown) => schema.parse(value, { error: validationMessageOf }),
  });
}

/** A list as an answer. */
export const listOf = <Item extends z.ZodType>(item: Item): z.ZodArray<Item> => parsedSync(z.array(item));
