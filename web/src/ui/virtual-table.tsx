import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

type VirtualTableProps = {
  label: string;
  /** How many rows there are, loaded or not. */
  count: number;
  /** The height of the panel, in rows. */
  visible: number;
  head: ReactNode;
  /** The cells of a row by its index; the first one is 0. */
  row: (index: number) => ReactNode;
  /** The rows rendered now. */
  onRowsRendered: (first: number, last: number) => void;
};

const ROW_PX = 32;
const OVERSCAN = 12;

/** A table of any length that renders only its visible rows. Rows have one height. */
export function VirtualTable({ label, count, visible, head, row, onRowsRendered }: VirtualTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const items = rows.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => onRowsRendered(first, last), [onRowsRendered, first, last]);
  const before = items[0]?.start ?? 0;
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={frame} className="virtual" style={{ height: (Math.min(count, visible) + 1) * ROW_PX + 2 }}>
      <table className="rows" aria-label={label} aria-rowcount={count + 1}>
        <thead>{head}</thead>
        <tbody>
          <tr aria-hidden style={{ height: before }} />
          {items.map(({ index, key }) => (
            <tr key={key} aria-rowindex={index + 2} data-row={index} tabIndex={0}>
              {row(index)}
            </tr>
          ))}
          <tr aria-hidden style={{ height: after }} />
        </tbody>
      </table>
    </div>
  );
}
