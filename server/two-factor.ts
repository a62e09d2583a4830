import { createHmac } from 'node:crypto';
import { twoFactor } from 'better-auth/plugins/two-factor';

/** What an authenticator shows the code under. */
export const ISSUER = 'Desk';
/** So many wrong codes in a row, over all sign-ins of a user, and none is looked at for so long. */
export const WRONG_CODES_MAX = 10;
const LOCKED_SEC = 3_600;

/** Codes of an authenticator, and recovery codes of which only digests are kept. */
export const secondFactor = (secret: string) =>
  twoFactor({
    issuer: ISSUER,
    accountLockout: { maxFailedAttempts: WRONG_CODES_MAX, durationSeconds: LOCKED_SEC },
    backupCodeOptions: {
      storeBackupCodes: {
        encrypt: async (codes) => JSON.stringify(digestsOf(secret, codes)),
        decrypt: async (kept) => kept,
      },
    },
  });

/** No code that is made looks like it. */
const MARK = 'hmac:';

/** What is kept of a recovery code, and what is looked up in its place. */
export const recoveryDigest = (secret: string, code: string): string =>
  MARK + createHmac('sha256', secret).update(`recovery code ${code.trim()}`).digest('base64url');

/** The list of new codes, or what is left of the digests once one was used. */
function digestsOf(secret: string, codes: string): string[] {
  const each = JSON.parse(codes) as string[];
  return each.map((code) => (code.startsWith(MARK) ? code : recoveryDigest(secret, code)));
}
