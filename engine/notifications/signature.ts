/** Standard Webhooks 1.0: signs `<id>.<timestamp>.<body>` by HMAC-SHA256, once with each secret in use. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;
export const SECRET_PREFIX = 'whsec_';

/** Creates a secret of a webhook. */
export const newSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Creates the text with which a new webhook answers its test. */
export const newChallenge = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** `until`: a replaced secret still signs until then, so that the receiver can change over. */
export type SigningSecret = { readonly secret: string; readonly until: string | null };

/** Returns the secrets in use at `now`. */
export const secretsInUse = (secrets: readonly SigningSecret[], now: Date): string[] =>
  secrets.filter(({ until }) => until === null || new Date(until) > now).map(({ secret }) => secret);

/** Returns the headers of a delivery. */
export function signedHeaders(
  { id, body }: { id: string; body: string },
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}
