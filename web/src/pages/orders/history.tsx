import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { client, type Inputs, trpc } from '../../api/trpc.ts';
import { amount, counted, usd } from '../../format/number.ts';
import { outcomeOf } from '../../format/order.ts';
import { priceAt } from '../../format/venue.ts';
import { rowKeys } from '../../shell/shortcuts.ts';
import { curl, Id } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { ORDER_STATUS_WORDS, type OrderStatus, OrderStatusMark } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { type OrderRow, SideWord } from './approval-queue.tsx';
import { saveCsv } from './csv.ts';

const PAGE = 50;
const FIND_MAX = 100;
/** How long after the last key the server is asked. */
const TYPING_MS = 300;

export type OrderSearch = {
  status?: string | undefined;
  side?: string | undefined;
  blueprint?: string | undefined;
  find?: string | undefined;
};

type HistoryProps = {
  search: OrderSearch;
  onSearch: (change: OrderSearch) => void;
  onOpen: (id: string) => void;
};

const isStatus = (word: string | undefined): word is OrderStatus =>
  word !== undefined && Object.hasOwn(ORDER_STATUS_WORDS, word);

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** What the server narrows by; an address made by hand narrows by what it has right. */
const filterOf = ({ status, side, blueprint, find }: OrderSearch): Inputs['console']['orders'] => ({
  limit: PAGE,
  ...(isStatus(status) && { status }),
  ...((side === 'buy' || side === 'sell') && { side }),
  ...(find !== undefined && find.trim() !== '' && { find: find.trim().slice(0, FIND_MAX) }),
  ...(blueprint !== undefined && UUID.test(blueprint) && { blueprintId: blueprint }),
});

const isNarrowed = ({ status, side, blueprint, find }: OrderSearch): boolean =>
  [status, side, blueprint, find].some((word) => word !== undefined);

type Cursor = { createdAt: string; id: string } | null;

