/**
 * Trading at venue B behind the port. The broker holds API credentials and the key of a session, never the key of the wallet's
 * owner. Decisions are pure functions beside it. This class sends requests, and stores the state between them.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type {
  AbsenceProof,
  AccountFill,
  Broker,
  BrokerOrder,
  CancelResult,
  FillPage,
  FindResult,
  OpenVenueOrder,
  OrderRef,
  PlaceResult,
  Prepared,
  PrepareResult,
  TradedInstrument,
  VenueBalance,
  VenueEvent,
  VenuePosition,
  VenueStatus,
  VenueTransfer,
} from '../../broker.ts';
import type { FeedClock } from '../../clock.ts';
import { VenueError } from '../../errors.ts';
import { RateLimitTimeout } from '../../http/rate-limiter.ts';
import { type MayLeave, withheldBy } from '../../http/send-once.ts';
import type { ParseErrorLog } from '../../parse-error-log.ts';
import type { FeeSchedule } from '../../reads.ts';
import { MINUTE_MS, SECOND_MS } from '../../time.ts';
import { readBalances, readPositions, readTradingStatus, readTransfers } from './account.ts';
import { CancelAnswer, readCancelAnswer, readPlaceAnswer, retryAfterSec } from './answer.ts';
import { ApiCredentials } from './auth.ts';
import { deriveOrderState, filledAmountOf, ownFills } from './derive-order-state.ts';
import { afterHeartbeat, isSilent, mayHaveEndedOrders, NO_HEARTBEATS } from './heartbeat.ts';
import { listOrders, listTrades, parseRecord } from './lists.ts';
import { orderBody, orderIdOf, PolymarketRequest, prepareOrder, type Wallet } from './order.ts';
import {
  bodyOf,
  type CallLimits,
  demoHosts,
  LIVE_HOSTS,
  PrivateApi,
  SIGNER_LIMITS,
  SIMULATED_LIMITS,
  type VenueHosts,
} from './private-api.ts';
import { fillOf, openOrderOf, ownFillsOfTrade, WireOrder, type WireTrade } from './records.ts';
import { OrderSigner } from './sign.ts';
import { listenToUserStream, type StreamMessage } from './user-stream.ts';

export type PolymarketCredentials = {
  /** The address that holds the collateral. */
  readonly wallet: string;
  /** The signature type of its orders: 3 for a deposit wallet, 0 for the account of the key itself (demo only). */
  readonly signatureType: 0 | 3;
  /** `0x` and 64 hexadecimal digits: the key of a session, except in the demo. */
  readonly signingKey: string;
  /** Whether the signing key belongs to a session. */
  readonly isSession: boolean;
  readonly api: { readonly key: string; readonly secret: string; readonly passphrase: string };
};

export type PolymarketBrokerOptions = {
  readonly environment: Wallet['environment'];
  readonly credentials: PolymarketCredentials;
  /** URL of the simulator, for the demo; live hosts are fixed. */
  readonly simulatorUrl?: string;
  readonly clock: FeedClock;
  /** The venue's records state no fee: it follows from the schedule of the token at the time. Null: not stated. */
  readonly feesOf: (tokenId: string) => Promise<FeeSchedule | null>;
  /** Receives records that cannot be parsed. */
  readonly parseErrors: ParseErrorLog;
  /** Default: the limits of every signer, and no limits in the demo. */
  readonly limits?: CallLimits;
};

/** No last arrival is documented: an order is absent once three polls, ten seconds apart, find no trace of it. */
const ABSENCE: AbsenceProof = { times: 3, apartMs: 10 * SECOND_MS };
/** An order missing from the venue's lists has ended after this many polls, over this time, with the same trades. */
const SETTLED_AFTER = { times: 3, overMs: 20 * SECOND_MS } as const;
/** Search for trades of an order begins this long before its signature. */
const LOOK_BACK_MS = MINUTE_MS;
/** Overlap with the previous page of trades: a trade may be listed later than others that were matched after it. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** Pause after a restart of the venue, if it states no time. */
const RESTART_MS = 2 * MINUTE_MS;
const REMEMBERED = 10_000;

const RESTRICTIONS = new Set(['venue_restarting', 'post_only_mode', 'cancel_only', 'trading_disabled']);

const UNSENT: PlaceResult = {
  kind: 'refused',
  code: 'not_sent',
  reason: 'The rate limit of venue B is used up.',
};

const limitsOf = (environment: Wallet['environment']): CallLimits =>
  environment === 'demo' ? SIMULATED_LIMITS : SIGNER_LIMITS;

