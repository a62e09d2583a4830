/** An answer of a simulated venue. */
export type Reply = {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
};

export type MarketRequest = {
  method: string;
  /** Path below the venue's base path, decoded, without a leading slash. */
  path: string;
  query: URLSearchParams;
  /** The parsed body of a POST. */
  body: unknown;
  /** The world's time, on its grid of ticks. */
  nowMs: number;
};

export type Venue = (ask: MarketRequest) => Reply;

export const ok = (body: unknown, headers?: Record<string, string>): Reply =>
  headers === undefined ? { status: 200, body } : { status: 200, body, headers };

/** An integer parameter within bounds, or the default if absent; null if it is malformed or out of bounds. */
export function integer(
  query: URLSearchParams,
  name: string,
  [min, max]: readonly [number, number],
  otherwise: number,
) {
  const text = query.get(name);
  if (text === null || text === '') return otherwise;
  const value = Number(text);
  return /^\d{1,16}$/.test(text) && value >= min && value <= max ? value : null;
}
