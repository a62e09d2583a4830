/**
 * Reads the records of a venue's answer one by one: a record that cannot be read is the problem of what it is about, never
 * of what else came with it.
 */
import type { z } from 'zod';
import { VenueError } from '../errors.ts';
import type { ParseErrorLog } from '../parse-error-log.ts';

/** The records that could be read, and how many could not. */
export type Readings<T> = {
  readonly read: T[];
  readonly unread: number;
};

export class RecordReader {
  readonly #venue: string;
  readonly #parseErrors: ParseErrorLog;

  constructor(venue: string, parseErrors: ParseErrorLog) {
    this.#venue = venue;
    this.#parseErrors = parseErrors;
  }

  /** Each record by itself; `nameKey` is the field by which a complaint names one. */
  all<T>(schema: z.ZodType<T>, records: readonly unknown[], nameKey: string): Readings<T> {
    const read: T[] = [];
    for (const record of records) {
      const result = schema.safeParse(record);
      if (result.success) read.push(result.data);
      else this.#complain(record, nameKey, result.error);
    }
    return { read, unread: records.length - read.length };
  }

  /** The readable ones. Throws `unavailable` where there are records and none can be read: then the format has changed. */
  some<T>(schema: z.ZodType<T>, records: readonly unknown[], nameKey: string): T[] {
    return this.someOf([this.all(schema, records, nameKey)]);
  }

  /** The readable ones of several answers to one question; as {@link some}. */
  someOf<T>(answers: readonly Readings<T>[]): T[] {
    const read = answers.flatMap((answer) => answer.read);
    if (read.length > 0 || answers.every(({ unread }) => unread === 0)) return read;
    throw this.unreadable();
  }

  /** What was asked for may be there, but cannot be read: not the same as unknown. */
  unreadable(): VenueError {
    return VenueError.unavailable(`${this.#venue} sent records of another shape than expected`);
  }

  #complain(record: unknown, nameKey: string, { issues }: z.ZodError): void {
    const name = (record as Record<string, unknown> | null)?.[nameKey];
    this.#parseErrors.unreadable(this.#venue, name, issues[0]?.path.join('.') ?? '');
  }
}
