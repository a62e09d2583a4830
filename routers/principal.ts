import type { Mode } from '../db/vocabulary.ts';
import type { LiveScope, Scope } from './scopes.ts';

/** Who asks: an API key or a web session, made one thing, so that no procedure cares which. */
export type Principal = {
  kind: 'key' | 'session';
  accountId: string;
  /** Whose books it sees and moves. */
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

/** What limits count, apart from each other. */
export const BUCKETS = ['read', 'write', 'market_data', 'brake'] as const;
export type Bucket = (typeof BUCKETS)[number];

/**
 * Callers of a procedure; the guard and the document both read it. An open one with a bucket is counted by address. `session`
 * takes a web session only, or also a key that holds `orScope`. `orAnyOf` are scopes of which any also lets a key in: the
 * procedure then answers what that scope reads. The answer of a `heavy` one may be megabytes: few of an
 * account are under way at once.
 */
export type Access =
  | { kind: 'open'; bucket?: 'form' }
  | { kind: 'scope'; scope: Scope; orAnyOf?: readonly Scope[]; bucket?: Bucket; heavy?: true }
  | { kind: 'session'; orScope?: Scope; bucket?: Bucket; heavy?: true };

/** The scopes of which a key needs any; none where no key may call or the operation is open. */
export function scopesOf(access: Access): Scope[] {
  const scope = scopeOf(access);
  const others = access.kind === 'scope' ? (access.orAnyOf ?? []) : [];
  return scope === null ? [] : [...new Set([scope, ...others])];
}

/** The scope a key needs, or null where no key may call or nobody has to be known. */
export const scopeOf = (access: Access): Scope | null =>
  access.kind === 'scope' ? access.scope : access.kind === 'session' ? (access.orScope ?? null) : null;
