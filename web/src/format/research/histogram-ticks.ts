type Bin = { readonly from: number; readonly to: number };
/** A border with a label: its value, and its distance from the left as a share of the width. */
export type HistogramTick = { readonly value: number; readonly share: number };

const TICKS_MAX = 9;
const EVERY = [1, 2, 5, 10, 20, 50] as const;

/** The borders of equal bins that are labelled: zero, and round multiples of the step on both sides. Pure. */
export function histogramTicks(bins: readonly Bin[]): HistogramTick[] {
  const [first, last] = [bins[0], bins.at(-1)];
  if (!first || !last || first.from === last.to) return [];
  const borders = [...bins.map(({ from }) => from), last.to];
  const zero = borders.indexOf(0);
  const every = EVERY.find((each) => borders.length / each <= TICKS_MAX) ?? borders.length;
  return borders.flatMap((value, at) =>
    (at - zero) % every === 0 ? [{ value, share: at / bins.length }] : [],
  );
}
