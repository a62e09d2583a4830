import { ALIASES, callableOf, matchRoute } from '../../openapi/routes.ts';

/** Prefixes followed by any text of a caller. */
const PREFIXES = ['/api/auth', '/assets', '/docs'] as const;
const FIXED: ReadonlySet<string> = new Set(['/', '/openapi.json', '/asyncapi.json']);
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Maps a method to its label, one of a fixed list. */
export const methodLabel = (method: string): string => (METHODS.has(method) ? method : 'other');

/**
 * Maps a path to its label: the template of its route, the name of its procedure, or `other`. Never contains text that a caller
 * sent, so that the number of labels is bounded.
 */
export function routeLabel(method: string, requestedPath: string): string {
  const path = ALIASES[requestedPath] ?? requestedPath;
  const [, prefix, names] = /^((?:\/live)?\/trpc)\/(.*)$/.exec(path) ?? [];
  if (prefix !== undefined && names !== undefined) return `${prefix}/${procedureLabel(names)}`;
  const route = matchRoute(method === 'HEAD' ? 'GET' : method, path);
  if (route) return route.path;
  if (FIXED.has(path)) return path;
  return PREFIXES.find((each) => path === each || path.startsWith(`${each}/`)) ?? 'other';
}

function procedureLabel(names: string): string {
  if (/,|%2c/i.test(names)) return '(batch)';
  return callableOf(names) === null ? 'other' : names;
}
