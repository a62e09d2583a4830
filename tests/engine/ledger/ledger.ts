import { readFileSync } from 'node:fs';
import type { Receipt } from '../../../engine/risk/receipt.ts';
import { type LedgerRows, verifyRows } from './ledger-pages.ts';

/**
 * One account's rows as the tests on a real database left them. They have buys of two blueprints, a reserved exit, and closes
 * narrowed, wide and approved later. They also have fees, a loss, denials, an intent that expired, and a second day.
 */
export const LEDGER = JSON.parse(
  readFileSync(new URL('./ledger.json', import.meta.url), 'utf8'),
) as LedgerRows;

/** The differences in the recorded rows after `change`. */
export function verifyChanged(change: (rows: LedgerRows) => void) {
  const rows = structuredClone(LEDGER);
  change(rows);
  return verifyRows(rows);
}

/** Replaces recorded values. */
export const setFields = <Row extends object>(row: Row, values: { [Field in keyof Row]?: unknown }): void => {
  Object.assign(row, values);
};

/** Returns the first match, which must exist. */
export function findOne<Item>(items: readonly Item[], fits: (item: Item) => boolean): Item {
  const found = items.find(fits);
  if (found === undefined) throw new Error('The recorded ledger has no such row.');
  return found;
}

export const approved = (rows: LedgerRows) =>
  findOne(rows.orders, (order) => order.approval_receipt !== null);
export const exit = (rows: LedgerRows) => findOne(rows.orders, (order) => order.preapproved_release !== null);
export const denied = (rows: LedgerRows) =>
  findOne(rows.orders, (order) => order.reason_code === 'maxOrderSize');
export const soldFill = (rows: LedgerRows) =>
  findOne(rows.fills, (fill) => fill.order_id === approved(rows).id);
export const partsOf = (rows: LedgerRows) =>
  rows.fillParts.filter((part) => part.fill_id === soldFill(rows).id);
export const receiptOf = (order: { receipt: unknown }) => order.receipt as Receipt;
export const firstOf = <Item>(items: readonly Item[]): Item => findOne(items, () => true);
export const line = (receipt: Receipt, rule: string) => findOne(receipt.lines, (each) => each.rule === rule);
