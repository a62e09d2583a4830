/** Where the service may be made to send something: nowhere inside of anybody's network. */
import ipaddr from 'ipaddr.js';

export type AddressPolicy = {
  /** Development: `http:` and this machine itself are fine, so that a receiver can be tried out. */
  readonly isLoopbackAllowed: boolean;
};

const LOOPBACK_NAMES = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
export const URL_LENGTH_MAX = 2_000;

/** What is wrong with an address somebody wants to be told at, as the end of a sentence; null where nothing is. Pure. */
export function urlProblem(text: string, { isLoopbackAllowed }: AddressPolicy): string | null {
  if (text.length > URL_LENGTH_MAX) return `must have at most ${URL_LENGTH_MAX} characters`;
  if (!URL.canParse(text)) return 'is not a URL such as https://example.com/hook';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'must not hold a user name or a password';
  if (LOOPBACK_NAMES.test(hostname)) {
    if (!isLoopbackAllowed) return 'must be reachable from outside: this is the machine itself';
    return protocol === 'https:' || protocol === 'http:' ? null : 'must be an https: URL';
  }
  if (protocol !== 'https:') return 'must be an https: URL';
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(bare) && !isAllowed(bare, { isLoopbackAllowed })) {
    return 'must be a public address: this one is private or has a special use';
  }
  return null;
}

/**
 * Whether something may be sent to this IP address: public unicast alone. An IPv4 address in the dress of IPv6 is judged as what
 * it is; what is tunneled or translated is refused with all that has a special use. Pure.
 */
export function isAllowed(address: string, { isLoopbackAllowed }: AddressPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (isLoopbackAllowed && range === 'loopback') return true;
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST));
}

/** The only part of IPv6 that is given out for the public: all outside of it is special, or will be. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
