import type { RebuiltBooks } from '../rebuilt-books.ts';
import type { Report, StoredBooks } from '../rows.ts';

/** Checks that positions were opened when their books say so. */
export function checkOpeningTimes(
  { positions }: Pick<StoredBooks, 'positions'>,
  books: RebuiltBooks,
  report: Report,
): void {
  for (const { id, opened_at } of positions) {
    const opened = books.positions.get(id)?.openedAt;
    if (opened !== undefined && Date.parse(opened) !== Date.parse(opened_at))
      report('position', id, 'openedAt', opened, opened_at);
  }
}

/** Checks that money came from outside once: when the account was opened. */
export function checkInitialDeposit(
  { accountId, tradingAccount, deposits }: Pick<StoredBooks, 'accountId' | 'tradingAccount' | 'deposits'>,
  report: Report,
): void {
  const opened = isoOf(tradingAccount.created_at);
  for (const { id, at } of deposits) {
    if (isoOf(at) !== opened)
      report('cash_entry', id, 'deposit', `the one of ${opened}`, `one of ${isoOf(at)}`);
  }
  if (deposits.length > 1) report('cash_entry', accountId, 'deposits', '1', String(deposits.length));
}

const isoOf = (moment: string): string => new Date(moment).toISOString();
