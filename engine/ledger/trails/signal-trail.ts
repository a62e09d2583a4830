/** Follows signals through the audit trail: one that was added in paper mode is never read with real money. Pure. */
import type { Mode } from '../../../db/vocabulary.ts';
import type { AuditRow, Report } from '../rows.ts';

const REMOVED = 'signal.removed';
export const SIGNAL_ACTIONS = ['signal.created', REMOVED] as const;

export class SignalTrail {
  readonly #modes = new Map<string, Mode>();

  /** Takes the next row, by time: a signal that was removed may be added again in another mode. */
  take({ action, after }: AuditRow): void {
    const signal = after as { readonly name: string; readonly mode: Mode } | null;
    if (signal === null) return;
    if (action === REMOVED) this.#modes.delete(signal.name);
    else this.#modes.set(signal.name, signal.mode);
  }

  /** Compares the signals of one mode with all rows taken. */
  compare(rows: readonly { readonly name: string }[], mode: Mode, report: Report): void {
    for (const { name } of rows) {
      const expected = this.#modes.get(name);
      if (expected !== mode)
        report('signal', name, 'mode', expected ?? 'a creation in the audit trail', mode);
    }
  }
}
