import { z } from 'zod';
import type { Work } from '../../../engine/platform/context.ts';
import { DomainError } from '../../../engine/platform/errors.ts';
import type { OauthAddresses } from '../../../engine/usecases/oauth/addresses.ts';
import { findClient } from '../../../engine/usecases/oauth/clients.ts';
import { type AccessRequest, readAccessRequest } from '../../../engine/usecases/oauth/request.ts';
import { CLIENT_SCOPES } from '../../scopes.ts';

/** The query of a request for access, as base64url. */
export const RequestText = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);
export const ClientScopes = z.array(z.enum(CLIENT_SCOPES));

type RequestContext = { readonly work: Work; readonly oauth: OauthAddresses | null };

/**
 * Reads a client's request for access.
 *
 * @throws DomainError `validation_failed` if nothing may be sent to the request's address.
 */
export async function readRequest(
  { work, oauth }: RequestContext,
  text: string,
): Promise<{ issuer: string; access: AccessRequest }> {
  const query = new URLSearchParams(Buffer.from(text, 'base64url').toString());
  const client = oauth && (await findClient(work.db, query.get('client_id') ?? ''));
  if (!client)
    throw new DomainError(
      'validation_failed',
      'This client is not registered here, or not any more. Start again in the program that sent you.',
    );
  const defaultScopes = CLIENT_SCOPES.filter((scope) => scope.endsWith(':read'));
  const policy = { resource: oauth.resource, scopes: CLIENT_SCOPES, defaultScopes };
  const access = readAccessRequest(client, query, policy);
  if (access === null)
    throw new DomainError(
      'validation_failed',
      'The address to return to is not one that this client has registered: nothing is sent there.',
    );
  return { issuer: oauth.issuer, access };
}
