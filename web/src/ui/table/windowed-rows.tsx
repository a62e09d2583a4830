import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react';

/** Props that measure the height of a row: a card on a phone is as high as its text. */
export type MeasuredRowProps = {
  ref: Ref<HTMLTableRowElement>;
  'data-index': number;
  'aria-rowindex': number;
};

export type WindowedRowsProps = {
  /** Identifies all rows, in their order. */
  ids: readonly string[];
  children: (index: number, measuredProps?: MeasuredRowProps) => ReactNode;
};

const ROW_PX = 40;
const OVERSCAN = 4;
/** The head is the first row of a table. */
const FIRST_ROW = 2;

/** The rows of a long table that are in the window, with space for the others. */
export function WindowedRows({ ids, children }: WindowedRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const list = useWindowVirtualizer<HTMLTableRowElement>({
    count: ids.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => ids[index] ?? index,
  });
  const items = list.getVirtualItems();
  const before = (items[0]?.start ?? top) - top;
  const after = list.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return (
    <tbody ref={body}>
      <tr aria-hidden className="room" style={{ height: before }} />
      {items.map(({ index }) =>
        children(index, {
          ref: list.measureElement,
          'data-index': index,
          'aria-rowindex': index + FIRST_ROW,
        }),
      )}
      <tr aria-hidden className="room" style={{ height: after }} />
    </tbody>
  );
}
