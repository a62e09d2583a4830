import { Counter, Histogram, type Registry } from 'prom-client';
import { ERRORS } from '../../engine/platform/error-table.ts';
import type { DomainError } from '../../engine/platform/errors.ts';
import type { Limits } from '../../routers/context.ts';
import type { Bucket } from '../../routers/principal.ts';
import { type EndedRequest, endedRequests } from '../http-kit/ended-requests.ts';
import { methodLabel, routeLabel } from './route-label.ts';

const BUCKETS_SEC = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts requests by route and status. Returns a function that stops it. */
export function countRequests(register: Registry): () => void {
  const seconds = new Histogram({
    name: 'trading_http_request_duration_seconds',
    help: 'Requests until they ended, by template of the route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SEC,
    registers: [register],
  });
  const count = (message: unknown) => {
    const { method, path, status, ms } = message as EndedRequest;
    const labels = { method: methodLabel(method), route: routeLabel(method, path), status };
    seconds.observe(labels, ms / 1_000);
  };
  endedRequests.subscribe(count);
  return () => void endedRequests.unsubscribe(count);
}

/** Counts refusals by their code: not signed in, rate limited, no database. */
export function refusalCounter(register: Registry): (error: DomainError) => void {
  const refusals = new Counter({
    name: 'trading_http_refusals_total',
    help: 'Calls that were refused, by the code of the error',
    labelNames: ['code'],
    registers: [register],
  });
  for (const code of Object.keys(ERRORS)) refusals.inc({ code }, 0);
  return ({ code }) => refusals.inc({ code });
}

/** Wraps limits so that refusals are counted by bucket. */
export function countLimitRefusals(register: Registry, limits: Limits): Limits {
  const exceeded = new Counter({
    name: 'trading_rate_limited_total',
    help: 'Calls past a rate limit, by bucket',
    labelNames: ['bucket'],
    registers: [register],
  });
  return {
    consume: async (principal, bucket: Bucket) => {
      const consumed = await limits.consume(principal, bucket);
      if (consumed.refusal) exceeded.inc({ bucket });
      return consumed;
    },
    consumeForm: (address) => limits.consumeForm(address),
    forgiveForm: (address) => limits.forgiveForm(address),
  };
}
