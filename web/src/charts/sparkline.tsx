import { sparklinePath } from '../format/research/sparkline.ts';

const ROOM_PX = 2;

type SparklineProps = {
  values: readonly number[];
  /** A description of the line in words. */
  label: string;
  width?: number;
  height?: number;
  /** A neutral tone, where rising is not better than falling. */
  isNeutral?: boolean;
};

/** A line that ends at the current number, which is shown beside it and read more often. */
export const upToNow = (line: readonly number[], now: number | undefined): readonly number[] =>
  line.length === 0 || now === undefined ? line : [...line, now];

/** A small chart within a line of text, without axes. */
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
      <path d={sparklinePath(values, { width, height })} />
    </svg>
  );
}
