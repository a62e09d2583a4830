import type { Mode } from '../../../db/vocabulary.ts';
import type { FirstSeen, Report } from '../rows.ts';

/** Checks the request of an order: its ids are used to poll state and fills, so they must be those of the order. */
export function checkDispatchIds(
  mode: Mode,
  { row, dispatch }: Pick<FirstSeen, 'row' | 'dispatch'>,
  report: Report,
): void {
  const compare = (field: string, expected: string | null, actual: string | null) => {
    if (expected !== actual) report('order_dispatch', row.id, field, expected ?? 'none', actual ?? 'none');
  };
  if (dispatch === null) {
    // Paper orders of the first versions were sent without one.
    if (mode === 'live' && row.venue_order_id !== null)
      report('order_dispatch', row.id, 'row', `the request of ${row.venue_order_id}`, 'gone');
    return;
  }
  compare('connectionId', row.connection_id, dispatch.connection_id);
  if (row.venue_order_id !== null && dispatch.venue_order_id !== null)
    compare('venueOrderId', row.venue_order_id, dispatch.venue_order_id);
}
