import { amount, usd } from '../../format/number.ts';
import { notionalOf, originWords, outcomeOf, sideWords } from '../../format/trading/order.ts';
import { priceAt } from '../../format/trading/venue.ts';
import { ORDER_COLUMNS } from '../../generated/service.ts';
import { Mark } from '../../instruments/mark.tsx';
import { t } from '../../language/language.ts';
import { rowKeys } from '../../shell/shortcuts.ts';
import { Id } from '../../ui/copy.tsx';
import { OrderStatusMark, orderStatusWords } from '../../ui/status.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { Sort } from '../../ui/table/sort.ts';
import { Time } from '../../ui/time.tsx';
import { type OrderRow, SideWord } from './approval-queue.tsx';

/** The key of the user's column choice. */
export const TABLE = 'orders';

type Name = (typeof ORDER_COLUMNS)[number]['name'];

/** How values are written, by their form. */
const FORMS = {
  amount: (value: number | null) => amount(value),
  price: (value: number | null, { venue }: OrderRow) => priceAt(venue, value),
  usd: (value: number | null) => usd(value),
};

/** Properties of a column beside its title and its form. */
const SHOWN: Readonly<Partial<Record<Name, Partial<Column<OrderRow>>>>> = {
  createdAt: { id: 'time', card: 'time', isSortable: true, cell: (row) => <Time at={row.createdAt} /> },
  id: { id: 'order', cell: (row) => <Id id={row.id} label={t('order ID')} /> },
  status: { card: 'state', cell: (row) => <OrderStatusMark status={row.status} /> },
  side: { card: 'lead', cell: (row) => <SideWord side={row.side} /> },
  title: {
    id: 'instrument',
    card: 'name',
    cell: (row) => (
      <>
        <Mark name={row.title} />
        {outcomeOf(row.tokenId)} {row.title}
      </>
    ),
    cellProps: (row) => ({ title: row.reason ?? undefined }),
  },
  amount: { card: 'amount' },
  filledAmount: { id: 'filled' },
  limitPrice: {
    id: 'limit',
    card: ({ averagePrice, type }) => (averagePrice === null && type === 'limit' ? 'price' : undefined),
    cell: (row) => (row.type === 'market' ? '—' : priceAt(row.venue, row.limitPrice)),
  },
  averagePrice: {
    id: 'average',
    card: ({ averagePrice }) => (averagePrice === null ? undefined : 'price'),
  },
  size: { card: 'detail', isSortable: true, cell: (row) => usd(notionalOf(row, !row.isOpen)) },
  blueprintName: { id: 'blueprint', cell: originWords, cellProps: () => ({ className: 'dim' }) },
};

export const COLUMNS: readonly Column<OrderRow>[] = ORDER_COLUMNS.map(({ name, title, ...column }) => ({
  id: name,
  title,
  cell: (row) => ('form' in column ? FORMS[column.form](row[name] as number | null, row) : row[name]),
  ...('form' in column && { isNumber: true }),
  ...SHOWN[name],
}));

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
