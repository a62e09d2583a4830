import { createHash } from 'node:crypto';
import { exact } from '../decimal.ts';
import type { FillRow, Opening, ReleaseRow, Report } from './rows.ts';

/** Nothing is paid but what the venue has stated, by instrument. */
export function checkSettlement(
  { id, kind, token_id, price }: FillRow,
  stated: ReadonlyMap<string, string | null>,
  report: Report,
): void {
  if (kind !== 'settlement') return;
  const value = stated.get(token_id) ?? null;
  if (value === null || !exact(value).eq(price))
    report('fill', id, 'settlement price', value ?? 'no value stated', exact(price).toFixed());
}

/** Numbers without a gap from the oldest that is kept to the last that was counted. */
export function checkEvents(
  { accountId, events }: Pick<Opening, 'accountId' | 'events'>,
  report: Report,
): void {
  const { counted, first, last, rows } = events;
  if (first === null || last === null) return;
  if (last !== counted) report('account_event', accountId, 'last number', counted, last);
  const span = BigInt(last) - BigInt(first) + 1n;
  if (span !== BigInt(rows)) report('account_event', accountId, 'rows', String(span), String(rows));
}

/** A release is the drawing it was made of: its name is the drawing's hash. */
export function checkRelease({ hash, visual }: ReleaseRow, report: Report): void {
  const actual = createHash('sha256').update(JSON.stringify(visual)).digest('hex');
  if (actual !== hash) report('release_body', hash, 'hash', hash, actual);
}
