import type { OpenApiRouter } from 'trpc-to-openapi';
import { z } from 'zod';
import type { Context } from '../routers/context.ts';
import { appRouter } from '../routers/index.ts';
import type { RestRoute } from './routes.ts';

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: object }>;

/**
 * A router of one procedure, `call`, for `trpc-to-openapi` to expose: in the router of them all it would try the pattern of each,
 * and call it through two proxies. A call runs what the procedure runs, without the copies that tRPC makes for each middleware.
 *
 * Of the schemas the adapter sees the names in the path alone. By the rest it would change what was sent (any text into `true`),
 * and make a schema for each of their enums with every request. What is sent is read by the facade and checked by the route itself.
 */
export function callableRouter({ name, pathParameters, run }: RestRoute): OpenApiRouter {
  const procedure = procedures[name];
  if (procedure === undefined) throw new Error(`There is no procedure ${name}.`);
  const inputs = [z.looseObject(Object.fromEntries(pathParameters.map((each) => [each, z.string()])))];
  const exposed = { _def: { ...procedure._def, inputs, output: z.unknown() } };
  const createCaller = (ctx: Context) => ({ call: (input: unknown) => run(ctx, input) });
  return {
    ...appRouter,
    createCaller,
    _def: { ...appRouter._def, procedures: { call: exposed } },
  } as unknown as OpenApiRouter;
}
