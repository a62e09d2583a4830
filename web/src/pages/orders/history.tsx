import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client, type Inputs, trpc } from '../../api/trpc.ts';
import { BY_HAND_ID } from '../../format/trading/order.ts';
import { t } from '../../language/language.ts';
import { usePageSize } from '../../settings/tables.ts';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { ORDER_STATUSES, type OrderStatus, orderStatusWords } from '../../ui/status.tsx';
import { ColumnMenu } from '../../ui/table/column-menu.tsx';
import { DateRange } from '../../ui/table/date-range.tsx';
import { dayRangeInstants } from '../../ui/table/day-range-instants.ts';
import { ExportButton } from '../../ui/table/export-button.tsx';
import { Filters } from '../../ui/table/filters.tsx';
import { FindField } from '../../ui/table/find-field.tsx';
import { MoreRows } from '../../ui/table/more-rows.tsx';
import { PageSize } from '../../ui/table/page-size.tsx';
import { saveOrdersCsv } from './save-orders-csv.ts';
import { COLUMNS, isSortName, OrderTable, sortFromName, sortNameOf, TABLE } from './table.tsx';

const FIND_MAX = 100;
/** How long after the last key the server is asked. */
const TYPING_MS = 300;
const EXPORT_PAGE = 200;

export type OrderSearch = {
  status?: string | undefined;
  side?: string | undefined;
  blueprint?: string | undefined;
  find?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: string | undefined;
};

type HistoryProps = {
  title?: string;
  search: OrderSearch;
  /** Only this blueprint's orders; it is then no choice. */
  blueprintId?: string;
  onSearch: (change: OrderSearch) => void;
  onOpen: (id: string) => void;
};

const isStatus = (word: string | undefined): word is OrderStatus =>
  word !== undefined && ORDER_STATUSES.some((status) => status === word);

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** The filter for the server; invalid words of an address are ignored. */
const filterOf = ({
  status,
  side,
  blueprint,
  find,
  from,
  to,
  sort,
}: OrderSearch): Inputs['console']['orders'] => ({
  ...(isStatus(status) && { status }),
  ...((side === 'buy' || side === 'sell') && { side }),
  ...(find !== undefined && find.trim() !== '' && { find: find.trim().slice(0, FIND_MAX) }),
  ...(blueprint !== undefined && UUID.test(blueprint) && { blueprintId: blueprint }),
  ...dayRangeInstants({ from, to }),
  ...(isSortName(sort) && { sort }),
});

const filterValues = ({ status, side, blueprint, find, from, to }: OrderSearch) => [
  status,
  side,
  blueprint,
  find,
  from,
  to,
];

const isNarrowed = (search: OrderSearch): boolean =>
  filterValues(search).some((value) => value !== undefined);

export function OrderHistory({ title, search, blueprintId, onSearch, onOpen }: HistoryProps) {
  const [find] = useDebouncedValue(search.find, TYPING_MS);
  const filter = filterOf({ ...search, find, ...(blueprintId && { blueprint: blueprintId }) });
  const limit = usePageSize(TABLE);
  const pages = useInfiniteQuery({
    queryKey: [...trpc.console.orders.pathKey(), 'history', filter, limit],
    queryFn: ({ pageParam }) =>
      client.console.orders.query({ ...filter, limit, ...(pageParam !== null && { after: pageParam }) }),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length === limit ? (page.at(-1)?.id ?? null) : null),
  });
  const rows = pages.data?.pages.flat();
  return (
    <Panel
      title={title ?? t('History')}
      flush
      actions={
        <Filters values={filterValues(search)}>
          <OrderFilters search={search} hasBlueprints={blueprintId === undefined} onSearch={onSearch} />
          <ColumnMenu name={TABLE} columns={COLUMNS} />
          <ExportButton
            label={t('CSV')}
            rowsWords={(count) => t('{count, plural, one {# order} other {# orders}}', { count })}
            disabled={!rows || rows.length === 0}
            page={(last) =>
              client.console.orders.query({
                ...filter,
                limit: EXPORT_PAGE,
                ...(last && { after: last.id }),
              })
            }
            save={saveOrdersCsv}
          />
        </Filters>
      }
    >
      <PendingRows query={pages} rows={8} height={22} />
      {rows?.length === 0 ? (
        <EmptyState
          title={isNarrowed(search) ? t('No order matches') : t('No orders here')}
          why={t('Orders of your strategies, your closes, and denied orders all appear in this list.')}
          action={isNarrowed(search) && !blueprintId ? <Link to="/orders">{t('Show all')}</Link> : null}
          command={curl('GET', `/api/orders${blueprintId ? `?blueprintId=${blueprintId}` : ''}`)}
        />
      ) : null}
      {rows && rows.length > 0 ? (
        <OrderTable
          rows={rows}
          onOpen={onOpen}
          sort={sortFromName(search.sort)}
          onSort={(sort) => onSearch({ sort: sortNameOf(sort) })}
        />
      ) : null}
      <MoreRows pages={pages} label={search.sort === undefined ? t('Older orders') : t('More orders')}>
        <PageSize name={TABLE} />
      </MoreRows>
    </Panel>
  );
}

type FiltersProps = Pick<HistoryProps, 'search' | 'onSearch'> & { hasBlueprints: boolean };

function OrderFilters({ search, hasBlueprints, onSearch }: FiltersProps) {
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  return (
    <>
      <FilterChoice
        label={t('Status')}
        value={search.status}
        options={ORDER_STATUSES.map((status) => [status, orderStatusWords(status)])}
        onChange={(status) => onSearch({ status })}
      />
      <FilterChoice
        label={t('Side')}
        value={search.side}
        options={[
          ['buy', t('Buy')],
          ['sell', t('Sell')],
        ]}
        onChange={(side) => onSearch({ side })}
      />
      {hasBlueprints ? (
        <FilterChoice
          label={t('Strategy')}
          value={search.blueprint}
          options={[
            [BY_HAND_ID, t('By hand')],
            ...(blueprints.data ?? []).map(({ id, name }) => [id, name] as const),
          ]}
          onChange={(blueprint) => onSearch({ blueprint })}
        />
      ) : null}
      <DateRange from={search.from} to={search.to} onChange={onSearch} />
      <FindField
        label={t('Find in these orders')}
        placeholder={t('Find  /')}
        isShort
        value={search.find ?? ''}
        onChange={(find) => onSearch({ find: find || undefined })}
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

export const FilterChoice = ({ label, value, options, onChange }: ChoiceProps) => (
  <Choice
    label={label}
    value={value ?? ''}
    options={[['', t('{label}: all', { label })], ...options]}
    onChange={(chosen) => onChange(chosen || undefined)}
  />
);
