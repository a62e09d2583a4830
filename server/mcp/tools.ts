import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { DomainError } from '../../engine/platform/errors.ts';
import { isObject } from '../../engine/strategy/graph/json.ts';
import { type RestRoute, restRoutes } from '../../openapi/routes.ts';
import type { Context } from '../../routers/context.ts';
import { appRouter } from '../../routers/index.ts';
import { type Principal, scopeOf, scopesTogether } from '../../routers/principal.ts';
import { etagOf, type Reply } from '../../routers/reply.ts';
import { createCallerFactory } from '../../routers/trpc.ts';
import type { AnswerBudget } from './answer-budget.ts';
import { describeTool, isReadingRoute } from './describe.ts';
import { parseGraph } from './graph-input.ts';
import { guidesTool, readGuide } from './guides.ts';
import { type OwnArguments, ownArguments } from './own-arguments.ts';
import { unknownTool } from './refusal.ts';
import { type Answered, leanValue, resultOf, rowsThatFit, shortened } from './tool-answer.ts';
import { type SelectedTools, toolsetsOf } from './toolsets.ts';
import { waitForJob } from './wait-for-job.ts';

const callerOf = createCallerFactory(appRouter);

/** The operations offered to an agent: callable with a key, and with a JSON value as answer. */
const offered = new Map(
  restRoutes
    .filter(({ access, promises }) => scopeOf(access) !== null && promises.file === null)
    .map((route) => [toolName(route), route] as const),
);

/** Some clients do not allow a dot in tool names. */
function toolName({ name }: Pick<RestRoute, 'name'>): string {
  return name.replaceAll('.', '_');
}

type Described = { tool: Tool; chars: number };
type ToolList = { tools: readonly Tool[]; chars: number };

/** Descriptions of tools, computed once: a schema takes longer to build than an answer to send. */
const described = new Map<RestRoute, Described>();
const guides: Described = { tool: guidesTool, chars: JSON.stringify(guidesTool).length };

/** Lists the tools of these sets that a key may use, by its scopes, and the list's length in characters. */
export function toolsFor(
  { scopes }: Pick<Principal, 'scopes'>,
  { toolsets, isReadonly }: SelectedTools,
): ToolList {
  const all = [...offered.values()].filter((route) => {
    const needed = scopesTogether(route.access);
    const isReading = isReadingRoute(route);
    const isSelected = toolsetsOf(route, isReading).some((set) => toolsets.has(set));
    return needed.every((scope) => scopes.has(scope)) && isSelected && (isReading || !isReadonly);
  });
  const tools = [guides, ...all.map(describedOnce)];
  return { tools: tools.map(({ tool }) => tool), chars: tools.reduce((sum, { chars }) => sum + chars, 0) };
}

function describedOnce(route: RestRoute): Described {
  const known = described.get(route);
  if (known) return known;
  const tool = describeTool(route, toolName(route));
  const made = { tool, chars: JSON.stringify(tool).length };
  described.set(route, made);
  return made;
}

/** Whether a message calls a tool that stops, cancels or closes: such a call is counted in the bucket of urgent calls. */
export function isUrgentCall(message: unknown): boolean {
  const { method, params } = isObject(message) ? message : {};
  const { name } = isObject(params) ? params : {};
  return method === 'tools/call' && typeof name === 'string' && offered.get(name)?.access.bucket === 'brake';
}

export type ToolCall = {
  name: string;
  input: unknown;
  idempotencyKey: string | null;
  selected: SelectedTools;
  /** Characters left for the answers of this request. */
  share: AnswerBudget;
};

type Calling = { ctx: Context & { principal: Principal }; route: RestRoute; idempotencyKey: string | null };

/**
 * Calls the procedure behind a tool as a request with the same key would. Limits, scopes, spending limits, approvals and audit
 * are those of the procedure.
 *
 * @throws DomainError as the procedure does.
 */
export async function callTool(ctx: Calling['ctx'], { share, ...call }: ToolCall): Promise<CallToolResult> {
  const result = resultOf(await answerOf(ctx, call), ctx.requestId);
  share.take(JSON.stringify(result.content).length);
  return result;
}

async function answerOf(
  ctx: Calling['ctx'],
  { name, input: sent, idempotencyKey, selected }: Omit<ToolCall, 'share'>,
): Promise<Answered> {
  if (name === guidesTool.name) return readGuide(sent);
  const route = offered.get(name);
  if (!route) throw unknownTool(name, [...offered.keys()]);
  const isReading = isReadingRoute(route);
  if (selected.isReadonly && !isReading) throw readOnly(name);
  const { own, input } = ownArguments(parseGraph(sent), route);
  const calling = { ctx, route, idempotencyKey };
  const read = (args: unknown) => called(calling, args, own);
  if (route.promises.pages) return pageThatFits(read, input);
  const answered =
    own.waitSec === undefined ? await read(input) : await waitForJob(ctx, own.waitSec, () => read(input));
  return shortened(answered, isReading);
}

async function called(
  { ctx, route, idempotencyKey }: Calling,
  input: unknown,
  own: OwnArguments,
): Promise<Answered> {
  const replies: Reply[] = [];
  const ifMatch = own.expectedVersion === undefined ? null : etagOf(own.expectedVersion);
  const path = `/mcp/${toolName(route)}`;
  const caller = callerOf({ ...ctx, method: 'POST', path, replies, idempotencyKey, ifMatch });
  const procedure = route.name
    .split('.')
    .reduce((at, part) => (at as Record<string, unknown>)[part], caller as unknown);
  const value = await (procedure as (input: unknown) => Promise<unknown>)(input);
  return { value: leanValue(route.name, value, own), extras: replies[0]?.extras ?? {} };
}

/** The default page size. */
const ROWS = 20;

/** Reads a page again with fewer rows if it is too long. Its cursor then continues after the last row of the answer. */
async function pageThatFits(read: (input: unknown) => Promise<Answered>, input: unknown): Promise<Answered> {
  const args = isObject(input) ? input : {};
  for (let limit = args['limit'] ?? ROWS; ; ) {
    const answered = await read({ ...args, limit });
    const rows = Array.isArray(answered.value) ? answered.value : [];
    const fit = rowsThatFit(rows);
    // A single row that is too long is answered, or refused, as it is.
    if (fit === rows.length || rows.length === 1) return answered;
    limit = Math.max(1, fit);
  }
}

const readOnly = (name: string) =>
  new DomainError(
    'invalid_state',
    `${name} changes something, and this address is read-only. Connect without readonly=1.`,
  );
