import { fineShare } from '../format/number.ts';
import type { Layer, Point } from './layers.ts';

/** The drawdown of a curve, drawn under it. Shares of the peak, 0 and below. */
export const drawdownLayer = (points: readonly Point[]): Layer => ({
  kind: 'below',
  points,
  write: fineShare,
  step: 0.0001,
  pane: 1,
});
