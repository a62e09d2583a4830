import type { PriceRange } from '../../venues/port.ts';

/** Venue A's tapered ladder: tenths of a cent near 0 and 1, cents between. */
export const TAPERED_LADDER: PriceRange[] = [
  { start: '0', end: '0.1', step: '0.001' },
  { start: '0.1', end: '0.9', step: '0.01' },
  { start: '0.9', end: '1', step: '0.001' },
];
