/** Closed-loop HTTP load: each connection sends its next request as soon as it is answered. */

import autocannon from 'autocannon';
import { quantileOf } from './quantile.ts';

export type LoadOptions = {
  url: string;
  method: 'GET' | 'POST';
  /** Called for every request, so that writes can go to a different account each time. */
  headers: () => Record<string, string>;
  body?: string;
  connections: number;
} & ({ seconds: number } | { requests: number });

export type LoadFigures = {
  /** The number of answers. */
  answers: number;
  perSec: number;
  p50Ms: number;
  p99Ms: number;
};

/** @throws Error if any answer was not a success: the speed of refusals is no figure. */
export function load({
  url,
  method,
  headers,
  body,
  connections,
  ...extent
}: LoadOptions): Promise<LoadFigures> {
  const end = 'seconds' in extent ? { duration: extent.seconds } : { amount: extent.requests };
  return new Promise((resolve, reject) => {
    const tookMs: number[] = [];
    const refusals = new Set<number>();
    const setupRequest = (request: autocannon.Request) => ({ ...request, headers: headers() });
    const run = autocannon(
      { url, method, connections, ...end, ...(body && { body }), requests: [{ setupRequest }] },
      (error, result) => {
        const failures = result ? result.non2xx + result.errors : 0;
        if (error) reject(error);
        else if (failures > 0)
          reject(new Error(`${method} ${url} failed ${failures} times: ${[...refusals].join(', ')}`));
        else resolve(figuresOf(tookMs, result.duration));
      },
    );
    run.on('response', (_client, status, _bytes, responseMs) => {
      tookMs.push(responseMs);
      if (status >= 300) refusals.add(status);
    });
  });
}

function figuresOf(tookMs: number[], durationSec: number): LoadFigures {
  return {
    answers: tookMs.length,
    perSec: tookMs.length / durationSec,
    p50Ms: quantileOf(tookMs, 0.5, 3),
    p99Ms: quantileOf(tookMs, 0.99, 3),
  };
}
