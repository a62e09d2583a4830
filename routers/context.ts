import type { Json } from '../db/json.ts';
import type { Pool, Share } from '../db/pool.ts';
import type { HistoryArchive } from '../engine/history/archived-bodies.ts';
import type { ChannelEnvironment } from '../engine/notifications/channels.ts';
import type { Archive } from '../engine/platform/archive/archive.ts';
import type { Clock, Work } from '../engine/platform/context.ts';
import type { DomainError } from '../engine/platform/errors.ts';
import type { MarketFanOut } from '../engine/platform/instruments/market-fan-out.ts';
import type { PriceSource } from '../engine/platform/price-source.ts';
import type { BacktestRow } from '../engine/research/backtests/row.ts';
import type { RunState } from '../engine/research/playback/run-state.ts';
import type { KeyWrapper } from '../engine/trading/connections/credentials/key-ring.ts';
import type { TradingSettings } from '../engine/trading/orders/settings.ts';
import type { OauthAddresses } from '../engine/usecases/oauth/addresses.ts';
import type { DemoConnection } from '../venues/demo-accounts.ts';
import type { MarketData } from '../venues/port.ts';
import type { OperatorServices } from './operator-services.ts';
import type { Bucket, Principal } from './principal.ts';
import type { Reply } from './reply.ts';

