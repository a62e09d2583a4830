import type { z } from 'zod';
import type { Context } from './context.ts';

/** Checks the first answer of a process against its schema, and then one of this number. */
const CHECKED_EVERY = 100;

/**
 * Answers with JSON that the database wrote. Over REST its text is sent unchanged and a sample is checked; over tRPC it is a value
 * like any other.
 */
export function jsonAnswer<Row extends z.ZodType>(output: z.ZodArray<Row>) {
  let answers = 0;
  return ({ sink }: Pick<Context, 'sink'>, json: string): z.input<Row>[] => {
    if (sink === null) return JSON.parse(json);
    if (answers % CHECKED_EVERY === 0) output.parse(JSON.parse(json));
    answers += 1;
    sink.takeJson(json);
    return [];
  };
}
