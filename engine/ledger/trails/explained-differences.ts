import type { Json } from '../../../db/json.ts';
import { exact } from '../../platform/decimal.ts';
import type { AuditRow, ExplainedRow, Report } from '../rows.ts';

export const EXPLAINED_ACTION = 'venue_difference.explained';

/** Rows of older versions state neither. */
type Stated = { readonly about?: Json; readonly theirs?: string | null } | null;

/** The person who explained each difference, and the explained amount. */
export class ExplainedDifferences {
  readonly #rows = new Map<string | null, AuditRow>();

  take(row: AuditRow): void {
    this.#rows.set(row.subject_id, row);
  }

  /**
   * Reports explained differences that blocked entries, if no person explained them. It also reports those larger than a person
   * saw.
   */
  compare(rows: readonly ExplainedRow[], report: Report): void {
    for (const { id, resolved_by, about, theirs } of rows) {
      const row = this.#rows.get(id);
      const compare = (field: string, expected: string, actual: string) => {
        if (expected !== actual) report('venue_difference', id, field, expected, actual);
      };
      compare('resolvedBy', row?.actor ?? 'an audit row', resolved_by ?? 'none');
      const stated = (row?.after ?? null) as Stated;
      if (stated?.about !== undefined) compare('about', JSON.stringify(stated.about), JSON.stringify(about));
      if (stated?.theirs !== undefined) compare('theirs', inWords(stated.theirs), inWords(theirs));
    }
  }
}

const inWords = (amount: string | null): string => (amount === null ? 'none' : exact(amount).toFixed());