const unsentBy = (error: unknown): PlaceResult =>
  error instanceof RateLimitTimeout ? UNSENT : withheldBy(error);

type Matched = { readonly size: string; readonly atMs: number };
type Observation = { readonly shows: string; readonly firstMs: number; readonly times: number };

const HeartbeatAnswer = z.object({ heartbeat_id: z.string().min(1) });

export class PolymarketBroker implements Broker {
  readonly absenceProof = ABSENCE;
  readonly #wallet: Wallet;
  readonly #signer: OrderSigner;
  readonly #credentials: ApiCredentials;
  readonly #hosts: VenueHosts;
  readonly #calls: PrivateApi;
  readonly #clock: FeedClock;
  readonly #parseErrors: ParseErrorLog;
  readonly #feesOf: PolymarketBrokerOptions['feesOf'];
  /** Orders that the venue reported as taken from the book. */
  readonly #canceled = new LRUCache<string, true>({ max: REMEMBERED });
  readonly #observations = new LRUCache<string, Observation>({ max: REMEMBERED });
  /** The matched amount of an order when the venue last listed it, and the time of that list. */
  readonly #matched = new LRUCache<string, Matched>({ max: REMEMBERED });
  #heartbeatId = '';
  #heartbeats = NO_HEARTBEATS;
  #resumesAtMs = 0;

