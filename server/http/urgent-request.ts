import { callableOf, type RestRoute } from '../../openapi/routes.ts';
import { type Callable, isUrgent } from '../../routers/trpc.ts';

/** The calls of a request: of REST by its route, of tRPC by the names in its path; none where one of them is unknown. */
export function callsOf(route: RestRoute | undefined, path: string): readonly Callable[] {
  if (route) return [route];
  const calls = path
    .slice(path.lastIndexOf('/') + 1)
    .split(',')
    .map(callableOf);
  return calls.every((call) => call !== null) ? calls : [];
}

/** Whether a request asks for brakes alone. */
export const isUrgentRequest = (calls: readonly Callable[]): boolean =>
  calls.length > 0 && calls.every(isUrgent);
