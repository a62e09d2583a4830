import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isObject } from '../../engine/strategy/graph/json.ts';
import type { RestRoute } from '../../openapi/routes.ts';
import { validationFailed } from '../../routers/errors.ts';
import { validationMessageOf } from '../../routers/validation-messages.ts';

/** The longest wait of a tool for a job. */
export const WAIT_SEC_MAX = 25;

const OWN = z.strictObject({
  expectedVersion: z.int().min(1).max(999_999_999).meta({
    description: 'The `version` that came with what you read; refused where it is another by now.',
  }),
  waitSec: z
    .int()
    .min(0)
    .max(WAIT_SEC_MAX)
    .meta({ description: 'Answers once the job has ended, or after this long.' }),
  types: z
    .array(z.string().max(60))
    .max(30)
    .meta({ description: 'Types to describe with all their settings.' }),
});
const OwnSent = OWN.partial();
type OwnName = keyof typeof OWN.shape;

/** Arguments of a tool that its operation does not have. */
export type OwnArguments = z.output<typeof OwnSent>;

const JOBS = new Set(['backtests.read', 'sweeps.read']);

function namesOf({ name, promises }: RestRoute): readonly OwnName[] {
  if (promises.ifMatch) return ['expectedVersion'];
  if (JOBS.has(name)) return ['waitSec'];
  return name === 'blueprints.nodeTypes' ? ['types'] : [];
}

export function withOwnArguments(schema: Tool['inputSchema'], route: RestRoute): Tool['inputSchema'] {
  const names = namesOf(route);
  if (names.length === 0) return schema;
  const own = z.toJSONSchema(z.object(Object.fromEntries(names.map((name) => [name, OWN.shape[name]]))));
  return { ...schema, properties: { ...schema.properties, ...(own.properties as object) } };
}

/**
 * Separates them from the arguments of the operation.
 *
 * @throws DomainError `validation_failed`.
 */
export function ownArguments(sent: unknown, route: RestRoute): { own: OwnArguments; input: unknown } {
  if (!isObject(sent)) return { own: {}, input: sent };
  const names = new Set<string>(namesOf(route));
  const isOwn = ([name]: [string, unknown]) => names.has(name);
  const fields = Object.entries(sent);
  const read = OwnSent.safeParse(Object.fromEntries(fields.filter(isOwn)), { error: validationMessageOf });
  if (!read.success) throw validationFailed(read.error);
  return { own: read.data, input: Object.fromEntries(fields.filter((field) => !isOwn(field))) };
}
