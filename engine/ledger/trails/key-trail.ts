/** Follows API keys through the audit trail: their rights, their expiry, and their revocation. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../db/json.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import type { AuditRow, KeyRow, Report } from '../rows.ts';

export const KEY_ACTIONS = ['api_key.created', 'api_key.rotated', 'api_key.revoked'] as const;

/** Rows of keys without spending limits state no mode. */
type Created = {
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly mode?: Mode;
  readonly envelope?: Json;
  /** The connected client that it was made for. */
  readonly client?: { readonly id: string };
};
type Rotated = { readonly replacedBy: string; readonly expiresAt: string };
type Before = { readonly expiresAt: string | null } | null;

export class KeyTrail {
  readonly #created = new Map<string, Created>();
  /** For each key, the one it replaced. */
  readonly #replaced = new Map<string, string>();
  readonly #expiries = new Map<string, string | null>();
  readonly #revoked = new Set<string>();
  #isErased = false;

  /** Takes the next row. The order of rows does not matter. */
  take({ action, subject_id: id, before, after }: AuditRow): void {
    if (after === null) this.#isErased = true;
    if (after === null || id === null) return;
    if (action === 'api_key.revoked') this.#revoked.add(id);
    if (action === 'api_key.created') this.#created.set(id, after as Json & Created);
    if (action !== 'api_key.rotated') return;
    const { replacedBy, expiresAt } = after as Json & Rotated;
    this.#replaced.set(replacedBy, id);
    this.#expire(id, expiresAt);
    this.#expire(replacedBy, (before as Before)?.expiresAt ?? null);
  }

  /** Compares the keys of one mode with all rows taken. */
  compare(rows: readonly KeyRow[], mode: Mode, report: Report): void {
    for (const row of rows) this.#compareRow(row, mode, report);
    const existing = new Set(rows.map(({ id }) => id));
    for (const id of [...this.#created.keys(), ...this.#replaced.keys()])
      if (!existing.has(id) && this.#madeAs(id)?.mode === mode)
        report('api_key', id, 'row', 'a key of the audit trail', 'gone');
  }

  #compareRow(
    { id, scopes, envelope, expires_at, revoked_at, client_id }: KeyRow,
    mode: Mode,
    report: Report,
  ): void {
    const isRevoked = revoked_at !== null;
    if (this.#isErased) {
      if (!isRevoked) report('api_key', id, 'revokedAt', 'before its account was erased', 'none');
      return;
    }
    const made = this.#madeAs(id);
    if (made === undefined) {
      report('api_key', id, 'row', 'a creation in the audit trail', 'none');
      return;
    }
    const compare = (field: string, expected: unknown, actual: unknown) => {
      if (!isDeepStrictEqual(expected, actual))
        report('api_key', id, field, JSON.stringify(expected) ?? 'none', JSON.stringify(actual));
    };
    compare('scopes', made.scopes, scopes);
    compare('mode', made.mode ?? mode, mode);
    compare('envelope', made.envelope ?? null, envelope);
    // Tokens of a client stand for the key of its grant.
    if (client_id !== null) compare('client', this.#created.get(id)?.client?.id, client_id);
    if (this.#revoked.has(id) && !isRevoked) report('api_key', id, 'revokedAt', 'revoked', 'none');
    const expiresAt = this.#expiries.get(id) ?? made.expiresAt;
    if (expiresAt !== null && (expires_at === null || Date.parse(expires_at) > Date.parse(expiresAt)))
      report('api_key', id, 'expiresAt', expiresAt, expires_at ?? 'never');
  }

  /** A key that replaced another has the rights of the first one. */
  #madeAs(id: string): Created | undefined {
    let first = id;
    for (let steps = 0; steps <= this.#replaced.size; steps++) first = this.#replaced.get(first) ?? first;
    return this.#created.get(first);
  }

  /** Stores the earlier of two moments; null is never. */
  #expire(id: string, at: string | null): void {
    const known = this.#expiries.get(id);
    if (at === null || (known != null && Date.parse(known) <= Date.parse(at))) return;
    this.#expiries.set(id, at);
  }
}
