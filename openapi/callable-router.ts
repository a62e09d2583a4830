import type { OpenApiRouter } from 'trpc-to-openapi';
import { z } from 'zod';
import { appRouter } from '../routers/index.ts';
import { restRoutes } from './routes.ts';

/** What the adapter reads of a procedure; it calls it by its name. */
type Definition = { _def: object };
const procedures = appRouter._def.procedures as unknown as Record<string, Definition>;

/**
 * The procedures as `trpc-to-openapi` finds and calls them: of their inputs it sees the names in the path alone. By the rest it
 * would change what was sent (any text into `true`), and it makes a schema for each of their enums with every request. What
 * is sent is read by the facade and checked by the procedure itself.
 */
export const callableRouter = {
  ...appRouter,
  _def: { ...appRouter._def, procedures: { ...procedures, ...namedByPath() } },
} as unknown as OpenApiRouter;

function namedByPath(): Record<string, Definition> {
  return Object.fromEntries(
    restRoutes.map(({ name, pathParameters }) => {
      const inputs = [z.looseObject(Object.fromEntries(pathParameters.map((each) => [each, z.string()])))];
      return [name, { _def: { ...procedures[name]?._def, inputs } }];
    }),
  );
}
