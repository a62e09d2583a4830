import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { DomainError } from '../../engine/errors.ts';
import { type RestRoute, restRoutes } from '../../openapi/routes.ts';
import { toDomainError, viewError } from '../../routers/errors.ts';
import { appRouter } from '../../routers/index.ts';
import { type Principal, scopeOf } from '../../routers/principal.ts';
import { type Context, createCallerFactory } from '../../routers/trpc.ts';

/** What an answer may come to: a model reads all of it. */
export const ANSWER_CHARS_MAX = 100_000;

const callerOf = createCallerFactory(appRouter);

/** The operations an agent is offered: those a key may call whose answer is a value. */
const offered = new Map(
  restRoutes
    .filter(({ access, promises }) => scopeOf(access) !== null && promises.file === null)
    .map((route) => [toolName(route), route] as const),
);

/** A dot is not allowed in every client's tool names. */
function toolName({ name }: Pick<RestRoute, 'name'>): string {
  return name.replaceAll('.', '_');
}

/** The tools a key may use, by its scopes. */
export const toolsFor = (principal: Principal): Tool[] =>
  [...offered.values()].filter((route) => mayUse(principal, route)).map(describeTool);

function mayUse({ scopes }: Principal, { access }: RestRoute): boolean {
  const scope = scopeOf(access);
  return scope !== null && scopes.has(scope);
}

function describeTool(route: RestRoute): Tool {
  const { method, path, meta, access, promises, example, input } = route;
  const isReading = method === 'GET' || promises.idempotent === 'effectless';
  const asked = { ...example.path, ...example.query, ...(example.request as object | undefined) };
  const description = [
    meta.openapi?.description,
    `Needs the scope ${scopeOf(access)}; the same as ${method} ${path}.`,
    ...(Object.keys(asked).length > 0 ? [`Example: ${JSON.stringify(asked)}`] : []),
  ].join('\n');
  return {
    name: toolName(route),
    title: meta.openapi?.summary ?? route.name,
    description,
    inputSchema: inputSchemaOf(input),
    annotations: {
      readOnlyHint: isReading,
      destructiveHint: !isReading && !/\.(create|start)$/.test(route.name),
      openWorldHint: false,
    },
  };
}

function inputSchemaOf(input: z.ZodObject | null): Tool['inputSchema'] {
  const { $schema: _schema, ...schema } = z.toJSONSchema(input ?? z.strictObject({}), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A named format says it in fewer words: a model reads every tool.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return { ...schema, type: 'object' } as Tool['inputSchema'];
}

export type ToolCall = { name: string; input: unknown; idempotencyKey: string | null };

/**
 * Calls the procedure behind a tool as a request of the same key would be: limits, scopes, envelope, approvals and audit are
 * those of the procedure. What is refused is an answer, in the service's words, so that the model can act on it.
 */
export async function callTool(
  ctx: Context,
  { name, input, idempotencyKey }: ToolCall,
  onError: (error: DomainError) => void,
): Promise<CallToolResult> {
  try {
    const replyHeaders = {};
    const answer = JSON.stringify(await answerOf({ ...ctx, replyHeaders }, { name, input, idempotencyKey }));
    if (answer.length > ANSWER_CHARS_MAX) throw tooLong(answer.length);
    return { content: [answer, ...besides(replyHeaders)].map((text) => ({ type: 'text', text })) };
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    onError(refusal);
    const { retryAfterSec } = refusal;
    const told = {
      ...viewError(refusal, ctx.requestId),
      ...(retryAfterSec !== undefined && { retryAfterSec }),
    };
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(told) }] };
  }
}

async function answerOf(ctx: Context, { name, input, idempotencyKey }: ToolCall): Promise<unknown> {
  const route = offered.get(name);
  if (!route)
    throw new DomainError('route_not_found', `There is no tool ${name.slice(0, 64)}: tools/list names them.`);
  const caller = callerOf({ ...ctx, method: 'POST', path: `/mcp/${name}`, idempotencyKey });
  const procedure = route.name
    .split('.')
    .reduce((at, part) => (at as Record<string, unknown>)[part], caller as unknown);
  return (procedure as (input: unknown) => Promise<unknown>)(input ?? {});
}

/** What REST says in headers: where the list goes on. */
function besides({ Link }: { Link?: string }): string[] {
  const nextCursor = Link === undefined ? null : /[?&]cursor=([^&>]+)/.exec(Link)?.[1];
  return nextCursor ? [JSON.stringify({ nextCursor: decodeURIComponent(nextCursor) })] : [];
}

const tooLong = (length: number) =>
  new DomainError(
    'invalid_state',
    `The answer has ${length} characters; a tool answers at most ${ANSWER_CHARS_MAX}. Ask for less, by \`limit\` or a filter.`,
  );
