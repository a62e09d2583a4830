import { initTRPC, TRPCError } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { Handles } from '../db/pool.ts';
import { accountMoving, hasAccountMoved } from '../engine/platform/account-lock.ts';
import { openWork, type Work } from '../engine/platform/context.ts';
import type { ErrorStatus } from '../engine/platform/error-table.ts';
import { DomainError, type ErrorCode } from '../engine/platform/errors.ts';
import { committedEvents } from '../engine/platform/events/events.ts';
import type { AccountContext, Context, RateLimitResult } from './context.ts';
import { insufficientScope, statusOf, toDomainError, trpcCodeOf, viewError } from './errors.ts';
import { type Access, type Bucket, type Principal, scopesOf, scopesTogether } from './principal.ts';
import type { LiveScope, Scope } from './scopes.ts';

/** A request and its answer as the document shows them; a test checks them against the schemas. */
export type RouteExample = {
  path?: Record<string, string | number>;
  query?: Record<string, string | number>;
  request?: unknown;
  response: unknown;
};

/** A file in a REST answer. */
export type FileKind = {
  media:
    | 'text/html'
    | 'text/csv'
    | 'text/event-stream'
    | 'application/json'
    | 'application/x-ndjson'
    | 'application/vnd.apache.parquet';
  /** The schema of each event of a stream. A stream of `AccountEvent` resumes after an id. */
  items?: 'AccountEvent' | 'StreamedValue';
  /** Its file name for saving; absent if it is displayed. */
  name?: string;
  /** The Content-Security-Policy of a displayed file. */
  policy?: string;
};

/** The promises of a route in addition to its body; `routers/route.ts` enforces them, the document describes them. */
export type RoutePromises = {
  etag: boolean;
  pages: boolean;
  ifMatch: boolean;
  /** The answer to a repetition with the same `Idempotency-Key`: the first answer, or, without an effect, a new one. */
  idempotent: 'kept' | 'effectless' | null;
  /** The error statuses it can answer, ascending. */
  errors: readonly ErrorStatus[];
  /** The kind of a successful answer that is a file. */
  file: FileKind | null;
};

/** `access` guards the call and fills the document's security section. */
export type RouteMeta = OpenApiMeta<{
  access?: Access;
  promises?: RoutePromises;
  example?: RouteExample;
  /** Runs a call of REST. */
  run?: DirectCall;
}>;

/** A call of a route with the checks of its procedure, from its input to its answer. */
export type DirectCall = (ctx: Context, input: unknown) => Promise<unknown>;

/** A stream ends after this long and is resumed: the end of its session is noticed then. */
const STREAM_MAX_MS = 5 * 60_000;

const t = initTRPC
  .context<Context>()
  .meta<RouteMeta>()
  .create({
    isDev: false,
    sse: {
      maxDurationMs: STREAM_MAX_MS,
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 20_000 },
    },
    errorFormatter: ({ shape, error, ctx }) => {
      const refusal = toDomainError(error);
      return {
        ...shape,
        message: refusal.message,
        // A procedure called by the wrong method is as unknown as one that does not exist.
        code: TRPC_ERROR_CODES_BY_KEY[trpcCodeOf(refusal)],
        // A broken stream throws past the middleware that sets the right code on every other error.
        data: {
          ...shape.data,
          code: trpcCodeOf(refusal),
          httpStatus: statusOf(refusal),
          error: viewError(refusal, ctx?.requestId ?? ''),
          // The header of a batch would belong to one of its calls.
          ...(refusal.retryAfterSec !== undefined && { retryAfterSec: refusal.retryAfterSec }),
        },
      };
    },
  });

/** Converts every thrown value to a refusal in our words, with the right code. */
async function mapErrors<Result extends { ok: true } | { ok: false; error: unknown }>(
  ctx: Context,
  call: () => Promise<Result>,
): Promise<Result> {
  let thrown: unknown;
  try {
    const result = await call();
    if (result.ok) return result;
    thrown = result.error;
  } catch (error) {
    thrown = error;
  }
  throw trpcErrorOf(await reasonFor(ctx, thrown));
}

