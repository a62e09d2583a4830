import { pathOf } from '../format/research/sparkline.ts';

const ROOM_PX = 2;

type SparklineProps = {
  values: readonly number[];
  /** What the line says, in words. */
  label: string;
  width?: number;
  height?: number;
  /** Of its own tone where rising is not better than falling. */
  isNeutral?: boolean;
};

/** A line in a line of text: how it went, without axes. */
export function Sparkline({ values, label, width = 96, height = 24, isNeutral = false }: SparklineProps) {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined || values.length < 2) return <span className="dim">—</span>;
  const tone = isNeutral || last === first ? 'flat' : last > first ? 'up' : 'down';
  return (
    <svg
      className={`sparkline ${tone}`}
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`${-ROOM_PX} ${-ROOM_PX} ${width + 2 * ROOM_PX} ${height + 2 * ROOM_PX}`}
    >
      <path d={pathOf(values, { width, height })} />
    </svg>
  );
}
