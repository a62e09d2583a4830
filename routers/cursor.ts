import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { DomainError } from '../engine/platform/errors.ts';

/** The last row before the next page, newest first. */
export type Position = { createdAt: string; id: string };

/** The list that a cursor belongs to. */
export type PageOf = { list: string; accountId: string; filters: Record<string, unknown> };

const Cursor = z.tuple([z.literal(1), z.iso.datetime({ offset: true }), z.uuid()]);
/** The cursor of a list whose rows are counted. */
const OffsetCursor = z.tuple([z.literal(2), z.int().min(0)]);
const SIGNATURE_BYTES = 8;
const CURSOR_LENGTH_MAX = 200;

/** The parameter by which a caller requests the next page. */
export const PageCursor = z
  .string()
  .max(CURSOR_LENGTH_MAX)
  .optional()
  .meta({ description: 'From the `Link` of the page before.' });

/**
 * Writes and reads the opaque cursor of a list. Its signature covers the list, the account and the filters. A cursor that is
 * made up, borrowed or used with other filters is therefore refused instead of skipping rows.
 */
export class Cursors {
  readonly #secret: string;
  constructor(secret: string) {
    this.#secret = secret;
  }

  write({ createdAt, id }: Position, page: PageOf): string {
    return this.#seal([1, createdAt, id], page);
  }

  read(cursor: string, page: PageOf): Position {
    const [, createdAt, id] = Cursor.parse(this.#open(cursor, page));
    return { createdAt, id };
  }

  /** Writes the cursor of a list whose rows are counted: the number of rows before the page. */
  writeOffset(offset: number, page: PageOf): string {
    return this.#seal([2, offset], page);
  }

  readOffset(cursor: string, page: PageOf): number {
    return OffsetCursor.parse(this.#open(cursor, page))[1];
  }

  #seal(value: unknown, page: PageOf): string {
    const body = Buffer.from(JSON.stringify(value));
    return Buffer.concat([this.#sign(body, page), body]).toString('base64url');
  }

  #open(cursor: string, page: PageOf): unknown {
    const bytes = Buffer.from(cursor, 'base64url');
    const [signature, body] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)];
    // The decoder skips characters outside base64; a cursor has one spelling.
    const isOurs =
      bytes.toString('base64url') === cursor &&
      signature.length === SIGNATURE_BYTES &&
      timingSafeEqual(signature, this.#sign(body, page));
    if (!isOurs) throw cursorInvalid();
    return JSON.parse(body.toString());
  }

  #sign(body: Buffer, { list, accountId, filters }: PageOf): Buffer {
    const given = Object.entries(filters).filter(([, value]) => value !== undefined);
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify([list, accountId, given]))
      .update(body)
      .digest()
      .subarray(0, SIGNATURE_BYTES);
  }
}

const cursorInvalid = () => DomainError.of('cursor_invalid');