/** The services that every procedure may use, for every caller and transport. */
export type Services = {
  pool: Pool;
  /** The share of the pool that requests use; urgent ones have the whole pool. */
  requests: Share;
  clock: Clock;
  market: MarketData;
  /** Prices and books for the streams of this process. */
  fanOut: MarketFanOut;
  trading: TradingSettings;
  /** Whether live trading is allowed here. */
  isLiveOn: boolean;
  /** Holds the evidence of old orders; null: it is in the database. */
  archive: Archive | null;
  /** Holds the bodies of old history and quotes; null: they are in the database. */
  historyArchive: HistoryArchive | null;
  limits: Limits;
  live: EventWaker;
  /** The secret that signs cursors, so that a client cannot forge one. */
  cursorSecret: string;
  /** Whether no runner process lives to send orders. */
  isRunnerMissing: () => boolean;
  /** Number of shards deployments are spread over. */
  shardCount: number;
  /** Wakes the order sender, after a commit that queued an order. */
  wakeOrders: () => void;
  /** Wakes the backtest runner, after a commit that queued or canceled a backtest. */
  wakeBacktests: () => void;
  /** Wakes the notification sender, after a commit that queued a delivery. */
  wakeNotifications: () => void;
  /** The facts about this service's environment that notification channels need. */
  channels: ChannelEnvironment;
  /**
   * Runs a backtest up to an instant, and returns its state then.
   *
   * @throws DomainError `upstream_unavailable` if its history is gone or it takes too long.
   */
  backtestStateAt: (row: BacktestRow, at: string) => Promise<RunState>;
  /** Sign-in options in addition to e-mail and password, whether new users may sign up, and the source of prices. */
  signInOptions: {
    signUp: boolean;
    providers: readonly string[];
    prices: PriceSource;
    demo: boolean;
    /** Whether visitors may sign in as the demo user. */
    demoSignIn: boolean;
    /** Whether a forgotten password can be reset by mail. */
    mail: boolean;
  };
  /** How clients of the Model Context Protocol know this service; null if none can connect to it. */
  oauth: OauthAddresses | null;
  /** The credentials of the simulated venues' demo accounts; empty if there are none. */
  demoConnections: readonly DemoConnection[];
  /** The keys that seal credentials of venues; null if none are stored. */
  credentialKeys: KeyWrapper | null;
  /**
   * Asks the signed-in person for the password again.
   *
   * @throws DomainError `password_required`, `too_many_auth_failures`.
   */
  confirmPassword: (principal: Principal, password: string) => Promise<void>;
  /** The stored facts of the signed-in person. @throws DomainError `session_required`. */
  person: (principal: Principal) => Promise<Json>;
  /** The sessions of the signed-in person. @throws DomainError `session_required`. */
  sessionsOf: (principal: Principal) => Promise<SignedInSession[]>;
  /** Ends all activity of an account and all access to it. @throws DomainError `invalid_state` with the steps to do first. */
  deleteAccount: (work: Work, principal: Principal) => Promise<void>;
  /** Reads and acts of operators. */
  operator: OperatorServices;
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

/** Wakes readers of an account's events; see `server/http/event-listener.ts`. */
export type EventWaker = {
  /** Resolves when the account may have new events, after `waitMs`, or when the signal aborts. */
  wake(accountId: string, waitMs: number, signal: AbortSignal): Promise<void>;
  /** Aborts when the process stops. */
  readonly ended: AbortSignal;
};

/** The result of counting a call: the headers with the rest of the limit, also for a refused call. */
export type RateLimitResult = { headers: Record<string, string>; refusal: DomainError | null };

/** Counts calls. */
export type Limits = {
  consume(principal: Pick<Principal, 'id' | 'accountId'>, bucket: Bucket): Promise<RateLimitResult>;
  /** Counts a form that needs no credentials, by address. */
  consumeForm(address: string): Promise<RateLimitResult>;
  /** Refunds the count of a form that was refused for its content. */
  forgiveForm(address: string): Promise<void>;
};

export type AnswerSink = {
  /** Takes a file or a long list, in chunks. */
  takeFile(chunks: AsyncIterable<string | Uint8Array>): void;
  takeJson(json: string): void;
};

/** One HTTP request, as values: no request object reaches a procedure. */
export type Context = Services & {
  requestId: string;
  address: string;
  principal: Principal | null;
  /** Why there is no principal: no credentials, bad ones, or too many bad ones from this address. */
  credentialProblem: DomainError | null;
  /**
   * Waits until the caller's assumed identity is confirmed; null if it is already. A query that also writes calls it first.
   *
   * @throws DomainError if it is not confirmed.
   */
  confirm: (() => Promise<void>) | null;
  /** Checks the credentials again, and changes `principal` and `credentialProblem`. */
  identifyAgain: () => Promise<void>;
  /** The error of the body or query that was found before any schema parsed it. Returned only to callers who may call. */
  requestProblem: DomainError | null;
  /** Counts of this request's calls, made before its body is read: each call takes the next one of its bucket. */
  counted: Partial<Record<Bucket | 'form', RateLimitResult[]>>;
  method: string;
  path: string;
  ifMatch: string | null;
  idempotencyKey: string | null;
  lastEventId: string | null;
  /**
   * Takes an answer that is written already; null over tRPC, where it is a value like any other. It is an object: a function
   * assigned to a property of a context afterwards would hold it until the next full garbage collection.
   */
  sink: AnswerSink | null;
  /** Headers of the whole request: the rest of its limits. */
  replyHeaders: Record<string, string>;
  /** The reply of each call, by its index in a batch. */
  replies: Reply[];
  /**
   * Waits until this request may run, once. Urgent requests do not wait.
   *
   * @throws DomainError `rate_limited`, `overloaded`.
   */
  enter: (accountId: string) => Promise<void>;
  /**
   * Waits for this request's turn to make a large answer; the turn lasts until the answer is sent.
   *
   * @throws DomainError `rate_limited` if the turn does not come, or the request has asked for too many.
   */
  beginHeavyRead: (accountId: string) => Promise<void>;
  /**
   * Counts this request as an event stream for as long as it lasts. The signal aborts once it is over; if its session or
   * key has ended, with a `DomainError` that says so.
   *
   * @throws DomainError `rate_limited` if the account, or the key, has too many.
   */
  openStream: (principal: Principal) => AbortSignal;
};

/** The context of a procedure on behalf of an account. */
export type AccountContext = Context & { principal: Principal; work: Work };
