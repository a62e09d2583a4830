/** Compares payouts with the audit trail: the service writes one row for each position that a settlement books out. */
import { exact } from '../../platform/decimal.ts';
import type { AuditRow, FillEntry, Report } from '../rows.ts';

type Before = { readonly amount?: string } | null;
type After = { readonly value?: string } | null;

/** Matches each settlement with an audit row of its position, moment, amount and value. One row stands for one payout. */
export class PayoutAuditCheck {
  readonly #left = new Map<string, number>();

  constructor(audits: readonly AuditRow[]) {
    for (const { at, subject_id, before, after } of audits) {
      const terms = {
        positionId: subject_id,
        at,
        amount: (before as Before)?.amount,
        value: (after as After)?.value,
      };
      const key = inWords(terms);
      this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
    }
  }

  compare({ fill, parts }: FillEntry, report: Report): void {
    if (fill.kind !== 'settlement') return;
    const positionId = parts[0]?.position_id ?? null;
    const key = inWords({ positionId, at: fill.applied_at, amount: fill.amount, value: fill.price });
    const left = this.#left.get(key) ?? 0;
    if (left === 0) report('fill', fill.id, 'audit row of the settlement', key, 'missing');
    else this.#left.set(key, left - 1);
  }

  /** Reports payouts of the trail that no fill booked. */
  end(report: Report): void {
    for (const [key, left] of this.#left)
      if (left > 0) report('audit_event', key, 'settlement', 'a fill for each row', `${left} missing`);
  }
}

type Terms = {
  readonly positionId: string | null;
  readonly at: string;
  readonly amount: string | undefined;
  readonly value: string | undefined;
};

const inWords = ({ positionId, at, amount, value }: Terms): string =>
  `${exact(amount ?? 0).toFixed()} of position ${positionId} at ${exact(value ?? 0).toFixed()}, ${new Date(at).toISOString()}`;
