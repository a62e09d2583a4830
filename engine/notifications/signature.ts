/** Standard Webhooks 1.0: what is signed is `<id>.<timestamp>.<body>`, by HMAC-SHA256, once with each secret in use. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;
export const SECRET_PREFIX = 'whsec_';

/** A secret of a webhook. */
export const newSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** One that is replaced is signed with until then, so that the receiver may change over. */
export type SigningSecret = { readonly secret: string; readonly until: string | null };

/** The secrets in use at this moment. */
export const secretsInUse = (secrets: readonly SigningSecret[], now: Date): string[] =>
  secrets.filter(({ until }) => until === null || new Date(until) > now).map(({ secret }) => secret);

/** The headers of a delivery. */
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
