import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react';

/** Props by which the height of a row is measured: a card on a phone is as high as its words. */
export type Place = { ref: Ref<HTMLTableRowElement>; 'data-index': number; 'aria-rowindex': number };

type WindowedRowsProps<Row> = {
  rows: readonly Row[];
  children: (row: Row, place: Place) => ReactNode;
};

const ROW_PX = 40;
const OVERSCAN = 4;
/** The head is the first row of a table. */
const FIRST_ROW = 2;

/** The rows of a long table that the window shows, with room for the others. */
export function WindowedRows<Row extends { id: string }>({ rows, children }: WindowedRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const list = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = list.getVirtualItems();
  const before = (items[0]?.start ?? top) - top;
  const after = list.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return (
    <tbody ref={body}>
      <tr aria-hidden className="room" style={{ height: before }} />
      {items.map(({ index }) => {
        const row = rows[index];
        return row
          ? children(row, {
              ref: list.measureElement,
              'data-index': index,
              'aria-rowindex': index + FIRST_ROW,
            })
          : null;
      })}
      <tr aria-hidden className="room" style={{ height: after }} />
    </tbody>
  );
}