/** Returns any thrown value as a refusal in our words, with the right code. */
function trpcErrorOf(thrown: unknown): TRPCError {
  const refusal = toDomainError(thrown);
  return new TRPCError({ code: trpcCodeOf(refusal), message: refusal.message, cause: refusal });
}

/** Errors of a call that finds nothing of its account. */
const NOTHING_FOUND: ReadonlySet<ErrorCode> = new Set(['not_found', 'internal']);

/** A call that began just before its account moved to another cell: that is the reason, not what it then missed. */
async function reasonFor(ctx: Context, thrown: unknown): Promise<unknown> {
  if (!hasWork(ctx) || !NOTHING_FOUND.has(toDomainError(thrown).code)) return thrown;
  return (await hasAccountMoved(ctx.work).catch(() => false)) ? accountMoving() : thrown;
}

const hasWork = (ctx: Context): ctx is AccountContext => 'work' in ctx;

export type GuardedAccess = Exclude<Access, { kind: 'open' }>;

/** Returns the caller, after all checks that may refuse the call: credentials, limits, scopes, syntax. */
async function admit(ctx: Context, access: GuardedAccess, type: string): Promise<Principal> {
  const { principal } = ctx;
  if (!principal) throw ctx.credentialProblem ?? new Error('No principal and no reason for it.');
  const bucket = bucketOf(access, type);
  const { headers, refusal } = takeCount(ctx, bucket) ?? (await ctx.limits.consume(principal, bucket));
  Object.assign(ctx.replyHeaders, headers);
  if (refusal) throw refusal;
  refuseUnlessAllowed(principal, access);
  refuseLiveTrading(ctx, principal, access, type);
  refuseBrokenRequest(ctx);
  if (bucket !== 'brake') await ctx.enter(principal.accountId);
  if (access.heavy) await ctx.beginHeavyRead(principal.accountId);
  return principal;
}

const takeCount = ({ counted }: Context, bucket: Bucket | 'form') => counted[bucket]?.shift();

/** The facts of a procedure that its limits need. */
export type Callable = { access: Access; type: string };

/**
 * Counts a call before its body is read, so that a refused call costs no parsing.
 *
 * @returns whether the call can get as far as its input.
 */
export async function countCall(ctx: Context, { access, type }: Callable): Promise<boolean> {
  const { principal, counted, limits, operator, address, requestProblem } = ctx;
  if (requestProblem) return false;
  if (access.kind === 'open') {
    if ('isOfOperators' in access)
      return principal !== null && (await operator.standingOf(principal)) !== null;
    if (access.bucket === undefined) return true;
    return noteCount(counted, access.bucket, await limits.consumeForm(address));
  }
  if (!principal) return false;
  const bucket = bucketOf(access, type);
  return noteCount(counted, bucket, await limits.consume(principal, bucket));
}

function noteCount(counted: Context['counted'], bucket: Bucket | 'form', count: RateLimitResult): boolean {
  counted[bucket] = [...(counted[bucket] ?? []), count];
  return count.refusal === null;
}

function refuseUnlessAllowed(principal: Principal, access: GuardedAccess): void {
  if (principal.kind === 'session') return;
  const accepted = scopesOf(access);
  const [needed] = accepted;
  if (needed === undefined) {
    throw DomainError.of('session_required');
  }
  if (!accepted.some((scope) => principal.scopes.has(scope))) throw insufficientScope([needed]);
  const missing = scopesTogether(access)
    .slice(1)
    .filter((scope) => !principal.scopes.has(scope));
  if (missing.length > 0) throw insufficientScope(missing);
}

/** Live books can be read, and their urgent commands work. Other live calls need live trading, and a key its own scope. */
function refuseLiveTrading(ctx: Context, principal: Principal, access: GuardedAccess, type: string): void {
  if (principal.mode !== 'live' || type !== 'mutation' || bucketOf(access, type) === 'brake') return;
  if (!ctx.isLiveOn) throw DomainError.of('live_trading_off');
  requireLiveScope(principal, 'trade:live');
}

