import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tsk_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECK_LENGTH = 6;
const TOKEN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`);

/**
 * A new API key: `tsk_`, 43 base62 characters of randomness (256 bits), 6 of CRC32. The checksum lets us and
 * secret scanners reject a mistyped or made-up key without asking the database.
 */
export function newToken(): string {
  const body = PREFIX + randomBase62(SECRET_LENGTH);
  return body + checksum(body);
}

/** Whether a string can be one of our keys at all. */
export function isToken(text: string): boolean {
  if (!TOKEN.test(text)) return false;
  return checksum(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/**
 * What is stored of a key. A plain SHA-256 suffices for a secret of 256 random bits (NIST SP 800-63B-4,
 * 3.1.2.2); salt and slow hashing are for passwords.
 */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Characters drawn without bias: a byte past the largest multiple of 62 is thrown away. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECK_LENGTH; place++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
