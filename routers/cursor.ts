import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { DomainError } from '../engine/errors.ts';

/** Where the next page starts: after this row, newest first. */
export type Position = { createdAt: string; id: string };

const Cursor = z.tuple([z.literal(1), z.iso.datetime({ offset: true }), z.uuid(), z.string()]);
const SIGNATURE_BYTES = 8;
export const CURSOR_LENGTH_MAX = 400;

/**
 * Writes and reads the opaque cursor of a list. It is signed and bound to the account and the filters it was
 * given for, so that one made up, borrowed or used with other filters is refused instead of skipping rows.
 */
export class Cursors {
  readonly #secret: string;
  constructor(secret: string) {
    this.#secret = secret;
  }

  write(position: Position, accountId: string, filters: Record<string, unknown>): string {
    const body = Buffer.from(JSON.stringify([1, position.createdAt, position.id, filterKey(filters)]));
    const signature = this.#sign(body, accountId);
    return Buffer.concat([signature, body]).toString('base64url');
  }

  read(cursor: string, accountId: string, filters: Record<string, unknown>): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    const [signature, body] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)];
    if (signature.length !== SIGNATURE_BYTES || !timingSafeEqual(signature, this.#sign(body, accountId))) {
      throw cursorInvalid();
    }
    const [, createdAt, id, key] = Cursor.parse(JSON.parse(body.toString()));
    if (key !== filterKey(filters)) throw cursorInvalid();
    return { createdAt, id };
  }

  #sign(body: Buffer, accountId: string): Buffer {
    return createHmac('sha256', this.#secret)
      .update(accountId)
      .update(body)
      .digest()
      .subarray(0, SIGNATURE_BYTES);
  }
}

const filterKey = (filters: Record<string, unknown>): string =>
  JSON.stringify(Object.entries(filters).filter(([, value]) => value !== undefined));

const cursorInvalid = () =>
  new DomainError(
    'cursor_invalid',
    'This cursor is not one of ours for this list and these filters. Start again without `cursor`.',
  );
