import { expect, test } from 'vitest';
import { checkDispatchIds } from '../../../engine/ledger/orders/check-dispatch-ids.ts';
import type { DispatchRow, LedgerOrderRow } from '../../../engine/ledger/rows.ts';
import { firstOf, LEDGER } from './ledger.ts';

const found = (
  mode: 'paper' | 'live',
  order: Partial<LedgerOrderRow>,
  dispatch: Partial<DispatchRow> | null,
): string[] => {
  const fields: string[] = [];
  const row = { ...firstOf(LEDGER.orders), connection_id: 'c-1', ...order };
  const sent = { order_id: row.id, connection_id: 'c-1', client_order_id: row.id, venue_order_id: null };
  checkDispatchIds(
    mode,
    { row, dispatch: dispatch && { ...sent, ...dispatch } },
    (_subject, _id, field) => void fields.push(field),
  );
  return fields;
};

test.each<[string, Parameters<typeof found>, string[]]>([
  ['of its order agrees', ['live', { venue_order_id: 'v-1' }, { venue_order_id: 'v-1' }], []],
  ['whose id the venue gave later agrees', ['live', { venue_order_id: 'v-1' }, {}], []],
  ['whose answer is lost agrees', ['live', { venue_order_id: null }, { venue_order_id: 'v-1' }], []],
  [
    'of another order is found',
    ['paper', { venue_order_id: 'v-1' }, { venue_order_id: 'v-2' }],
    ['venueOrderId'],
  ],
  ['of another connection is found', ['live', {}, { connection_id: 'c-2' }], ['connectionId']],
  ['that is gone is found', ['live', { venue_order_id: 'v-1' }, null], ['row']],
  ['that never left needs no row', ['live', { venue_order_id: null }, null], []],
  ['of the first versions, on paper, needs no row', ['paper', { venue_order_id: 'v-1' }, null], []],
])('a request %s', (_what, terms, fields) => {
  expect(found(...terms)).toEqual(fields);
});
