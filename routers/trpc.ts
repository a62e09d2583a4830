import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { Json } from '../db/json.ts';
import type { Pool } from '../db/pool.ts';
import type { Stood } from '../engine/backtest/step.ts';
import type { BacktestRow } from '../engine/backtests/row.ts';
import type { KeyWrapper } from '../engine/connections/key-ring.ts';
import { type Clock, openWork, type Work } from '../engine/context.ts';
import type { ErrorStatus } from '../engine/error-table.ts';
import { DomainError } from '../engine/errors.ts';
import type { ChannelPlace } from '../engine/notifications/channels.ts';
import type { TradingSettings } from '../engine/orders/settings.ts';
import type { PriceSource } from '../engine/price-source.ts';
import type { DemoConnection } from '../venues/demo-members.ts';
import type { MarketData } from '../venues/port.ts';
import { insufficientScope, statusOf, toDomainError, trpcCodeOf, viewError } from './errors.ts';
import type { Access, Bucket, Principal } from './principal.ts';
import type { LiveScope, Scope } from './scopes.ts';

/** What every procedure may use, whoever calls it and over whichever transport. */
export type Services = {
  pool: Pool;
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

/** Wakes readers of an account's events; see `server/live.ts`. */
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
  /** For the careers form, which needs no credentials: at most so many per address. */
  consumeForm(address: string): Promise<void>;
};

/** One HTTP request, in values: no request object reaches a procedure. */
export type Context = Services & {
  requestId: string;
  address: string;
  principal: Principal | null;
  /** Why there is no principal: no credentials, bad ones, or too many bad ones from this address. */
  credentialProblem: DomainError | null;
  /** What is wrong with the body or query before any schema sees it. Told only to who may know. */
  requestProblem: DomainError | null;
  method: string;
  path: string;
  ifMatch: string | null;
  idempotencyKey: string | null;
  lastEventId: string | null;
  /** Takes an answer that is a file or a long list, as it comes; null over tRPC, where it is a value like any other. */
  takeFile: ((chunks: AsyncIterable<string>) => void) | null;
  /** Headers the answer will carry. In a tRPC batch the last writer wins, so only REST promises them. */
  replyHeaders: Record<string, string>;
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
  const { headers, refusal } = await ctx.limits.consume(principal, bucketOf(access, type));
  Object.assign(ctx.replyHeaders, headers);
  if (refusal) throw refusal;
  refuseUnlessAllowed(principal, access);
  refuseLiveTrading(ctx, principal, access, type);
  refuseBrokenRequest(ctx);
  if (access.heavy) await ctx.beginHeavyRead(principal.accountId);
  return principal;
}

function refuseUnlessAllowed(principal: Principal, access: GuardedAccess): void {
  if (principal.kind === 'session') return;
  const needed = access.kind === 'scope' ? access.scope : access.orScope;
  if (needed === undefined) {
    throw DomainError.of('session_required');
  }
  if (!principal.scopes.has(needed)) throw insufficientScope(needed);
}

/** Books of real money are there to be read, and their brakes work; the rest needs live trading, and of a key its own scope. */
function refuseLiveTrading(ctx: Context, principal: Principal, access: GuardedAccess, type: string): void {
  if (principal.mode !== 'live' || type !== 'mutation' || bucketOf(access, type) === 'brake') return;
  if (!ctx.isLiveOn) throw DomainError.of('live_trading_off');
  refuseWithout(principal, 'trade:live');
}

/** A session holds every scope. */
export function refuseWithout({ scopes }: Principal, scope: LiveScope): void {
  if (!scopes.has(scope)) throw insufficientScope(scope);
}

function bucketOf(access: GuardedAccess, type: string): Bucket {
  if (access.bucket) return access.bucket;
  if (access.kind === 'scope' && access.scope === 'market_data:read') return 'market_data';
  return type === 'query' ? 'read' : 'write';
}

function refuseBrokenRequest(ctx: Context): void {
  if (ctx.requestProblem) throw ctx.requestProblem;
}

const workOf = ({ pool, requestId, clock }: Context, { accountId, mode, actor }: Principal): Work =>
  openWork(pool, { accountId, mode, actor, requestId, clock });

/**
 * One middleware for all of it: each costs tRPC two copies of what it hands on. The context is not copied: what is added
 * to it is the same for every call of a batch.
 */
export const guardedProcedure = (access: GuardedAccess) =>
  t.procedure.meta({ access }).use(({ ctx, type, next }) =>
    mapErrors(async () => {
      const principal = await admit(ctx, access, type);
      Object.assign(ctx, { principal, work: workOf(ctx, principal) });
      return next<Pick<AccountContext, 'principal' | 'work'>>({});
    }),
  );

export const router = t.router;
export const middleware = t.middleware;
export const createCallerFactory = t.createCallerFactory;

/** A procedure anybody may call. */
export const openProcedure = t.procedure.meta({ access: { kind: 'open' } }).use(({ ctx, next }) =>
  mapErrors(async () => {
    refuseBrokenRequest(ctx);
    return next();
  }),
);

/** A procedure on behalf of an account. It cannot be made without saying who may call it. */
export const procedure = (access: { scope: Scope; bucket?: Bucket; heavy?: true }) =>
  guardedProcedure({ kind: 'scope', ...access });

/** A procedure only a web session may call, or also a key that holds `orScope`. */
export const sessionProcedure = (access: { orScope?: Scope; bucket?: Bucket; heavy?: true } = {}) =>
  guardedProcedure({ kind: 'session', ...access });