export function OrderHistory({ search, onSearch, onOpen }: HistoryProps) {
  const [find] = useDebouncedValue(search.find, TYPING_MS);
  const filter = filterOf({ ...search, find });
  const pages = useInfiniteQuery({
    queryKey: [...trpc.console.orders.pathKey(), 'history', filter],
    queryFn: ({ pageParam }) =>
      client.console.orders.query({ ...filter, ...(pageParam && { before: pageParam }) }),
    placeholderData: keepPreviousData,
    initialPageParam: null as Cursor,
    getNextPageParam: (page): Cursor => {
      const last = page.length === PAGE ? page.at(-1) : undefined;
      return last ? { createdAt: last.createdAt, id: last.id } : null;
    },
  });
  const rows = pages.data?.pages.flat();
  const save = useMutation({
    mutationFn: () => allRows(filter),
    onSuccess: ({ rows: found, isAll }) => {
      saveCsv(found);
      const kept = isAll ? '' : ', the newest: narrow the list for older ones';
      notifications.show({ message: `Saved ${counted(found.length, 'order')}${kept}.` });
    },
  });
  return (
    <Panel
      title="History"
      flush
      actions={
        <>
          <Filters search={search} onSearch={onSearch} />
          <Button
            variant="default"
            leftSection={<Download size={14} aria-hidden />}
            disabled={!rows || rows.length === 0}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            CSV
          </Button>
        </>
      }
    >
      {pages.error && !rows ? <ProblemNotice error={pages.error} retry={() => void pages.refetch()} /> : null}
      {!rows && !pages.error ? <RowSkeleton rows={8} height={22} /> : null}
      {rows?.length === 0 ? (
        <Empty
          title={isNarrowed(search) ? 'No order matches' : 'No orders here'}
          why="Orders of your strategies, closes of yours, and what was denied all end up in this list."
          action={isNarrowed(search) ? <Link to="/orders">Show all</Link> : null}
          command={curl('GET', '/api/orders')}
        />
      ) : null}
      {rows && rows.length > 0 ? <OrderTable rows={rows} onOpen={onOpen} /> : null}
      {pages.hasNextPage ? (
        <div className="empty">
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Older orders
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

const EXPORT_PAGE = 200;
const EXPORT_MAX = 10_000;

/** Everything the filter finds, not only what is shown: at most 10,000 rows, and whether that is all. */
async function allRows(filter: Inputs['console']['orders']): Promise<{ rows: OrderRow[]; isAll: boolean }> {
  const rows: OrderRow[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await client.console.orders.query({
      ...filter,
      limit: EXPORT_PAGE,
      ...(last && { before: { createdAt: last.createdAt, id: last.id } }),
    });
    rows.push(...page);
    if (page.length < EXPORT_PAGE) return { rows, isAll: true };
    if (rows.length >= EXPORT_MAX) return { rows, isAll: false };
  }
}

function Filters({ search, onSearch }: Pick<HistoryProps, 'search' | 'onSearch'>) {
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  return (
    <>
      <Choice
        label="Status"
        value={search.status}
        options={Object.entries(ORDER_STATUS_WORDS)}
        onChange={(status) => onSearch({ status })}
      />
      <Choice
        label="Side"
        value={search.side}
        options={[
          ['buy', 'Buy'],
          ['sell', 'Sell'],
        ]}
        onChange={(side) => onSearch({ side })}
      />
      <Choice
        label="Blueprint"
        value={search.blueprint}
        options={(blueprints.data ?? []).map(({ id, name }) => [id, name])}
        onChange={(blueprint) => onSearch({ blueprint })}
      />
      <input
        className="text-input find short"
        data-filter
        type="search"
        aria-label="Find in these orders"
        placeholder="Find  /"
        value={search.find ?? ''}
        onChange={(event) => onSearch({ find: event.currentTarget.value || undefined })}
      />
    </>
  );
}

type ChoiceProps = {
  label: string;
  value: string | undefined;
  options: readonly (readonly [string, string])[];
  onChange: (value: string | undefined) => void;
};

export const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <select
    className="text-input choice-input"
    aria-label={label}
    value={value ?? ''}
    onChange={(event) => onChange(event.currentTarget.value || undefined)}
  >
    <option value="">{label}: all</option>
    {options.map(([key, word]) => (
      <option key={key} value={key}>
        {word}
      </option>
    ))}
  </select>
);

export function OrderTable({ rows, onOpen }: { rows: readonly OrderRow[]; onOpen: (id: string) => void }) {
  return (
    <table className="rows cards">
      <thead>
        <tr>
          <th>Time</th>
          <th>Order</th>
          <th>Status</th>
          <th>Side</th>
          <th>Instrument</th>
          <th className="num">Amount</th>
          <th className="num">Filled</th>
          <th className="num">Limit</th>
          <th className="num">Average</th>
          <th className="num">Size</th>
          <th>Blueprint</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, onOpen }: { row: OrderRow; onOpen: (id: string) => void }) {
  const failed = row.status === 'denied' || row.status === 'rejected';
  return (
    <tr
      data-row={row.id}
      className={failed ? 'opens tint-bad' : 'opens'}
      onClick={() => onOpen(row.id)}
      aria-label={`${row.side} ${row.title}, ${ORDER_STATUS_WORDS[row.status]}`}
      {...rowKeys(() => onOpen(row.id))}
    >
      <td data-label="Time">
        <Time at={row.createdAt} />
      </td>
      <td data-label="Order">
        <Id id={row.id} label="order id" />
      </td>
      <td data-label="Status">
        <OrderStatusMark status={row.status} />
      </td>
      <td data-label="Side">
        <SideWord side={row.side} />
      </td>
      <td data-label="Instrument" title={row.reason ?? undefined}>
        {outcomeOf(row.tokenId)} {row.title}
      </td>
      <td data-label="Amount" className="num">
        {amount(row.amount)}
      </td>
      <td data-label="Filled" className="num">
        {amount(row.filledAmount)}
      </td>
      <td data-label="Limit" className="num">
        {priceAt(row.venue, row.limitPrice)}
      </td>
      <td data-label="Average" className="num">
        {priceAt(row.venue, row.averagePrice)}
      </td>
      <td data-label="Size" className="num">
        {usd(row.size)}
      </td>
      <td data-label="Blueprint" className="dim">
        {row.blueprintName}
      </td>
    </tr>
  );
}
