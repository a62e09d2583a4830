import { z } from 'zod';
import { appRouter } from '../routers/index.ts';
import type { Access } from '../routers/principal.ts';
import type { Callable, DirectCall, RouteExample, RouteMeta, RoutePromises } from '../routers/trpc.ts';

/** One REST operation, derived from the procedure behind it. */
export type RestRoute = {
  /** The procedure's name, such as `blueprints.deploy`. */
  name: string;
  method: string;
  path: string;
  /** `query` or `mutation`. */
  type: string;
  meta: RouteMeta;
  access: Access;
  promises: RoutePromises;
  example: RouteExample;
  /** Whether anybody may call it. */
  open: boolean;
  pathParameters: readonly string[];
  /** Query parameters that are integers, read by an exact grammar before the schema sees them. */
  integers: ReadonlySet<string>;
  takesBody: boolean;
  run: DirectCall;
  input: z.ZodObject | null;
  output: z.ZodType;
};

type Matcher = { route: RestRoute; pattern: RegExp };

/** The parts of a procedure that tRPC keeps to itself. At run time the record is flat, whatever its type says. */
type Definition = { _def: { type: string; meta?: RouteMeta; inputs: unknown[]; output?: unknown } };
const procedures = appRouter._def.procedures as unknown as Record<string, Definition>;

/** The procedure of this name as its limits see it, or null where there is none. */
export function callableOf(name: string): Callable | null {
  const definition = Object.hasOwn(procedures, name) ? procedures[name]?._def : undefined;
  const access = definition?.meta?.access;
  return definition && access ? { access, type: definition.type } : null;
}

const matchers: Matcher[] = Object.entries(procedures).flatMap(([name, { _def }]) => {
  const { type, meta, inputs, output } = _def;
  if (!meta?.openapi) return [];
  const { access, promises, example, run } = meta;
  if (!access || !promises || !example || !run)
    throw new Error(`${name} stands on REST, so it has to be a route().`);
  const { method, path } = meta.openapi;
  const [input = null] = inputs;
  if (!(output instanceof z.ZodType) || (input !== null && !(input instanceof z.ZodObject))) {
    throw new Error(`${name} needs an object as input and a zod schema as output to stand on REST.`);
  }
  const route: RestRoute = {
    name,
    method,
    path,
    type,
    meta,
    access,
    promises,
    example,
    open: access.kind === 'open',
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter),
    integers: new Set(input ? integerFields(input) : []),
    takesBody: method === 'POST' || method === 'PUT' || method === 'PATCH',
    run,
    input,
    output,
  };
  return [{ route, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }];
});

/** Paths that answer as another does: the liveness check is looked for at both. */
export const ALIASES: Readonly<Record<string, string>> = { '/api/health': '/health' };

/** Every REST operation there is. */
export const restRoutes: readonly RestRoute[] = matchers.map(({ route }) => route);

const fixed = new Map(restRoutes.map((route) => [`${route.method} ${route.path}`, route]));

/** The route of a request, by exact path and method, or null. What leads somewhere else, such as `..`, is no parameter. */
export function matchRoute(method: string, path: string): RestRoute | null {
  const known = fixed.get(`${method} ${path}`);
  if (known && known.pathParameters.length === 0) return known;
  const found = matchers.find(({ route, pattern }) => route.method === method && pattern.test(path));
  return found?.pattern.test(new URL(path, 'http://localhost').pathname) ? found.route : null;
}

function integerFields(input: z.ZodObject): string[] {
  return Object.entries(input.shape).flatMap(([name, schema]) => (isInteger(schema) ? [name] : []));
}

function isInteger(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional) return isInteger(schema.unwrap());
  return schema instanceof z.ZodPipe && schema.in instanceof z.ZodNumber;
}
