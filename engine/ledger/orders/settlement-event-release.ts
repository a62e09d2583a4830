import { createHash } from 'node:crypto';
import { exact } from '../../platform/decimal.ts';
import type { FillRow, InstrumentRow, ReleaseRow, Report, StoredBooks } from '../rows.ts';

/** Checks a payout against its instrument: an outcome pays the value its venue stated, 0 to 1; a spot coin never settles. */
export function checkSettlement(
  { id, kind, token_id, price }: FillRow,
  instruments: ReadonlyMap<string, InstrumentRow>,
  report: Report,
): void {
  if (kind !== 'settlement') return;
  const instrument = instruments.get(token_id);
  const value = instrument?.settlement_value ?? null;
  if (instrument !== undefined && instrument.kind !== 'outcome')
    report('fill', id, 'settlement', 'of an outcome', `of kind ${instrument.kind}`);
  if (exact(price).lt(0) || exact(price).gt(1))
    report('fill', id, 'settlement price', '0 to 1', exact(price).toFixed());
  if (value === null || !exact(value).eq(price))
    report('fill', id, 'settlement price', value ?? 'no value stated', exact(price).toFixed());
}

/** Checks that numbers have no gap from the oldest stored one to the last one counted. */
export function checkEventNumbering(
  { accountId, events }: Pick<StoredBooks, 'accountId' | 'events'>,
  report: Report,
): void {
  const { counted, first, last, rows } = events;
  if (first === null || last === null) return;
  if (last !== counted) report('account_event', accountId, 'last number', counted, last);
  const span = BigInt(last) - BigInt(first) + 1n;
  if (span !== BigInt(rows)) report('account_event', accountId, 'rows', String(span), String(rows));
}

/** Checks that a release has the graph of its name: the name is the graph's hash. */
export function checkReleaseHash({ hash, visual }: ReleaseRow, report: Report): void {
  const actual = createHash('sha256').update(JSON.stringify(visual)).digest('hex');
  if (actual !== hash) report('release_body', hash, 'hash', hash, actual);
}
