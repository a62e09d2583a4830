/** Printable ASCII, 2,000 characters at most: a parser of addresses drops or encodes others. */
const URI_TEXT = /^[\x21-\x7e]{1,2000}$/;
const REDIRECT_URIS_MAX = 10;
/** Limit of all addresses of a client together, characters. */
const REDIRECT_URIS_LENGTH_MAX = 4_000;

/** The user's own machine, as a host of an address. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a code may be sent to an address: HTTPS, or HTTP on the user's own machine. No other scheme: any program may claim it.
 * Pure.
 */
function isRedirectUri(text: string): boolean {
  if (!URI_TEXT.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, hash, username, password } = new URL(text);
  if (hash !== '' || text.includes('#') || username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/** Whether a client can be registered with these addresses. Pure. */
export const areRedirectUris = (texts: readonly string[]): boolean =>
  texts.length > 0 &&
  texts.length <= REDIRECT_URIS_MAX &&
  texts.join('').length <= REDIRECT_URIS_LENGTH_MAX &&
  texts.every(isRedirectUri);

/** Whether a requested address is a registered one. On the user's own machine the port may differ (RFC 8252, 7.3). Pure. */
export function isRegistered(requested: string, registered: readonly string[]): boolean {
  if (!isRedirectUri(requested)) return false;
  return registered.some((each) => each === requested || isSameButPort(new URL(each), new URL(requested)));
}

function isSameButPort(one: URL, other: URL): boolean {
  if (one.protocol !== 'http:' || !LOOPBACK.has(one.hostname)) return false;
  const portless = ({ protocol, hostname, pathname, search }: URL) =>
    [protocol, hostname, pathname, search].join(' ');
  return portless(one) === portless(other);
}
