import type { OauthAddresses } from '../../../engine/usecases/oauth/addresses.ts';
import { CLIENT_SCOPES } from '../../../routers/scopes.ts';

/** The paths of the endpoints. */
export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** The description of the resource for clients (RFC 9728). */
export const resourceMetadata = ({ issuer, resource }: OauthAddresses) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: CLIENT_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Trading-Strategy Service',
  resource_documentation: `${issuer}/docs/guides/integrators`,
});

/** The description of the issuer of tokens for clients (RFC 8414). */
export const issuerMetadata = ({ issuer }: OauthAddresses) => ({
  issuer,
  authorization_endpoint: issuer + PATHS.authorize,
  token_endpoint: issuer + PATHS.token,
  registration_endpoint: issuer + PATHS.register,
  revocation_endpoint: issuer + PATHS.revoke,
  scopes_supported: CLIENT_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs/guides/integrators`,
});
