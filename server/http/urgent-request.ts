import { callableOf, type RestRoute } from '../../openapi/routes.ts';
import { type Callable, isUrgent } from '../../routers/trpc.ts';

/**
 * Returns the calls of a request: for REST by its route, for tRPC by the names in its path. Empty if one of them is unknown.
 */
export function calledProceduresOf(route: RestRoute | undefined, path: string): readonly Callable[] {
  if (route) return [route];
  const calls = path
    .slice(path.lastIndexOf('/') + 1)
    .split(',')
    .map(callableOf);
  return calls.every((call) => call !== null) ? calls : [];
}

/** Whether a request consists of urgent calls only. */
export const isUrgentRequest = (calls: readonly Callable[]): boolean =>
  calls.length > 0 && calls.every(isUrgent);
