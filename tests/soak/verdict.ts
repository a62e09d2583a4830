/** Decides which values grew that must not: from the samples alone, by their minutes and not by their number. */

import type { Sample } from './sample.ts';

/** Runs shorter than this get no verdict on growth: caches and pools still fill. */
export const VERDICT_FROM_MINUTES = 20;
/** Tables with a retention have their full length after the shortest retention, and some minutes for housekeeping. */
const RETAINED_AFTER_MINUTES = 70;
const TAIL_MINUTES = 10;

/** Tables that grow with the work done, and the reason. */
const GROWING: Readonly<Record<string, string>> = {
  'public.trade_order': 'ledger',
  'public.order_transition': 'ledger',
  'public.order_dispatch': 'ledger',
  'public.order_allocation': 'ledger',
  'public.fill': 'ledger',
  'public.fill_allocation': 'ledger',
  'public.cash_entry': 'ledger',
  'public.paper_order': 'ledger',
  'public.paper_fill': 'ledger',
  'public.audit_event': 'ledger',
  'public.release': 'ledger',
  'public.equity_point': 'kept for a week',
  'public.blueprint_equity': 'kept for a week',
  'public.idempotency_key': 'kept for 25 hours',
  'public.quote_chunk': 'kept for 30 days',
  'public.history_chunk': 'kept by month',
  'public.release_body': 'ledger',
  'public.denied_fold': 'kept for 30 days',
  'public.blueprint': 'deleted ones are kept for an hour',
  'public.deployment': 'deleted ones are kept for an hour',
  'public.account_event': 'kept for an hour here',
};
const KEPT_FOR_AN_HOUR = new Set(['public.blueprint', 'public.deployment', 'public.account_event']);

export type GrowthLine = {
  readonly what: string;
  readonly before: number;
  readonly after: number;
  readonly kept: string;
  readonly grew: boolean;
};

type Spans = { readonly early: readonly Sample[]; readonly late: readonly Sample[] };
type Allowed = { readonly share: number; readonly plus: number };
const MEMORY: Allowed = { share: 1.1, plus: 24 };
const HANDLES: Allowed = { share: 1.1, plus: 6 };
const TABLE_MIB: Allowed = { share: 1.25, plus: 1 };

/**
 * Compares the second quarter of the run with its last one. Each is its median, so short peaks do not count. For
 * data retained for an hour, compares the ten minutes after that hour with the last ten.
 */
export function findGrowth(samples: readonly Sample[]): GrowthLine[] {
  const last = samples.at(-1);
  if (last === undefined) return [];
  const { minute: end } = last;
  const between = (from: number, to: number) => samples.filter(({ minute }) => minute > from && minute <= to);
  const quarters = { early: between(end / 4, end / 2), late: between((end * 3) / 4, end) };
  const retained = {
    early: between(RETAINED_AFTER_MINUTES - TAIL_MINUTES, RETAINED_AFTER_MINUTES),
    late: between(end - TAIL_MINUTES, end),
  };
  const isLongEnough = end >= VERDICT_FROM_MINUTES;
  const line = (
    what: string,
    of: (sample: Sample) => number,
    { allowed, kept = '', spans = quarters }: { allowed: Allowed | null; kept?: string; spans?: Spans },
  ): GrowthLine => {
    const [was, is] = [spans.early, spans.late].map((some) => median(some.map(of)));
    const isSeen = isLongEnough && spans.early.length > 0;
    return { what, before: was ?? 0, after: is ?? 0, kept, grew: isSeen && grew(was, is, allowed) };
  };
  const processes = Object.keys(last.processes).flatMap((name) => [
    line(`${name}: RSS, MiB`, (sample) => sample.processes[name]?.rssMib ?? 0, { allowed: MEMORY }),
    line(`${name}: heap, MiB`, (sample) => sample.processes[name]?.heapMib ?? 0, { allowed: MEMORY }),
    line(`${name}: open files`, (sample) => sample.processes[name]?.files ?? 0, { allowed: HANDLES }),
  ]);
  const tables = Object.keys(last.tables).map((name) => {
    const isRetained = KEPT_FOR_AN_HOUR.has(name) && end > RETAINED_AFTER_MINUTES;
    return line(`${name}, MiB`, (sample) => sample.tables[name]?.mib ?? 0, {
      allowed: isRetained || GROWING[name] === undefined ? TABLE_MIB : null,
      kept: GROWING[name] ?? '',
      spans: isRetained ? retained : quarters,
    });
  });
  return [
    ...processes,
    line('PostgreSQL, MiB', (sample) => sample.postgresMib, { allowed: { share: 1.25, plus: 64 } }),
    line('connections', (sample) => sample.connections, { allowed: HANDLES }),
    line('files beside the database', (sample) => sample.folderFiles, { allowed: HANDLES }),
    ...tables,
  ];
}

const grew = (was = 0, is = 0, allowed: Allowed | null): boolean =>
  allowed !== null && is > was * allowed.share + allowed.plus;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
