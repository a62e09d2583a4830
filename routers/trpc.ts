import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { Json } from '../db/json.ts';
import type { Handles, Pool, Share } from '../db/pool.ts';
import type { ChannelPlace } from '../engine/notifications/channels.ts';
import { type Clock, openWork, type Work } from '../engine/platform/context.ts';
import type { ErrorStatus } from '../engine/platform/error-table.ts';
import { DomainError } from '../engine/platform/errors.ts';
import { committedEvents } from '../engine/platform/events/events.ts';
import type { PriceSource } from '../engine/platform/price-source.ts';
import type { BacktestRow } from '../engine/research/backtests/row.ts';
import type { Stood } from '../engine/research/playback/step.ts';
import type { KeyWrapper } from '../engine/trading/connections/credentials/key-ring.ts';
import type { TradingSettings } from '../engine/trading/orders/settings.ts';
import type { DemoConnection } from '../venues/demo-members.ts';
import type { MarketData } from '../venues/port.ts';
import { insufficientScope, statusOf, toDomainError, trpcCodeOf, viewError } from './errors.ts';
import { type Access, type Bucket, type Principal, scopesOf } from './principal.ts';
import type { Reply } from './reply.ts';
import type { LiveScope, Scope } from './scopes.ts';

/** What every procedure may use, whoever calls it and over whichever transport. */
export type Services = {
  pool: Pool;
  /** The share of the pool that requests get by; brakes have the whole pool. */
  requests: Share;
  clock: Clock;
  market: MarketData;
  trading: TradingSettings;
  /** Whether real money may be traded with here. */
  isLiveOn: boolean;
  limits: Limits;
  live: Live;
  /** Signs cursors, so that nobody makes one up. */
  cursorSecret: string;
  /** Whether no process lives that would send orders. */
  isRunnerMissing: () => boolean;
  /** Number of shards deployments are spread over. */
  shardCount: number;
  /** Wakes whoever sends orders, after a commit that queued one. */
  nudgeOrders: () => void;
  /** Wakes whoever runs backtests, after a commit that queued or canceled one. */
  nudgeBacktests: () => void;
  /** Wakes whoever tells channels, after a commit that put something in line. */
  nudgeNotifications: () => void;
  /** What channels of notifications need to know of where the service runs. */
  channels: ChannelPlace;
  /**
   * Plays a backtest up to an instant, and says how everything stood then.
   *
   * @throws DomainError `upstream_unavailable` where its history is gone or it takes too long.
   */
  stepBacktest: (row: BacktestRow, at: string) => Promise<Stood>;
  /** How people come in besides by e-mail and password, whether new ones may, and whose prices this process was given. */
  entrance: {
    signUp: boolean;
    providers: readonly string[];
    prices: PriceSource;
    demo: boolean;
    /** Whether a forgotten password is helped by mail. */
    mail: boolean;
  };
  /** What connects the members of simulated venues that were made for looking around; empty where there are none. */
  demoConnections: readonly DemoConnection[];
  /** What credentials of venues are sealed with; null where none are kept. */
  credentialKeys: KeyWrapper | null;
  /**
   * Asks whoever is signed in for the password once more.
   *
   * @throws DomainError `password_required`, `too_many_auth_failures`.
   */
  confirmPassword: (principal: Principal, password: string) => Promise<void>;
  /** What is stored of whoever is signed in. @throws DomainError `session_required`. */
  person: (principal: Principal) => Promise<Json>;
  /** Where whoever is signed in is signed in. @throws DomainError `session_required`. */
  sessionsOf: (principal: Principal) => Promise<SignedInSession[]>;
  /** Ends what runs for an account and every way into it. @throws DomainError `invalid_state` with what has to be done first. */
  leave: (work: Work, principal: Principal) => Promise<void>;
  /** Why this process cannot serve right now, or null. */
  unreadiness: () => Promise<DomainError | null>;
};

/** A session as its person sees it. */
export type SignedInSession = {
  id: string;
  startedAt: string;
  seenAt: string;
  address: string | null;
  agent: string | null;
  isCurrent: boolean;
};

/** Wakes readers of an account's events; see `server/http/live.ts`. */
export type Live = {
  /** Resolves when the account may have new events, after `waitMs`, or when the signal aborts. */
  wake(accountId: string, waitMs: number, signal: AbortSignal): Promise<void>;
  /** Aborts when the process stops. */
  readonly ended: AbortSignal;
};

