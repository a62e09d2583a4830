/** Follows venue connections through the audit trail: each change of state, hold and limits has a row there. Pure. */
import { CONNECTION_STATES, type ConnectionState } from '../../../db/vocabulary.ts';
import { exact } from '../../platform/decimal.ts';
import type { AuditRow, ConnectionRow, Report } from '../rows.ts';

const CREATED = 'venue_connection.created';
const CHANGED = 'venue_connection.changed';
export const CONNECTION_ACTIONS: readonly string[] = [
  CREATED,
  CHANGED,
  ...CONNECTION_STATES.map((state) => `venue_connection.${state}`),
];

type Limits = Partial<Record<'maxOrder' | 'maxDay' | 'maxOpenNotional', string | null>>;
/** Rows of older versions state neither `version` nor `isHeldByPerson`. */
type Stated = Limits & {
  readonly state?: ConnectionState;
  readonly isHeldByPerson?: boolean;
  readonly version?: number;
  readonly venue?: string;
  readonly environment?: string;
};

/** Facts of one connection by the trail; absent: not stated. The version is that of the row of a fact. */
type Followed = {
  created?: Stated;
  state: Stated;
  stateVersion: number;
  limits: Stated;
  limitsVersion: number;
};

export class ConnectionTrail {
  readonly #followed = new Map<string, Followed>();
  #isErased = false;

  /** Takes the next row, by time. Rows that state a version count in its order. */
  take({ action, subject_id: id, after }: AuditRow): void {
    const stated = after as Stated | null;
    if (stated === null) this.#isErased = true;
    if (stated === null || id === null) return;
    const followed = this.#followed.get(id) ?? { state: {}, stateVersion: 0, limits: {}, limitsVersion: 0 };
    this.#followed.set(id, followed);
    const version = action === CREATED ? 1 : (stated.version ?? 0);
    if (action === CREATED) followed.created = stated;
    if (action !== CHANGED && version >= followed.stateVersion) {
      const state = action === CREATED ? { state: 'unverified' as const, isHeldByPerson: false } : stated;
      Object.assign(followed, { state, stateVersion: stated.version ?? 0 });
    }
    if ((action === CREATED || action === CHANGED) && version >= followed.limitsVersion)
      Object.assign(followed, { limits: stated, limitsVersion: stated.version ?? 0 });
  }

  /** Compares an account's connections with all rows taken. */
  compare(rows: readonly ConnectionRow[], report: Report): void {
    for (const row of rows) this.#compareRow(row, report);
    const existing = new Set(rows.map(({ id }) => id));
    for (const id of this.#followed.keys())
      if (!existing.has(id)) report('venue_connection', id, 'row', 'a connection of the audit trail', 'gone');
  }

  #compareRow(row: ConnectionRow, report: Report): void {
    const compare = (field: string, expected: string | boolean | undefined, actual: string | boolean) => {
      if (expected !== undefined && expected !== actual)
        report('venue_connection', row.id, field, String(expected), String(actual));
    };
    const followed = this.#followed.get(row.id);
    if (this.#isErased) compare('state', 'revoked', row.state);
    else if (followed?.created === undefined) compare('row', 'a creation in the audit trail', 'none');
    if (this.#isErased || followed?.created === undefined) return;
    const { created, state, limits } = followed;
    compare('venue', created.venue, row.venue);
    compare('environment', created.environment, row.environment);
    compare('state', state.state, row.state);
    compare('isHeldByPerson', state.isHeldByPerson, row.is_held_by_person);
    compare('maxOrder', inWords(limits.maxOrder), inWords(row.max_order) ?? NONE);
    compare('maxDay', inWords(limits.maxDay), inWords(row.max_day) ?? NONE);
    compare('maxOpenNotional', inWords(limits.maxOpenNotional), inWords(row.max_open_notional) ?? NONE);
  }
}

const NONE = 'none';
const inWords = (limit: string | null | undefined): string | undefined =>
  limit === undefined ? undefined : limit === null ? NONE : exact(limit).toFixed();
