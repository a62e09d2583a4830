import { LOOPBACK } from './redirect-uri.ts';

/** The addresses by which clients know this service. */
export type OauthAddresses = {
  /** The service as the issuer of tokens. */
  readonly issuer: string;
  /** The resource that tokens are valid for: the address of the Model Context Protocol. */
  readonly resource: string;
  /** The document that leads a client from the resource to its issuer (RFC 9728). */
  readonly resourceMetadata: string;
};

/**
 * Returns the addresses of a service at this one; null where tokens would cross a network in the clear: then no client can
 * connect. Pure.
 */
export function oauthAddresses(publicUrl: string): OauthAddresses | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  if (protocol !== 'https:' && !LOOPBACK.has(hostname)) return null;
  return {
    issuer: origin,
    resource: `${origin}/mcp`,
    resourceMetadata: `${origin}/.well-known/oauth-protected-resource/mcp`,
  };
}
