import { createHmac, randomBytes } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';
import { getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { isDigest, isSealed, type SecondFactorKey } from './second-factor-key.ts';
import { counterOf } from './totp.ts';

/** What an authenticator shows the code under. */
export const ISSUER = 'Desk';
/** So many wrong codes in a row, over all sign-ins of a user, and none is looked at for so long. */
export const WRONG_CODES_MAX = 10;
const LOCKED_SEC = 3_600;

export type SecondFactorOptions = {
  /** The framework's secret. */
  secret: string;
  /** Seals second factors; null where there are no `CREDENTIAL_KEYS`: they are kept under the secret then. */
  key: SecondFactorKey | null;
  /** Notes the period of a user's code, and returns whether it is later than that of every code before. */
  noteCode: (userId: string, counter: number) => Promise<boolean>;
};

/** Codes of an authenticator, and recovery codes of which only digests are kept. */
export function secondFactor({ secret, key }: SecondFactorOptions) {
  const plugin = twoFactor({
    issuer: ISSUER,
    accountLockout: { maxFailedAttempts: WRONG_CODES_MAX, durationSeconds: LOCKED_SEC },
    backupCodeOptions: {
      storeBackupCodes: {
        encrypt: async (codes) => JSON.stringify(digestsOf(codes, secret, key)),
        decrypt: async (kept) => kept,
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

/** Seals what the framework encrypted under its own secret. */
const sealing = (secret: string, key: SecondFactorKey | null) => async (value: unknown) => {
  const text = String(value);
  return key ? key.seal(await symmetricDecrypt({ key: secret, data: text })) : text;
};

/** Answers what the framework can decrypt. A secret that cannot be opened becomes a random one: no code is right for it. */
const opening = (secret: string, key: SecondFactorKey | null) => async (value: unknown) => {
  const text = String(value);
  const plain = isSealed(text)
    ? (key?.open(text) ?? null)
    : await symmetricDecrypt({ key: secret, data: text }).catch(() => null);
  if (plain !== null && !isSealed(text)) return text;
  return symmetricEncrypt({ key: secret, data: plain ?? randomBytes(32).toString('base64url') });
};

/** Begins a digest under the framework's secret, as every digest was before there was a key. */
const UNDER_SECRET = 'hmac:';

const digestUnderSecret = (secret: string, code: string): string =>
  UNDER_SECRET + createHmac('sha256', secret).update(`recovery code ${code.trim()}`).digest('base64url');

/** The list of new codes, or what is left of the digests once one was used. */
function digestsOf(codes: string, secret: string, key: SecondFactorKey | null): string[] {
  const each = JSON.parse(codes) as string[];
  return each.map((code) => {
    if (code.startsWith(UNDER_SECRET) || isDigest(code)) return code;
    return key ? key.digest(code) : digestUnderSecret(secret, code);
  });
}

type Kept = { userId: string; secret: string; backupCodes: string };

/** Returns the codes that a second factor is answered by, as the framework may look at them. */
export const secondFactorCodes = ({ secret, key, noteCode }: SecondFactorOptions) => ({
  /** A code of an authenticator that was used before becomes one that is never right: RFC 6238, 5.2. */
  async unused(context: GenericEndpointContext, code: string): Promise<string> {
    const kept = await keptOf(context);
    if (!kept) return code;
    const plain = await symmetricDecrypt({ key: secret, data: kept.secret });
    const counter = counterOf(plain, code, Date.now());
    return counter === null || (await noteCode(kept.userId, counter)) ? code : 'used';
  },

  /** The digest of a recovery code, in the form that its user's digests have. */
  async recovery(context: GenericEndpointContext, code: string): Promise<string> {
    const older = digestUnderSecret(secret, code);
    if (key === null) return older;
    const kept = await keptOf(context);
    return kept?.backupCodes.includes(older) ? older : key.digest(code);
  },
});

/** The second factor of the user who answers: of a session, or of a sign-in that waits for its code. */
async function keptOf(context: GenericEndpointContext): Promise<Kept | null> {
  const userId = (await getSessionFromCtx(context))?.user.id ?? (await challengedUser(context));
  if (!userId) return null;
  return context.context.adapter.findOne<Kept>({
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
