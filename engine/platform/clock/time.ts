/** How PostgreSQL writes a `timestamptz(3)` in a session in UTC, without zeros at the end of the fraction. */
const POSTGRES_UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** A timestamp as the pool gives it (text) or as we wrote it, as ISO 8601 in UTC, to the millisecond. */
export function toIso(moment: string | Date): string {
  if (typeof moment !== 'string') return moment.toISOString();
  // Lists are full of these; taking the text apart costs a third of parsing and printing a date.
  const parts = POSTGRES_UTC.exec(moment);
  if (parts === null) return new Date(moment).toISOString();
  const [, day, time, fraction = ''] = parts;
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
}

export const toIsoOrNull = (moment: string | Date | null): string | null =>
  moment === null ? null : toIso(moment);

/** Columns with every moment as text, as they are read. */
export type Stored<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends infer Value ? (Value extends Date ? string : Value) : never;
};

/** Columns that are about to be written, as they will be read. */
export const stored = <Columns extends object>(columns: Columns): Stored<Columns> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, value instanceof Date ? toIso(value) : value]),
  ) as Stored<Columns>;
