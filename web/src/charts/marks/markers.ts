import type { Marker } from '../layers.ts';

/** Markers of one side that are too near each other to be drawn separately. */
export type MarkerCluster = Marker & { count: number };

/** The width of a marker with its count. */
const MARKER_PX = 18;

/** The stretch of time of one cluster: a power of two, so that panning does not regroup them. */
export function slotSec(visibleSec: number, widthPx: number): number {
  const wide = (visibleSec * MARKER_PX) / Math.max(1, widthPx);
  return 2 ** Math.ceil(Math.log2(Math.max(1, wide)));
}

/** Joins markers of one side and one slot of time, at the first of them. None is lost: their counts sum to all. */
export function clusterMarkers(markers: readonly Marker[], slot: number): MarkerCluster[] {
  const found = new Map<string, MarkerCluster>();
  for (const { at, side, price } of markers) {
    const key = `${side} ${Math.floor(Date.parse(at) / 1_000 / slot)}`;
    const of = found.get(key);
    if (of) of.count++;
    else found.set(key, { at, side, price, count: 1 });
  }
  return [...found.values()];
}

/** Joins the fills of one instrument, in order of time, into cycles: buys, and the sells that follow them. */
export function cyclesOf(markers: readonly Marker[]): Marker[][] {
  const cycles: Marker[][] = [];
  let before: Marker['side'] = 'sell';
  for (const marker of markers) {
    const open = cycles.at(-1);
    if (open === undefined || (marker.side === 'buy' && before === 'sell')) cycles.push([marker]);
    else open.push(marker);
    before = marker.side;
  }
  return cycles;
}
