/** A stretch of time of a chart, in epoch seconds. */
export type Zoom = readonly [number, number];

const FORM = /^(\d{1,11})-(\d{1,11})$/;

/** The stretch of time in an address, `1764200000-1764230000`; null if there is none. */
export function readZoom(word: string | undefined): Zoom | null {
  const [, from, to] = FORM.exec(word ?? '') ?? [];
  if (from === undefined || to === undefined || Number(from) >= Number(to)) return null;
  return [Number(from), Number(to)];
}

export const writeZoom = (zoom: Zoom | null): string | undefined =>
  zoom === null ? undefined : zoom.map((sec) => Math.max(0, Math.round(sec))).join('-');