/** What counting a call came to: the headers that say what is left, also of a call that is refused. */
export type Consumed = { headers: Record<string, string>; refusal: DomainError | null };

/** Counts calls. */
export type Limits = {
  consume(principal: Principal, bucket: Bucket): Promise<Consumed>;
  /** Counts a form that needs no credentials, by address. */
  consumeForm(address: string): Promise<Consumed>;
  /** Gives back the count of a form that was refused for what it holds. */
  forgiveForm(address: string): Promise<void>;
};

/** One HTTP request, in values: no request object reaches a procedure. */
export type Context = Services & {
  requestId: string;
  address: string;
  principal: Principal | null;
  /** Why there is no principal: no credentials, bad ones, or too many bad ones from this address. */
  credentialProblem: DomainError | null;
  /**
   * Waits until the caller is known to be who it was taken for; null where it is. A query that also writes asks it first.
   *
   * @throws DomainError where it is not.
   */
  confirm: (() => Promise<void>) | null;
  /** What is wrong with the body or query before any schema sees it. Told only to who may know. */
  requestProblem: DomainError | null;
  /** Counts of this request's calls, made before its body is read: each call takes the next one of its bucket. */
  counted: Partial<Record<Bucket | 'form', Consumed[]>>;
  method: string;
  path: string;
  ifMatch: string | null;
  idempotencyKey: string | null;
  lastEventId: string | null;
  /** Takes an answer that is a file or a long list, as it comes; null over tRPC, where it is a value like any other. */
  takeFile: ((chunks: AsyncIterable<string>) => void) | null;
  /** Headers of the whole request: what is left of its limits. */
  replyHeaders: Record<string, string>;
  /** The reply of each call, by its place in a batch. */
  replies: Reply[];
  /**
   * Waits until this request may be worked on, once. Brakes do not wait.
   *
   * @throws DomainError `rate_limited`, `overloaded`.
   */
  enter: (accountId: string) => Promise<void>;
  /**
   * Waits for this request's turn to make a large answer; it lasts until the answer is away.
   *
   * @throws DomainError `rate_limited` where the turn does not come, or the request has asked for too many.
   */
  beginHeavyRead: (accountId: string) => Promise<void>;
  /**
   * Counts this request as an event stream for as long as it lasts. The signal aborts once it is over; where its session or
   * key has ended, by a `DomainError` that says so.
   *
   * @throws DomainError `rate_limited` where the account, or the key, has too many.
   */
  openStream: (principal: Principal) => AbortSignal;
};

/** What a procedure on behalf of an account may use besides. */
export type AccountContext = Context & { principal: Principal; work: Work };

/** A request and its answer as the document shows them; a test checks them against the schemas. */
export type RouteExample = {
  path?: Record<string, string | number>;
  query?: Record<string, string | number>;
  request?: unknown;
  response: unknown;
};

/** A file as it is answered over REST. */
export type FileKind = {
  media: 'text/html' | 'text/csv' | 'text/event-stream' | 'application/json' | 'application/x-ndjson';
  /** What it is saved as; absent where it is shown. */
  name?: string;
  /** The Content-Security-Policy of what is shown. */
  policy?: string;
};

/** What a route promises besides its body; `routers/route.ts` keeps it, the document describes it. */
export type RoutePromises = {
  etag: boolean;
  pages: boolean;
  ifMatch: boolean;
  /** What a repetition with the same `Idempotency-Key` gets: the first answer, or, without an effect, another. */
  idempotent: 'kept' | 'effectless' | null;
  /** The error statuses it can answer, ascending. */
  errors: readonly ErrorStatus[];
  /** What a successful answer is, where it is a file. */
  file: FileKind | null;
};

/** `access` guards the call and fills the document's security section. */
export type RouteMeta = OpenApiMeta<{
  access?: Access;
  promises?: RoutePromises;
  example?: RouteExample;
}>;

/** A stream ends after this long and is resumed: a session that ended meanwhile is noticed then. */
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
        // A stream that breaks off throws past the middleware that puts the right code on everything else.
        data: {
          ...shape.data,
          code: trpcCodeOf(refusal),
          httpStatus: statusOf(refusal),
          error: viewError(refusal, ctx?.requestId ?? ''),
          // The header of a batch would be that of one of its calls.
          ...(refusal.retryAfterSec !== undefined && { retryAfterSec: refusal.retryAfterSec }),
        },
      };
    },
  });

