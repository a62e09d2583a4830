import type { Point } from '../../../../charts/layers.ts';
import { pointsSince, rebased } from '../../../../charts/strategy-layers.ts';

/** A curve of the same strategy from another source, drawn over its equity. */
export type BesideCurve =
  | { readonly kind: 'loading' | 'none' | 'failed' | 'unscaled' }
  /** It ended before the range: nothing of it is drawn. */
  | { readonly kind: 'before'; readonly endedAt: string }
  | { readonly kind: 'curve'; readonly points: readonly Point[] };

/** Scales equity to begin with `onto`, from an instant on. Pure. */
export function besideCurve(
  equity: readonly { at: string; equity: number }[],
  { onto, sinceMs }: { onto: readonly Point[]; sinceMs: number },
): BesideCurve {
  const whole = equity.map(({ at, equity: value }) => ({ at, value }));
  const last = whole.at(-1);
  if (last === undefined) return { kind: 'none' };
  const scaled = rebased(whole, onto);
  if (scaled === null) return { kind: 'unscaled' };
  const points = pointsSince(scaled, sinceMs);
  return points.length === 0 ? { kind: 'before', endedAt: last.at } : { kind: 'curve', points };
}
