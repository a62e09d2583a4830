import { z } from 'zod';

/** Format of a `timestamptz(3)` from PostgreSQL in a UTC session, without trailing zeros of the fraction. */
const POSTGRES_UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** Formats a timestamp as ISO 8601 in UTC, to the millisecond. A text is one that the pool returned. */
export function toIso(moment: string | Date): string {
  if (typeof moment !== 'string') return moment.toISOString();
  // Slices the text, since lists hold many of these: a third of the cost of parsing and formatting a date.
  const parts = POSTGRES_UTC.exec(moment);
  if (parts === null) return new Date(moment).toISOString();
  const [, day, time, fraction = ''] = parts;
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
}

export const toIsoOrNull = (moment: string | Date | null): string | null =>
  moment === null ? null : toIso(moment);

/** Columns as read: every timestamp as text. */
export type WithTextTimestamps<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends infer Value ? (Value extends Date ? string : Value) : never;
};

/** Converts columns to be written to the form in which they are read. */
export function withTextTimestamps<Columns extends object>(columns: Columns): WithTextTimestamps<Columns> {
  const texts = { ...columns } as Record<string, unknown>;
  for (const [name, value] of Object.entries(columns)) if (value instanceof Date) texts[name] = toIso(value);
  return texts as WithTextTimestamps<Columns>;
}

/** An ISO 8601 moment in UTC, as every answer gives it. */
export const timestamp = z.iso.datetime().meta({ override: dropPattern });

/** Leaves the format to say what a schema takes: its pattern is long and no help to a reader. */
export function dropPattern({ jsonSchema }: { jsonSchema: { pattern?: string } }): void {
  delete jsonSchema.pattern;
}
