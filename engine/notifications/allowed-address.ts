/** Addresses that the service may send to: none inside a private network. */
import ipaddr from 'ipaddr.js';

export type AddressPolicy = {
  /** Development: `http:` and the machine itself are allowed, so that a receiver can be tested. */
  readonly isLoopbackAllowed: boolean;
};

const LOOPBACK_NAMES = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
export const URL_LENGTH_MAX = 2_000;

/**
 * Says why notifications cannot be sent to an address, as the end of a sentence; null if they can. `hosts`: the only ones that
 * are allowed, beside the machine itself in development. Pure.
 */
export function urlProblem(
  text: string,
  { isLoopbackAllowed }: AddressPolicy,
  hosts?: readonly string[],
): string | null {
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
  if (ipaddr.isValid(bare) && !isAddressAllowed(bare, { isLoopbackAllowed })) {
    return 'must be a public address: this one is private or has a special use';
  }
  if (hosts !== undefined && !hosts.includes(hostname))
    return `must be at ${hosts.join(' or ')}: for ${hostname}, add a webhook`;
  return null;
}

/**
 * Whether the service may send to this IP address: public unicast only. An IPv4-mapped IPv6 address is checked as IPv4.
 * Tunneled or translated addresses and those of special use are refused. Pure.
 */
export function isAddressAllowed(address: string, { isLoopbackAllowed }: AddressPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (isLoopbackAllowed && range === 'loopback') return true;
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST));
}

/** The only public range of IPv6: all other addresses have a special use, or are reserved. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
