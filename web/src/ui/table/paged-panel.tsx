import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../language/language.ts';
import { usePageSize } from '../../settings/tables.ts';
import { Panel } from '../panel.tsx';
import { PendingRows } from '../pending-rows.tsx';
import { MoreRows } from '../table/more-rows.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { DateRange } from './date-range.tsx';
import { dayRangeInstants } from './day-range-instants.ts';
import { ExportButton } from './export-button.tsx';
import { Filters } from './filters.tsx';
import { PageSize } from './page-size.tsx';
import type { Sort } from './sort.ts';

const FIND_MAX = 100;
/** How long after the last key the service is asked. */
const TYPING_MS = 300;
const EXPORT_PAGE = 200;

type PageQuery = { limit: number; sort: Sort; find?: string; from?: string; to?: string; after?: string };

type PagedPanelProps<Row extends { id: string }> = {
  title: string;
  /** The key of the user's column choice and page size. */
  name: string;
  columns: readonly Column<Row>[];
  /** The order of the rows until a column is pressed. */
  sort: Sort;
  nameOf: (row: Row) => string;
  /** The query key of the rows; further filters of the panel are part of it. */
  queryKey: readonly unknown[];
  /** Rows of a filter after a row, or the first ones. Search, days and order apply to all rows of the service. */
  read: (pageQuery: PageQuery) => Promise<readonly Row[]>;
  /** Shown if there is no row at all. */
  empty: ReactNode;
  /** A number of rows in words. */
  rowsWords: (count: number) => string;
  save: (rows: readonly Row[]) => void;
  filters?: ReactNode;
  /** The values of these further filters. */
  filterValues?: readonly string[];
  rowProps?: (row: Row) => React.ComponentProps<'tr'>;
};

/** A table whose rows are at the service: searched, sorted, filtered by days, paged and exported there. */
export function PagedPanel<Row extends { id: string }>(props: PagedPanelProps<Row>) {
  const { title, name, columns, nameOf, queryKey, read, empty, rowsWords, save, filters, rowProps } = props;
  const { filterValues = [] } = props;
  const [sort, setSort] = useState(props.sort);
  const [days, setDays] = useState<{ from?: string | undefined; to?: string | undefined }>({});
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim().slice(0, FIND_MAX), TYPING_MS);
  const limit = usePageSize(name);
  const filter = {
    sort,
    ...(words !== '' && { find: words }),
    ...dayRangeInstants({ from: days.from, to: days.to }),
  };
  const pages = useInfiniteQuery({
    queryKey: [...queryKey, filter, limit],
    queryFn: ({ pageParam }) => read({ ...filter, limit, ...(pageParam !== null && { after: pageParam }) }),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length === limit ? (page.at(-1)?.id ?? null) : null),
  });
  const rows = pages.data?.pages.flat();
  const isNarrowed = words !== '' || days.from !== undefined || days.to !== undefined;
  return (
    <Panel
      title={title}
      flush
      actions={
        <Filters values={[...filterValues, words, days.from, days.to]}>
          {filters}
          <DateRange
            from={days.from}
            to={days.to}
            onChange={(change) => setDays((now) => ({ ...now, ...change }))}
          />
          <input
            className="text-input find short"
            type="search"
            aria-label={t('Find in “{title}”', { title })}
            placeholder={t('Find')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <ColumnMenu name={name} columns={columns} />
          <ExportButton
            label={t('CSV')}
            rowsWords={rowsWords}
            disabled={!rows || rows.length === 0}
            page={(last: Row | undefined) =>
              read({ ...filter, limit: EXPORT_PAGE, ...(last && { after: last.id }) })
            }
            save={save}
          />
        </Filters>
      }
    >
      <PendingRows query={pages} rows={4} height={22} />
      {rows?.length === 0 ? (
        isNarrowed ? (
          <div className="empty">
            <strong>{t('Nothing matches')}</strong>
          </div>
        ) : (
          empty
        )
      ) : null}
      {rows && rows.length > 0 ? (
        <DataTable
          name={name}
          columns={columns}
          rows={rows}
          nameOf={nameOf}
          sort={sort}
          onSort={setSort}
          rowProps={rowProps ?? (() => ({ tabIndex: 0 }))}
        />
      ) : null}
      <MoreRows pages={pages} label={t('Show more')}>
        <PageSize name={name} />
      </MoreRows>
    </Panel>
  );
}
