import { useState } from 'react';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { type Sort, sorted } from './sort.ts';

type Props<Row> = Omit<DataTableProps<Row>, 'sort' | 'onSort'> & {
  /** The column to sort by at first, downwards; as received without one. */
  first?: string;
};

/** A table whose rows are all here: it sorts them by each column with a `sortBy`. */
export function SortedTable<Row extends { id: string }>({ first = '', ...props }: Props<Row>) {
  const [sort, setSort] = useState<Sort>({ column: first, isDown: true });
  const sortBy = props.columns.find(({ id }) => id === sort.column)?.sortBy;
  const rows = sortBy ? sorted(props.rows, sortBy, sort) : props.rows;
  return <DataTable {...props} rows={rows} sort={sort} onSort={setSort} />;
}
