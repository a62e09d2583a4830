import type { Mode } from '../db/vocabulary.ts';
import type { LiveScope, Scope } from './scopes.ts';

/** The caller: an API key or a web session in one type, so that no procedure distinguishes them. */
export type Principal = {
  kind: 'key' | 'session';
  accountId: string;
  /** The mode of the books that it reads and changes. */
  mode: Mode;
  /** Id of the key or session; limits are counted by it. */
  id: string;
  /** As audit rows name it: `key:<key id>` or `session:<user id>`. */
  actor: string;
  /** For the log: the key's first characters, or `session`. */
  label: string;
  /** A session holds every scope of its own account. */
  scopes: ReadonlySet<Scope | LiveScope>;
};

/** The separate counters of limits. */
export const BUCKETS = ['read', 'write', 'market_data', 'brake'] as const;
export type Bucket = (typeof BUCKETS)[number];

/**
 * The permitted callers of a procedure; the guard and the document both read it. An `open` procedure with a bucket is counted
 * by address. `session` takes a web session only, or also a key that holds `orScope`. `orAnyOf` are further scopes, any of
 * which also lets a key in: the procedure then answers what that scope reads. `also` is a scope that a key needs, too. The answer of a `heavy` procedure may be
 * megabytes: each account runs few at once.
 */
export type Access =
  | { kind: 'open'; bucket?: 'form' }
  /** For all but operators it does not exist: it checks its callers itself, and no body of others is read. */
  | { kind: 'open'; bucket?: undefined; isOfOperators: true }
  | { kind: 'scope'; scope: Scope; orAnyOf?: readonly Scope[]; also?: Scope; bucket?: Bucket; heavy?: true }
  | { kind: 'session'; orScope?: Scope; bucket?: Bucket; heavy?: true };

/** The scopes of which a key needs one; none if no key may call or the operation is open. */
export function scopesOf(access: Access): Scope[] {
  const scope = scopeOf(access);
  const others = access.kind === 'scope' ? (access.orAnyOf ?? []) : [];
  return scope === null ? [] : [...new Set([scope, ...others])];
}

/** The scope a key needs; null if no key may call or no sign-in is needed. */
export const scopeOf = (access: Access): Scope | null =>
  access.kind === 'scope' ? access.scope : access.kind === 'session' ? (access.orScope ?? null) : null;

/** The scopes that a key needs together; none if no key may call or no sign-in is needed. */
export function scopesTogether(access: Access): Scope[] {
  const scope = scopeOf(access);
  const also = access.kind === 'scope' ? access.also : undefined;
  return [scope, also].filter((each) => each !== null && each !== undefined);
}