/** A session holds every scope. */
export function requireLiveScope({ scopes }: Principal, scope: LiveScope): void {
  if (!scopes.has(scope)) throw insufficientScope([scope]);
}

/** Whether a call ends or cancels something: it has its own bucket and waits for no other request. */
export const isUrgent = ({ access, type }: Callable): boolean =>
  access.kind !== 'open' && bucketOf(access, type) === 'brake';

export function bucketOf(access: GuardedAccess, type: string): Bucket {
  if (access.bucket) return access.bucket;
  if (access.kind === 'scope' && access.scope === 'market_data:read') return 'market_data';
  return type === 'query' ? 'read' : 'write';
}

function refuseBrokenRequest(ctx: Context): void {
  if (ctx.requestProblem) throw ctx.requestProblem;
}

const workOf = (
  { requestId, clock }: Context,
  handles: Handles,
  { accountId, mode, actor }: Principal,
): Work => openWork(handles, { accountId, mode, actor, requestId, clock });

/** Runs a call on behalf of an account with all its checks, which add the account to the context. */
async function runGuarded<Result>(
  ctx: Context,
  { access, type }: Callable & { access: GuardedAccess },
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    const principal = await admit(ctx, access, type);
    const handles = isUrgent({ access, type }) ? ctx.pool : ctx.requests;
    Object.assign(ctx, { principal, work: workOf(ctx, handles, principal) });
    return await run();
  } finally {
    if (type === 'mutation') committedEvents(ctx.pool).emit('work');
    // No part of the outcome, good or bad, is returned before the caller is known.
    if (ctx.confirm !== null) await ctx.confirm();
  }
}

/** Runs a call that needs no credentials. A form that is refused for its content is not counted. */
async function runOpen<Result>(
  ctx: Context,
  access: OpenAccess,
  run: () => Promise<Result>,
): Promise<Result> {
  const count = access.bucket && takeCount(ctx, access.bucket);
  try {
    if (count?.refusal) throw count.refusal;
    if (!('isOfOperators' in access)) refuseBrokenRequest(ctx);
    return await run();
  } catch (error) {
    if (count && statusOf(toDomainError(error)) === 400) await ctx.limits.forgiveForm(ctx.address);
    throw error;
  }
}

/**
 * Runs a call with the checks of its procedure and without tRPC, whose middlewares copy the call several times.
 *
 * @throws TRPCError with the refusal as its cause
 */
export async function runDirectly<Result>(
  ctx: Context,
  { access, type }: Callable,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await (access.kind === 'open'
      ? runOpen(ctx, access, run)
      : runGuarded(ctx, { access, type }, run));
  } catch (error) {
    throw trpcErrorOf(await reasonFor(ctx, error));
  }
}

/**
 * One middleware for all checks: each costs tRPC two copies of its input. The context is not copied: the additions are the same
 * for every call of a batch.
 */
export const guardedProcedure = (access: GuardedAccess) =>
  t.procedure
    .meta({ access })
    .use(({ ctx, type, next }) =>
      mapErrors(ctx, () =>
        runGuarded(ctx, { access, type }, () => next<Pick<AccountContext, 'principal' | 'work'>>({})),
      ),
    );

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

type OpenAccess = Extract<Access, { kind: 'open' }>;

/** A procedure that needs no credentials. */
export const openProcedure = (access: OpenAccess = { kind: 'open' }) =>
  t.procedure
    .meta({ access })
    .use(({ ctx, next }) => mapErrors(ctx, () => runOpen(ctx, access, () => mapErrors(ctx, () => next()))));

/** A procedure on behalf of an account. It requires a statement of its permitted callers. */
export const procedure = (access: { scope: Scope; also?: Scope; bucket?: Bucket; heavy?: true }) =>
  guardedProcedure({ kind: 'scope', ...access });

/** A procedure only a web session may call, or also a key that holds `orScope`. */
export const sessionProcedure = (access: { orScope?: Scope; bucket?: Bucket; heavy?: true } = {}) =>
  guardedProcedure({ kind: 'session', ...access });
