import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tsk_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECK_LENGTH = 6;
const SECRET_BYTES = 32;
const TOKEN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`);
/** A CRC32 in base62 begins with one of the first five digits. Those after them name the cells from 1 on. */
const DIGITS_OF_CELL_0 = 5;
const CHECKS_OF_CELL = 62 ** (CHECK_LENGTH - 1);
/** The highest number of a cell that fits into a key. */
export const CELL_MAX = BASE62.length - DIGITS_OF_CELL_0;

/**
 * Creates an API key: `tsk_`, 43 random base62 characters (256 bits), 6 of CRC32. With the checksum, we and secret scanners
 * reject a mistyped or invented key without a database query. The first of the six names the cell, so that a proxy can route by
 * it. In cell 0 it is that of the CRC32, `0` to `4`, as in keys from before cells.
 */
export function newToken(cell = 0): string {
  const body = PREFIX + randomBase62(SECRET_LENGTH);
  return body + checksum(body, cell);
}

/** 256 random bits as 43 characters of base64url: a secret of another kind than keys. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Whether a string has the form of our keys. */
export function isToken(text: string): boolean {
  if (!TOKEN.test(text)) return false;
  const check = text.slice(-CHECK_LENGTH);
  return checksum(text.slice(0, -CHECK_LENGTH), cellOfDigit(check.charAt(0))) === check;
}

const cellOfDigit = (digit: string): number => Math.max(0, BASE62.indexOf(digit) - DIGITS_OF_CELL_0 + 1);

/**
 * Returns the stored form of a key. A plain SHA-256 suffices for a secret of 256 random bits (NIST SP 800-63B-4,
 * 3.1.2.2); salt and slow hashing are for passwords.
 */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Generates characters without bias: bytes from the largest multiple of 62 on are discarded. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

function checksum(body: string, cell: number): string {
  const crc = crc32(body, cell); // with another cell, another check: a key of one cannot be made into one of the other
  let rest = cell === 0 ? crc : (cell + DIGITS_OF_CELL_0 - 1) * CHECKS_OF_CELL + (crc % CHECKS_OF_CELL);
  let text = '';
  for (let index = 0; index < CHECK_LENGTH; index++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
