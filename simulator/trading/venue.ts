/** The parts that each simulated venue adds to the shared core: its routes, its user stream and its messages. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../reply.ts';
import type { Account, Environment } from './account.ts';
import type { Exchange, ExchangeEvent } from './exchange.ts';

/** A request as received: signatures are over the exact bytes. */
export type TradingRequest = {
  readonly environment: Environment;
  readonly method: string;
  /** Path below the venue's first segment, as sent, without a leading slash: `trade-api/v2/portfolio/balance`. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly search: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** As sent; empty if there is no body. */
  readonly text: string;
  /** The parsed JSON; undefined if there is none. */
  readonly body: unknown;
};

/** A client of a user stream. Venues store its state in it. */
export type UserStreamClient = {
  readonly environment: Environment;
  /** The account of the stream, once signed in. */
  account: Account | null;
  /** Sequence numbers, subscriptions and the like. */
  readonly memory: Map<string, unknown>;
};

export type UserStreamRules = {
  /** As in {@link TradingRequest.path}. */
  readonly path: string;
  /** Checks the handshake: returns the new session, or the refusal. */
  open(ask: TradingRequest): UserStreamClient | Reply;
  /** Frames that answer a frame of the client. Text that is no JSON is passed on unchanged. */
  receive(session: UserStreamClient, text: string): readonly string[];
  /** Frames that report an event of the session's account; empty if the venue does not report it. */
  report(session: UserStreamClient, event: ExchangeEvent): readonly string[];
  /** Whether the venue ends the connection now; default: never. */
  isOver?(session: UserStreamClient): boolean;
};

export type TradingVenue = {
  /** The first segment of its paths: `kalshi`. */
  readonly name: string;
  readonly exchange: Exchange;
  /** The answer of a trading route; null if the path is no such route. */
  answer(ask: TradingRequest): Reply | null;
  /** The client order id of a request, for faults; null if it names none. */
  clientOrderIdOf(ask: TradingRequest): string | null;
  tooMany(): Reply;
  readonly stream: UserStreamRules | null;
  /** Commands of this venue only, by the last segment of `/simulator/trading/<what>`. */
  readonly commands?: Readonly<Record<string, (given: unknown) => unknown>>;
};

export const isReply = (value: UserStreamClient | Reply): value is Reply => 'status' in value;
