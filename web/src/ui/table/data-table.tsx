import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { type Message, t } from '../../language/language.ts';
import { useHiddenColumns } from '../../settings/tables.ts';
import { onDemand } from '../help/on-demand.tsx';
import { columnTitleOf } from './column-title.ts';
import { type Sort, type SortValue, toggleSort } from './sort.ts';
import type { MeasuredRowProps, WindowedRowsProps } from './windowed-rows.tsx';

/** First line: lead, amount, name and, at its end, the price. Second: state, detail and, at its end, the time. */
type CardPlace = 'lead' | 'amount' | 'name' | 'price' | 'state' | 'detail' | 'time';

export type Column<Row> = {
  id: string;
  title: string | Message;
  /** The title is a user's own word: it is shown as it is. */
  isOwn?: true;
  cell: (row: Row) => ReactNode;
  /** Right-aligned figures. */
  isNumber?: true;
  /** The source of the rows can sort them by it. */
  isSortable?: true;
  /** The page sorts by it, in a `SortedTable`. */
  sortBy?: (row: Row) => SortValue;
  /** Hidden first when the table is narrow and not yet cards. */
  isLesser?: true;
  /** Its place in a card of two lines, on a phone; a column without one is not in it. */
  card?: CardPlace | ((row: Row) => CardPlace | undefined);
  /** The class and title of the cell. */
  cellProps?: (row: Row) => { className?: string | undefined; title?: string | undefined };
};

type Selection = { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void };

export type DataTableProps<Row> = {
  /** The key of the user's column choice. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  /** The text that a row's key copies; by default its id. */
  copyOf?: (row: Row) => string;
  sort: Sort;
  /** Absent if the order is fixed. */
  onSort?: ((sort: Sort) => void) | undefined;
  rowProps?: (row: Row) => ComponentProps<'tr'>;
  /** The actions of a row, at its end. */
  actions?: (row: Row) => ReactNode;
  selection?: Selection | undefined;
  /** Rows of few facts, which are beside each other in a card: the styles name which. */
  isCompact?: true;
};

/** A longer table renders only the rows in the window. */
const WHOLE_MAX = 40;

/** The most that HTML allows. */
const ALL_COLUMNS = 1_000;

const firstRows = ({ ids, children }: WindowedRowsProps) =>
  ids.slice(0, WHOLE_MAX).map((_, index) => children(index));

/** Its library weighs 10 kB and few tables are long: the first rows are shown until it is loaded, also if that fails. */
const WindowedRows = onDemand<WindowedRowsProps>(
  async () => (await import('./windowed-rows.tsx')).WindowedRows,
  (props) => <tbody>{firstRows(props)}</tbody>,
  (notice, props) => (
    <tbody>
      <tr>
        <td colSpan={ALL_COLUMNS}>{notice}</td>
      </tr>
      {firstRows(props)}
    </tbody>
  ),
);

/** A table of rows with ids: columns can be chosen and sorted by, and rows become cards on a narrow screen. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { name, columns, rows, nameOf, copyOf, sort, onSort, rowProps, actions, selection, isCompact } =
    props;
  const hidden = useHiddenColumns(name);
  const visible = columns.filter(({ id }) => !hidden.includes(id));
  const isLong = rows.length > WHOLE_MAX;
  const isBrief = visible.some(({ card }) => card !== undefined);
  const rowOf = (row: Row, measuredProps?: MeasuredRowProps) => (
    <tr
      key={row.id}
      data-row={copyOf?.(row) ?? row.id}
      aria-label={nameOf(row)}
      {...measuredProps}
      {...rowProps?.(row)}
    >
      {selection ? (
        <td className="choosing">
          <Choose id={row.id} name={nameOf(row)} {...selection} />
        </td>
      ) : null}
      {visible.map((column) => {
        const { className, ...more } = column.cellProps?.(row) ?? {};
        return (
          <td
            key={column.id}
            data-column={column.id}
            data-label={columnTitleOf(column)}
            data-card={typeof column.card === 'function' ? column.card(row) : column.card}
            className={classOf(column, className)}
            {...more}
          >
            {column.cell(row)}
          </td>
        );
      })}
      {actions ? <td className="num">{actions(row)}</td> : null}
    </tr>
  );
  return (
    <table
      className={`rows cards${isCompact ? ' compact' : ''}${isBrief ? ' brief' : ''}`}
      aria-rowcount={isLong ? rows.length + 1 : undefined}
    >
      <thead>
        <tr>
          {selection ? (
            <th>
              <ChooseAll rows={rows} {...selection} />
            </th>
          ) : null}
          {visible.map((column) => (
            <Head key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
          {actions ? (
            <th>
              <span className="sr">{t('Actions')}</span>
            </th>
          ) : null}
        </tr>
      </thead>
      {isLong ? (
        <WindowedRows ids={rows.map(({ id }) => id)}>
          {(index, measuredProps) => {
            const row = rows[index];
            return row ? rowOf(row, measuredProps) : null;
          }}
        </WindowedRows>
      ) : (
        <tbody>{rows.map((row) => rowOf(row))}</tbody>
      )}
    </table>
  );
}

/** Figures have a style of their own. */
function classOf(
  { isNumber, isLesser }: Pick<Column<never>, 'isNumber' | 'isLesser'>,
  cellProps?: string,
): string | undefined {
  const classes = [isNumber ? 'num' : cellProps, isLesser ? 'lesser' : undefined].filter(Boolean);
  return classes.length === 0 ? undefined : classes.join(' ');
}

type HeadProps = {
  column: Pick<Column<never>, 'id' | 'title' | 'isOwn' | 'isNumber' | 'isLesser' | 'isSortable' | 'sortBy'>;
  sort: Sort;
  onSort: ((sort: Sort) => void) | undefined;
};

function Head({ column, sort, onSort }: HeadProps) {
  const { id, isSortable, sortBy } = column;
  const isBy = sort.column === id;
  if (!(isSortable || sortBy) || !onSort) return <th className={classOf(column)}>{columnTitleOf(column)}</th>;
  const Arrow = sort.isDown ? ArrowDown : ArrowUp;
  return (
    <th className={classOf(column)} aria-sort={isBy ? (sort.isDown ? 'descending' : 'ascending') : undefined}>
      <button type="button" className="sort" onClick={() => onSort(toggleSort(sort, id))}>
        {columnTitleOf(column)}
        {isBy ? <Arrow size={12} aria-hidden /> : null}
      </button>
    </th>
  );
}

function ChooseAll({ rows, chosen, onChange }: { rows: readonly { id: string }[] } & Selection) {
  const isAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  return (
    <label className="choose">
      <span className="sr">{t('Choose all rows shown')}</span>
      <input
        type="checkbox"
        checked={isAll}
        onChange={() => onChange(isAll ? new Set() : new Set(rows.map(({ id }) => id)))}
      />
    </label>
  );
}

function Choose({ id, name, chosen, onChange }: { id: string; name: string } & Selection) {
  const toggle = () => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    // Choosing a row does not open it.
    <label
      className="choose"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <span className="sr">{t('Choose {name}', { name })}</span>
      <input type="checkbox" checked={chosen.has(id)} onChange={toggle} />
    </label>
  );
}