  constructor({
    environment,
    credentials,
    simulatorUrl,
    clock,
    feesOf,
    parseErrors,
    limits,
  }: PolymarketBrokerOptions) {
    const { wallet, signatureType, signingKey, isSession, api } = credentials;
    if (environment === 'live' && !(isSession && signatureType === 3)) {
      throw new RangeError('a live wallet needs a session key, never the key of its owner');
    }
    if ((environment === 'demo') !== (simulatorUrl !== undefined)) {
      throw new RangeError('the demo requires a simulator URL, and live refuses one');
    }
    this.#wallet = { environment, address: wallet.toLowerCase(), signatureType, isSession };
    this.#signer = new OrderSigner(signingKey);
    this.#credentials = new ApiCredentials(api);
    this.#hosts = simulatorUrl === undefined ? LIVE_HOSTS : demoHosts(simulatorUrl);
    const { address } = this.#signer;
    this.#calls = new PrivateApi(
      this.#hosts,
      this.#credentials,
      address,
      clock,
      limits ?? limitsOf(environment),
    );
    this.#clock = clock;
    this.#feesOf = feesOf;
    this.#parseErrors = parseErrors;
  }

  prepare(order: BrokerOrder, instrument: TradedInstrument, now: Date): PrepareResult {
    return prepareOrder(order, instrument, this.#wallet, this.#signer.address, now);
  }

  async place(_order: BrokerOrder, prepared: Prepared, mayLeave?: MayLeave): Promise<PlaceResult> {
    const request = PolymarketRequest.parse(prepared.request);
    const orderId = orderIdOf(request, this.#wallet.environment);
    if (orderId !== prepared.venueOrderId || request.order.maker !== this.#wallet.address) {
      throw new RangeError('a request that was prepared for another account or environment');
    }
    const body = orderBody(request, this.#wallet, this.#signer, this.#credentials.key);
    const answer = await this.#calls.send('POST', '/order', { body, mayLeave }).catch(unsentBy);
    if ('kind' in answer) return answer;
    const placed = readPlaceAnswer(answer, request, orderId);
    if (placed.kind === 'refused' && RESTRICTIONS.has(placed.code)) {
      const waitMs = (retryAfterSec(answer.body) ?? RESTART_MS / SECOND_MS) * SECOND_MS;
      this.#resumesAtMs = this.#clock.now() + waitMs;
    }
    return placed;
  }

  async cancel(ref: OrderRef): Promise<CancelResult> {
    const orderId = idOf(ref);
    const body = JSON.stringify({ orderID: orderId });
    const { kind, isConfirmed } = readCancelAnswer(
      await this.#calls.send('DELETE', '/order', { body }),
      orderId,
    );
    if (isConfirmed) this.#canceled.set(orderId, true);
    return { kind };
  }

  async find(ref: OrderRef): Promise<FindResult> {
    const orderId = idOf(ref);
    if (ref.prepared === null) return { kind: 'unsure' };
    const request = PolymarketRequest.parse(ref.prepared.request);
    const { listed, at } = await this.#listed(orderId);
    if (listed !== null) this.#noteListed(listed);
    // Requested after the lists: trades of an order that has left them are listed by then, or arrive later.
    const fills = await this.#fillsOf(orderId, request, ref.prepared.signedFor);
    const shows = `${listed === null}/${fills.length}/${filledAmountOf(fills).toFixed()}`;
    const order = deriveOrderState({
      orderId,
      request,
      listed,
      fills,
      lastMatched: this.#matched.get(orderId)?.size ?? '0',
      isAcknowledged: ref.venueOrderId !== null,
      isCancelConfirmed: this.#canceled.has(orderId),
      isSettled: this.#observe(orderId, shows),
      isSilenced: this.#isSilenced(orderId, ref.prepared.signedFor),
      now: at ?? new Date(this.#clock.now()),
    });
    if (order !== null) return { kind: 'found', order };
    return at === null ? { kind: 'unsure' } : { kind: 'absent', asOf: at };
  }

  async listOpen(): Promise<readonly OpenVenueOrder[]> {
    const orders = await listOrders(this.#calls);
    for (const order of orders) this.#noteListed(order);
    return orders.filter(({ status }) => status === 'LIVE' || status === 'DELAYED').map(openOrderOf);
  }

  /**
   * Stores the matched amounts of listed orders: an order that leaves the lists no longer shows its own, and its trades may
   * arrive later.
   */
  async recordOpenOrders(): Promise<void> {
    await this.listOpen();
  }

  /**
   * Continues from the first trade that is not final, because its end must still be reported. Unparsed trades are requested
   * again.
   */
  async fillsSince(cursor: string | null): Promise<FillPage> {
    const after = cursor === null ? undefined : String(Number(cursor) - OVERLAP_MS / SECOND_MS);
    const { read, unread } = await listTrades(this.#calls, { after });
    for (const { id, field } of unread) this.#parseErrors.unreadable('venue B', id, field);
    const results = await Promise.allSettled(read.map((trade) => this.#fills(trade)));
    const fills = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const failed = results.find((result) => result.status === 'rejected');
    if (fills.length === 0 && failed !== undefined) throw failed.reason;
    if (fills.length === 0 && unread.length > 0) throw unreadableTrade();
    const isWhole = failed === undefined && unread.length === 0;
    return { fills, cursor: isWhole ? nextCursor(read, cursor, this.#clock.now()) : (cursor ?? '1') };
  }

  positions(): Promise<readonly VenuePosition[]> {
    return readPositions(this.#calls, this.#wallet);
  }

  balances(): Promise<readonly VenueBalance[]> {
    return readBalances(this.#calls, this.#wallet);
  }

  transfers(since: Date): Promise<readonly VenueTransfer[]> {
    return readTransfers(this.#calls, this.#wallet, since);
  }

  status(): Promise<VenueStatus> {
    const resumesAt = this.#resumesAtMs > this.#clock.now() ? new Date(this.#resumesAtMs) : null;
    return readTradingStatus(this.#calls, this.#wallet, this.#signer.address, {
      clock: this.#clock,
      resumesAt,
    });
  }

  async cancelAll(): Promise<void> {
    const { canceled } = parseRecord(CancelAnswer, bodyOf(await this.#calls.send('DELETE', '/cancel-all')));
    for (const orderId of canceled) this.#canceled.set(orderId.toLowerCase(), true);
  }

  /**
   * Sends a heartbeat: after ten seconds without one the venue cancels every order of the key. The venue returns the id of the
   * next heartbeat. If ours is wrong, another client sends heartbeats with the same key. Then the broker adopts the right id
   * and throws.
   */
  async sendHeartbeat(): Promise<void> {
    // After a silence the venue has forgotten the last id.
    const isExpected = this.#heartbeatId !== '' && !isSilent(this.#heartbeats, this.#clock.now());
    const isAccepted = await this.#postHeartbeat();
    if (isAccepted) return;
    if (isExpected)
      throw VenueError.contested('venue B receives heartbeats of another process with this key');
    if (!(await this.#postHeartbeat())) throw VenueError.unavailable('venue B did not accept the heartbeat');
  }

  stream(on: (event: VenueEvent) => void): { stop(): Promise<void> } {
    let last = Promise.resolve();
    return listenToUserStream({
      url: this.#hosts.stream,
      credentials: this.#credentials,
      on: (message) => {
        // Reports events one after the other, in order of arrival.
        last = last.then(() => this.#report(message, on));
      },
    });
  }

  async #report(message: StreamMessage, on: (event: VenueEvent) => void): Promise<void> {
    if (message.kind === 'order') return on({ ...message, clientOrderId: null });
    if (message.kind !== 'trade') return on(message);
    try {
      for (const fill of await this.#fills(message.trade)) on({ kind: 'fill', fill });
    } catch {
      on({ kind: 'unreadable', about: message.trade.id });
    }
  }

  /** Whether the venue accepted the heartbeat; the id of the next one is stored in both cases. */
  async #postHeartbeat(): Promise<boolean> {
    const body = JSON.stringify({ heartbeat_id: this.#heartbeatId });
    const answer = await this.#calls.send('POST', '/v1/heartbeats', { body });
    if (answer.status !== 200 && answer.status !== 400) bodyOf(answer);
    this.#heartbeatId = parseRecord(HeartbeatAnswer, answer.body).heartbeat_id;
    const isAccepted = answer.status === 200;
    if (isAccepted) this.#heartbeats = afterHeartbeat(this.#heartbeats, this.#clock.now());
    return isAccepted;
  }

  #noteListed({ id, size_matched: size }: WireOrder): void {
    this.#matched.set(id.toLowerCase(), { size, atMs: this.#clock.now() });
  }

  #isSilenced(orderId: string, signedFor: Date): boolean {
    const seenMs = this.#matched.get(orderId)?.atMs ?? signedFor.getTime();
    return mayHaveEndedOrders(this.#heartbeats, seenMs, this.#clock.now());
  }

  /** The order as its own route and the list of open orders show it, and the time of these answers. */
  async #listed(orderId: string): Promise<{ listed: WireOrder | null; at: Date | null }> {
    const single = await this.#calls.send('GET', `/data/order/${orderId}`);
    const isEmpty = single.status === 404 || (single.status === 200 && single.body === null);
    const listed = isEmpty
      ? ((await listOrders(this.#calls, { id: orderId }))[0] ?? null)
      : parseRecord(WireOrder, bodyOf(single));
    return { listed, at: single.at };
  }

  /** Every fill of one order. Throws if a trade of its market cannot be parsed: it could belong to this order. */
  async #fillsOf(
    orderId: string,
    request: PolymarketRequest,
    signedFor: Date,
  ): Promise<readonly AccountFill[]> {
    const after = String(Math.floor((signedFor.getTime() - LOOK_BACK_MS) / SECOND_MS));
    const { read, unread } = await listTrades(this.#calls, { market: request.market, after });
    if (unread.length > 0) throw unreadableTrade();
    const fills = (await Promise.all(read.map((trade) => this.#fills(trade)))).flat();
    return ownFills(fills, orderId, request);
  }

  async #fills(trade: WireTrade): Promise<AccountFill[]> {
    return Promise.all(
      ownFillsOfTrade(trade, this.#wallet.address).map(async (part) => {
        const schedule = await this.#feesOf(part.tokenId);
        if (schedule === null) throw VenueError.unavailable('venue B states no fee for a market with trades');
        return fillOf(part, schedule);
      }),
    );
  }

  /** Whether the same state was seen often and long enough. */
  #observe(orderId: string, shows: string): boolean {
    const nowMs = this.#clock.now();
    const before = this.#observations.get(orderId);
    const observation =
      before?.shows === shows ? { ...before, times: before.times + 1 } : { shows, firstMs: nowMs, times: 1 };
    this.#observations.set(orderId, observation);
    return observation.times >= SETTLED_AFTER.times && nowMs - observation.firstMs >= SETTLED_AFTER.overMs;
  }
}

function idOf({ venueOrderId, prepared }: OrderRef): string {
  const orderId = venueOrderId ?? prepared?.venueOrderId;
  if (orderId === undefined || orderId === null)
    throw new RangeError('an order of venue B has no id without its request');
  return orderId;
}

const unreadableTrade = (): VenueError => VenueError.unreadable('venue B sent a trade of unexpected shape');

/**
 * Epoch seconds of the oldest trade that is not final, else of the newest one. A time in the future would hide all trades until
 * then.
 */
function nextCursor(trades: readonly WireTrade[], cursor: string | null, nowMs: number): string {
  const seconds = (list: readonly WireTrade[]) =>
    list.map(({ match_time: at }) => Math.floor(Math.min(at.getTime(), nowMs) / SECOND_MS));
  const open = seconds(trades.filter(({ status }) => status === 'provisional'));
  const next = open.length > 0 ? Math.min(...open) : Math.max(...seconds(trades), Number(cursor ?? 1));
  return String(next);
}
