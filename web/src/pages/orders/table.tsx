import { amount, usd } from '../../format/number.ts';
import { notionalOf, originWords, outcomeOf, sideWords } from '../../format/trading/order.ts';
import { priceAt } from '../../format/trading/venue.ts';
import { Mark } from '../../instruments/mark.tsx';
import { msg, t } from '../../language/language.ts';
import { rowKeys } from '../../shell/shortcuts.ts';
import { Id } from '../../ui/copy.tsx';
import { OrderStatusMark, orderStatusWords } from '../../ui/status.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { Sort } from '../../ui/table/sort.ts';
import { Time } from '../../ui/time.tsx';
import { type OrderRow, SideWord } from './approval-queue.tsx';

/** The key of the user's column choice. */
export const TABLE = 'orders';

export const COLUMNS: readonly Column<OrderRow>[] = [
  {
    id: 'time',
    title: msg('Time'),
    card: 'time',
    isSortable: true,
    cell: (row) => <Time at={row.createdAt} />,
  },
  { id: 'order', title: msg('Order'), cell: (row) => <Id id={row.id} label={t('order ID')} /> },
  {
    id: 'status',
    title: msg('Status'),
    card: 'state',
    cell: (row) => <OrderStatusMark status={row.status} />,
  },
  { id: 'side', title: msg('Side'), card: 'lead', cell: (row) => <SideWord side={row.side} /> },
  {
    id: 'instrument',
    title: msg('Instrument'),
    card: 'name',
    cell: (row) => (
      <>
        <Mark name={row.title} />
        {outcomeOf(row.tokenId)} {row.title}
      </>
    ),
    cellProps: (row) => ({ title: row.reason ?? undefined }),
  },
  { id: 'amount', title: msg('Amount'), card: 'amount', isNumber: true, cell: (row) => amount(row.amount) },
  { id: 'filled', title: msg('Filled'), isNumber: true, cell: (row) => amount(row.filledAmount) },
  {
    id: 'limit',
    title: msg('Limit'),
    card: ({ averagePrice, type }) => (averagePrice === null && type === 'limit' ? 'price' : undefined),
    isNumber: true,
    cell: (row) => (row.type === 'market' ? '—' : priceAt(row.venue, row.limitPrice)),
  },
  {
    id: 'average',
    title: msg('Average'),
    card: ({ averagePrice }) => (averagePrice === null ? undefined : 'price'),
    isNumber: true,
    cell: (row) => priceAt(row.venue, row.averagePrice),
  },
  {
    id: 'size',
    title: msg('Notional'),
    card: 'detail',
    isNumber: true,
    isSortable: true,
    cell: (row) => usd(notionalOf(row, !row.isOpen)),
  },
  {
    id: 'blueprint',
    title: msg('Strategy'),
    cell: originWords,
    cellProps: () => ({ className: 'dim' }),
  },
];

/** The sort orders that the service supports. */
const SORTS = {
  newest: { column: 'time', isDown: true },
  oldest: { column: 'time', isDown: false },
  largest: { column: 'size', isDown: true },
  smallest: { column: 'size', isDown: false },
} as const satisfies Record<string, Sort>;
type SortName = keyof typeof SORTS;

export const isSortName = (word: string | undefined): word is SortName =>
  word !== undefined && Object.hasOwn(SORTS, word);

export const sortFromName = (word: string | undefined): Sort => SORTS[isSortName(word) ? word : 'newest'];

/** The word of the address; the default order needs none. */
export function sortNameOf({ column, isDown }: Sort): SortName | undefined {
  if (column === 'size') return isDown ? 'largest' : 'smallest';
  return isDown ? undefined : 'oldest';
}

type OrderTableProps = {
  rows: readonly OrderRow[];
  onOpen: (id: string) => void;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
};

export const OrderTable = ({ rows, onOpen, sort = SORTS.newest, onSort }: OrderTableProps) => (
  <DataTable
    name={TABLE}
    columns={COLUMNS}
    rows={rows}
    nameOf={(row) => `${sideWords(row.side)} ${row.title}, ${orderStatusWords(row.status)}`}
    sort={sort}
    onSort={onSort}
    rowProps={(row) => ({
      className: row.status === 'denied' || row.status === 'rejected' ? 'opens tint-bad' : 'opens',
      onClick: () => onOpen(row.id),
      ...rowKeys(() => onOpen(row.id)),
    })}
  />
);
