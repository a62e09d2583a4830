/** Parses the records of a venue's answer one by one: a malformed record fails alone, and never the records beside it. */
import type { z } from 'zod';
import { VenueError } from '../errors.ts';
import type { ParseErrorLog } from '../parse-error-log.ts';

/** The parsed records, and the number that could not be parsed. */
export type ParsedRecords<T> = {
  readonly read: T[];
  readonly unread: number;
};

export class RecordParser {
  readonly #venue: string;
  readonly #parseErrors: ParseErrorLog;

  constructor(venue: string, parseErrors: ParseErrorLog) {
    this.#venue = venue;
    this.#parseErrors = parseErrors;
  }

  /** Parses each record alone; `nameKey` is the field that names a malformed record in the log. */
  all<T>(schema: z.ZodType<T>, records: readonly unknown[], nameKey: string): ParsedRecords<T> {
    const read: T[] = [];
    for (const record of records) {
      const result = schema.safeParse(record);
      if (result.success) read.push(result.data);
      else this.#complain(record, nameKey, result.error);
    }
    return { read, unread: records.length - read.length };
  }

  /** The parsed records. Throws `unavailable` if there are records and none can be parsed: then the format has changed. */
  some<T>(schema: z.ZodType<T>, records: readonly unknown[], nameKey: string): T[] {
    return this.someOf([this.all(schema, records, nameKey)]);
  }

  /** The parsed records of several answers to one request; as {@link some}. */
  someOf<T>(answers: readonly ParsedRecords<T>[]): T[] {
    const read = answers.flatMap((answer) => answer.read);
    if (read.length > 0 || answers.every(({ unread }) => unread === 0)) return read;
    throw this.unreadable();
  }

  /** The error for a requested record that may exist, but cannot be parsed: not the same as unknown. */
  unreadable(): VenueError {
    return VenueError.unavailable(`${this.#venue} sent records of unexpected shape`);
  }

  #complain(record: unknown, nameKey: string, { issues }: z.ZodError): void {
    const name = (record as Record<string, unknown> | null)?.[nameKey];
    this.#parseErrors.unreadable(this.#venue, name, issues[0]?.path.join('.') ?? '');
  }
}