/** Whatever a call throws leaves as a refusal in our words, with the right code. */
async function mapErrors<Result extends { ok: true } | { ok: false; error: unknown }>(
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
  const refusal = toDomainError(thrown);
  throw new TRPCError({ code: trpcCodeOf(refusal), message: refusal.message, cause: refusal });
}

export type GuardedAccess = Exclude<Access, { kind: 'open' }>;

/** Who calls, once all that may keep them from calling was looked at: credentials, limits, scopes, syntax. */
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

/** A procedure as its limits see it. */
export type Callable = { access: Access; type: string };

/**
 * Counts a call before its body is read, so that a refused call costs no parsing.
 *
 * @returns whether the call can get as far as its input.
 */
export async function countCall(ctx: Context, { access, type }: Callable): Promise<boolean> {
  const { principal, counted, limits, address, requestProblem } = ctx;
  if (requestProblem) return false;
  if (access.kind === 'open') {
    if (access.bucket === undefined) return true;
    return noteCount(counted, access.bucket, await limits.consumeForm(address));
  }
  if (!principal) return false;
  const bucket = bucketOf(access, type);
  return noteCount(counted, bucket, await limits.consume(principal, bucket));
}

function noteCount(counted: Context['counted'], bucket: Bucket | 'form', count: Consumed): boolean {
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
}

/** Books of real money are there to be read, and their brakes work; the rest needs live trading, and of a key its own scope. */
function refuseLiveTrading(ctx: Context, principal: Principal, access: GuardedAccess, type: string): void {
  if (principal.mode !== 'live' || type !== 'mutation' || bucketOf(access, type) === 'brake') return;
  if (!ctx.isLiveOn) throw DomainError.of('live_trading_off');
  refuseWithout(principal, 'trade:live');
}

/** A session holds every scope. */
export function refuseWithout({ scopes }: Principal, scope: LiveScope): void {
  if (!scopes.has(scope)) throw insufficientScope([scope]);
}

/** Whether a call ends or takes back: it is limited by a bucket of its own and waits for no other request. */
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

/**
 * One middleware for all of it: each costs tRPC two copies of what it hands on. The context is not copied: what is added
 * to it is the same for every call of a batch.
 */
export const guardedProcedure = (access: GuardedAccess) =>
  t.procedure.meta({ access }).use(({ ctx, type, next }) =>
    mapErrors(async () => {
      try {
        const principal = await admit(ctx, access, type);
        const handles = isUrgent({ access, type }) ? ctx.pool : ctx.requests;
        Object.assign(ctx, { principal, work: workOf(ctx, handles, principal) });
        return await next<Pick<AccountContext, 'principal' | 'work'>>({});
      } finally {
        if (type === 'mutation') committedEvents(ctx.pool).emit('work');
        // Nothing of the outcome, good or bad, is shown before the caller is known.
        if (ctx.confirm !== null) await ctx.confirm();
      }
    }),
  );

export const router = t.router;
export const middleware = t.middleware;
export const createCallerFactory = t.createCallerFactory;

type OpenAccess = Extract<Access, { kind: 'open' }>;

/** A procedure that needs no credentials. A form that is refused for what it holds is not counted. */
export const openProcedure = (access: OpenAccess = { kind: 'open' }) =>
  t.procedure.meta({ access }).use(async ({ ctx, next }) => {
    const count = access.bucket && takeCount(ctx, access.bucket);
    try {
      return await mapErrors(async () => {
        if (count?.refusal) throw count.refusal;
        refuseBrokenRequest(ctx);
        return next();
      });
    } catch (error) {
      if (count && statusOf(toDomainError(error)) === 400) await ctx.limits.forgiveForm(ctx.address);
      throw error;
    }
  });

/** A procedure on behalf of an account. It cannot be made without saying who may call it. */
export const procedure = (access: { scope: Scope; bucket?: Bucket; heavy?: true }) =>
  guardedProcedure({ kind: 'scope', ...access });

/** A procedure only a web session may call, or also a key that holds `orScope`. */
export const sessionProcedure = (access: { orScope?: Scope; bucket?: Bucket; heavy?: true } = {}) =>
  guardedProcedure({ kind: 'session', ...access });
