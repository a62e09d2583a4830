import { createHmac, randomBytes } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';
import { getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { isDigest, isSealed, type SecondFactorKey } from './second-factor-key.ts';
import { matchingTimeStep } from './totp.ts';

/** The issuer that an authenticator app displays. */
export const ISSUER = 'Desk';
/** Wrong codes in a row, over all sign-ins of a user, before codes are refused for the time below. */
export const WRONG_CODES_MAX = 10;
const LOCKED_SEC = 3_600;

export type SecondFactorOptions = {
  /** The framework's secret. */
  secret: string;
  /** Seals second factors; null without `CREDENTIAL_KEYS`: then the secret encrypts them. */
  key: SecondFactorKey | null;
  /** Stores the period of a user's code, and returns whether it is later than that of every code before. */
  noteCode: (userId: string, counter: number) => Promise<boolean>;
};

/** Codes of an authenticator, and recovery codes, which are stored as digests only. */
export function secondFactor({ secret, key }: SecondFactorOptions) {
  const plugin = twoFactor({
    issuer: ISSUER,
    accountLockout: { maxFailedAttempts: WRONG_CODES_MAX, durationSeconds: LOCKED_SEC },
    backupCodeOptions: {
      storeBackupCodes: {
        encrypt: async (codes) => JSON.stringify(digestsOf(codes, secret, key)),
        decrypt: async (stored) => stored,
      },
    },
  });
  const { fields } = plugin.schema.twoFactor;
  const transform = { input: sealing(secret, key), output: opening(secret, key) };
  return {
    ...plugin,
    schema: {
      ...plugin.schema,
      twoFactor: { fields: { ...fields, secret: { ...fields.secret, transform } } },
    },
  };
}

/** Seals secrets that the framework encrypted under its own secret. */
const sealing = (secret: string, key: SecondFactorKey | null) => async (value: unknown) => {
  const text = String(value);
  return key ? key.seal(await symmetricDecrypt({ key: secret, data: text })) : text;
};

/**
 * Returns a value that the framework can decrypt. A secret that cannot be opened becomes a random one: no code is right for it.
 */
const opening = (secret: string, key: SecondFactorKey | null) => async (value: unknown) => {
  const text = String(value);
  const plain = isSealed(text)
    ? (key?.open(text) ?? null)
    : await symmetricDecrypt({ key: secret, data: text }).catch(() => null);
  if (plain !== null && !isSealed(text)) return text;
  return symmetricEncrypt({ key: secret, data: plain ?? randomBytes(32).toString('base64url') });
};

/** Prefix of a digest under the framework's secret, as all digests were before there was a key. */
const UNDER_SECRET = 'hmac:';

const digestUnderSecret = (secret: string, code: string): string =>
  UNDER_SECRET + createHmac('sha256', secret).update(`recovery code ${code.trim()}`).digest('base64url');

/** Reads the list of new codes, or the digests left after one was used. */
function digestsOf(codes: string, secret: string, key: SecondFactorKey | null): string[] {
  const each = JSON.parse(codes) as string[];
  return each.map((code) => {
    if (code.startsWith(UNDER_SECRET) || isDigest(code)) return code;
    return key ? key.digest(code) : digestUnderSecret(secret, code);
  });
}

type StoredFactor = { userId: string; secret: string; backupCodes: string };

/** Prepares submitted codes of second factors for the framework's check. */
export const secondFactorCodes = ({ secret, key, noteCode }: SecondFactorOptions) => ({
  /** Replaces an authenticator's code that was used before by one that is never right: RFC 6238, 5.2. */
  async unused(context: GenericEndpointContext, code: string): Promise<string> {
    const stored = await storedFactorOf(context);
    if (!stored) return code;
    const plain = await symmetricDecrypt({ key: secret, data: stored.secret });
    const counter = matchingTimeStep(plain, code, Date.now());
    return counter === null || (await noteCode(stored.userId, counter)) ? code : 'used';
  },

  /** Returns the digest of a recovery code, in the form of its user's digests. */
  async recovery(context: GenericEndpointContext, code: string): Promise<string> {
    const older = digestUnderSecret(secret, code);
    if (key === null) return older;
    const stored = await storedFactorOf(context);
    return stored?.backupCodes.includes(older) ? older : key.digest(code);
  },
});

/** Returns the second factor of the answering user: from a session, or from a sign-in that waits for its code. */
async function storedFactorOf(context: GenericEndpointContext): Promise<StoredFactor | null> {
  const userId = (await getSessionFromCtx(context))?.user.id ?? (await challengedUser(context));
  if (!userId) return null;
  return context.context.adapter.findOne<StoredFactor>({
    model: 'twoFactor',
    where: [{ field: 'userId', value: userId }],
  });
}

async function challengedUser(context: GenericEndpointContext): Promise<string | null> {
  const { name } = context.context.createAuthCookie('two_factor');
  const challenge = await context.getSignedCookie(name, context.context.secret);
  if (!challenge) return null;
  return (await context.context.internalAdapter.findVerificationValue(challenge))?.value ?? null;
}
