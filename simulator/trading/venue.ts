/** What each simulated venue adds to the shared core: its routes, its user stream and its words. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../reply.ts';
import type { Account, Environment } from './account.ts';
import type { Exchange, ExchangeEvent } from './exchange.ts';

/** A request as it came in: signatures are over the very bytes. */
export type TradingAsk = {
  readonly environment: Environment;
  readonly method: string;
  /** Below the venue's first segment, as it was sent, without a slash in front: `trade-api/v2/portfolio/balance`. */
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly search: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent; empty where there is none. */
  readonly text: string;
  /** The JSON of it; undefined where there is none. */
  readonly body: unknown;
};

/** A client of a user stream. Venues keep in it what they must remember. */
export type Session = {
  readonly environment: Environment;
  /** Whose stream it is, once signed in. */
  account: Account | null;
  /** Sequence numbers, subscriptions and the like. */
  readonly memory: Map<string, unknown>;
};

export type StreamRules = {
  /** As in {@link TradingAsk.path}. */
  readonly path: string;
  /** Judges the handshake: the session to be, or the refusal. */
  open(ask: TradingAsk): Session | Reply;
  /** Frames that answer a frame of the client. Text that is no JSON comes as it is. */
  hear(session: Session, text: string): readonly string[];
  /** How something that happened to the session's account is told; empty where it is not. */
  tell(session: Session, event: ExchangeEvent): readonly string[];
  /** Whether the venue ends the connection now; default: never. */
  isOver?(session: Session): boolean;
};

export type TradingVenue = {
  /** The first segment of its paths: `kalshi`. */
  readonly name: string;
  readonly exchange: Exchange;
  /** The answer of a trading route; null where the path is none of them. */
  answer(ask: TradingAsk): Reply | null;
  /** The client order id that a request is about, for faults; null where it names none. */
  clientOrderIdOf(ask: TradingAsk): string | null;
  tooMany(): Reply;
  readonly stream: StreamRules | null;
  /** What only this venue can be told to do, by the last segment of `/simulator/trading/<what>`. */
  readonly commands?: Readonly<Record<string, (given: unknown) => unknown>>;
};

export const isReply = (value: Session | Reply): value is Reply => 'status' in value;
