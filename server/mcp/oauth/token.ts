import { systemDb } from '../../../db/pool.ts';
import { openWork } from '../../../engine/platform/context.ts';
import type { OauthAddresses } from '../../../engine/usecases/oauth/addresses.ts';
import { findClient } from '../../../engine/usecases/oauth/clients.ts';
import { isResource } from '../../../engine/usecases/oauth/request.ts';
import {
  type FoundGrant,
  findGrant,
  type IssuedTokens,
  redeemCode,
  refreshTokens,
  revokeGrant,
} from '../../../engine/usecases/oauth/tokens.ts';
import type { Services } from '../../../routers/context.ts';
import { OauthError } from './answers.ts';

/** Strangers call: they have the share of requests, never the whole pool. */
export type TokenServices = Pick<Services, 'requests' | 'clock'>;
/** A form as it was sent, and the id of its request. */
export type TokenRequest = { readonly form: URLSearchParams; readonly requestId: string };

/**
 * Exchanges a code or a refresh token for tokens.
 *
 * @throws OauthError
 */
export async function exchange(
  services: TokenServices,
  { resource }: OauthAddresses,
  { form, requestId }: TokenRequest,
): Promise<IssuedTokens> {
  const clientId = await clientOf(services, form);
  if (!form.getAll('resource').every((each) => isResource(each, resource)))
    throw new OauthError('invalid_target', `Tokens are good for ${resource} only.`);
  switch (single(form, 'grant_type')) {
    case 'authorization_code': {
      const grant = await grantOf(services, required(form, 'code'));
      const tokens = await redeemCode(workOf(services, grant, grant.actor, requestId), grant.id, {
        clientId,
        codeVerifier: required(form, 'code_verifier'),
        redirectUri: single(form, 'redirect_uri') ?? undefined,
      });
      return tokens ?? refused();
    }
    case 'refresh_token': {
      const refreshToken = required(form, 'refresh_token');
      const grant = await grantOf(services, refreshToken);
      const work = workOf(services, grant, `key:${grant.keyId}`, requestId);
      const tokens = await refreshTokens(work, grant.id, { clientId, refreshToken });
      if (tokens === 'reused')
        throw new OauthError('invalid_grant', 'The refresh token was used before: the access is revoked.');
      return tokens === 'refused' ? refused() : tokens;
    }
    default:
      throw new OauthError('unsupported_grant_type', 'Use authorization_code or refresh_token.');
  }
}

/** Revokes the access behind a token. An unknown token is no error (RFC 7009). @throws OauthError */
export async function revoke(services: TokenServices, { form, requestId }: TokenRequest): Promise<void> {
  const clientId = await clientOf(services, form);
  const grant = await findGrant(systemDb(services.requests), required(form, 'token'));
  if (grant?.keyId == null) return;
  await revokeGrant(workOf(services, grant, `key:${grant.keyId}`, requestId), grant.id, clientId);
}

const refused = (): never => {
  throw new OauthError(
    'invalid_grant',
    'The code or token is unknown, expired, revoked, or of another client.',
  );
};

async function clientOf({ requests }: TokenServices, form: URLSearchParams): Promise<string> {
  const client = await findClient(systemDb(requests), required(form, 'client_id'));
  if (client === null)
    throw new OauthError('invalid_client', 'This client is not registered. Register again.');
  return client.id;
}

async function grantOf({ requests }: TokenServices, secret: string): Promise<FoundGrant> {
  return (await findGrant(systemDb(requests), secret)) ?? refused();
}

const workOf = (
  { requests, clock }: TokenServices,
  { accountId }: FoundGrant,
  actor: string,
  requestId: string,
) => openWork(requests, { accountId, mode: 'paper', actor, requestId, clock });

function single(form: URLSearchParams, name: string): string | null {
  const [value = null, ...others] = form.getAll(name);
  if (others.length > 0) throw new OauthError('invalid_request', `The parameter ${name} is there twice.`);
  return value;
}

function required(form: URLSearchParams, name: string): string {
  const value = single(form, name);
  if (value === null || value === '')
    throw new OauthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}
