import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { z } from 'zod';
import { systemDb } from '../../../db/pool.ts';
import type { DomainError } from '../../../engine/platform/errors.ts';
import type { OauthAddresses } from '../../../engine/usecases/oauth/addresses.ts';
import { registerClient } from '../../../engine/usecases/oauth/clients.ts';
import { OPEN_BODY_BYTES_MAX } from '../../../openapi/body.ts';
import { toDomainError } from '../../../routers/errors.ts';
import type { AnonymousRequests } from '../../http-kit/anonymous-requests.ts';
import type { ServiceLimits } from '../../http-kit/call-rate-limiter.ts';
import { readText } from '../../http-kit/read-text.ts';
import { contextOf } from '../../http-kit/requests.ts';
import { answer, OauthError, refuse, refuseAs } from './answers.ts';
import { issuerMetadata, PATHS, resourceMetadata } from './metadata.ts';
import { exchange, revoke, type TokenServices } from './token.ts';

export type OauthOptions = {
  addresses: OauthAddresses;
  services: TokenServices;
  limits: ServiceLimits;
  anonymous: AnonymousRequests;
  /** Counts and logs refusals. */
  onError: (request: IncomingMessage, error: DomainError) => void;
};

/** A client's own words about itself; other fields are ignored. */
const Registration = z.object({
  redirect_uris: z.array(z.string()),
  client_name: z.string().max(10_000).optional(),
});

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/**
 * Serves OAuth 2.1 for clients of the Model Context Protocol. They register themselves, and a person grants access on a page of
 * the console. They redeem the code for the tokens of an API key. Nothing of a query or body is logged.
 */
export function oauthRoutes({ addresses, services, limits, anonymous, onError }: OauthOptions): Router {
  const guarded =
    (handle: Handler): Handler =>
    async (request, response) => {
      try {
        const refusal = await anonymous.count(request);
        if (refusal !== null) throw refusal;
        await handle(request, response);
      } catch (thrown) {
        if (thrown instanceof OauthError) return refuse(response, thrown);
        const error = toDomainError(thrown);
        onError(request, error);
        refuseAs(response, error);
      }
    };
  const formOf = async (request: IncomingMessage) => ({
    form: new URLSearchParams(await readText(request, OPEN_BODY_BYTES_MAX)),
    requestId: contextOf(request).requestId,
  });
  /** Counts refused secrets like refused keys. */
  const counted = async <Result>(request: IncomingMessage, task: Promise<Result>): Promise<Result> => {
    try {
      return await task;
    } catch (error) {
      if (error instanceof OauthError && error.code === 'invalid_grant')
        await limits.consumeAuthFailure(contextOf(request).address);
      throw error;
    }
  };
  return Router({ caseSensitive: true, strict: true })
    .get('/.well-known/oauth-protected-resource/mcp', (_request, response) =>
      answer(response, 200, resourceMetadata(addresses)),
    )
    .get('/.well-known/oauth-authorization-server', (_request, response) =>
      answer(response, 200, issuerMetadata(addresses)),
    )
    .get(PATHS.authorize, guarded(toConsentPage(addresses)))
    .post(
      PATHS.register,
      guarded(async (request, response) => {
        await limits.countRegistration(contextOf(request).address);
        answer(response, 201, await register(services, await readText(request, OPEN_BODY_BYTES_MAX)));
      }),
    )
    .post(
      PATHS.token,
      guarded(async (request, response) => {
        const tokens = await counted(request, exchange(services, addresses, await formOf(request)));
        answer(response, 200, {
          access_token: tokens.accessToken,
          token_type: 'Bearer',
          expires_in: tokens.expiresInSec,
          refresh_token: tokens.refreshToken,
          scope: tokens.scopes.join(' '),
        });
      }),
    )
    .post(
      PATHS.revoke,
      guarded(async (request, response) => {
        await revoke(services, await formOf(request));
        answer(response, 200, {});
      }),
    );
}

/** Leads to the page that asks the person. It gets the request as one word, because pages read numbers out of their query. */
const toConsentPage =
  ({ issuer }: OauthAddresses): Handler =>
  (request, response) => {
    const query = new URL(contextOf(request).originalUrl, issuer).search.slice(1);
    const target = new URL('/connect', issuer);
    target.searchParams.set('request', Buffer.from(query).toString('base64url'));
    response.writeHead(302, { Location: target.href });
    response.end();
  };

async function register({ requests }: TokenServices, text: string): Promise<object> {
  const { data } = Registration.safeParse(parsed(text));
  if (data === undefined)
    throw new OauthError('invalid_client_metadata', 'Send JSON with redirect_uris, a list of addresses.');
  const client = await registerClient(systemDb(requests), {
    name: data.client_name,
    redirectUris: data.redirect_uris,
  });
  if (client === null)
    throw new OauthError(
      'invalid_redirect_uri',
      'Give 1 to 10 addresses with https:, or with http: on localhost, without a fragment, of at most 2000 characters each and 4000 together.',
    );
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
