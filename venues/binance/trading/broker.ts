/** Binance spot behind the port: signed requests, one of which places an order, and their parsed answers. */
import { Decimal } from 'decimal.js';
import type {
  AbsenceProof,
  AccountFill,
  AccountTerms,
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
  VenueOrder,
  VenuePosition,
  VenueStatus,
  VenueTransfer,
} from '../../broker.ts';
import type { FeedClock } from '../../clock.ts';
import { VenueError } from '../../errors.ts';
import { type MayLeave, NotSent, type OnceAnswer, withheldBy } from '../../http/send-once.ts';
import { isZero } from '../../parse/decimal.ts';
import { MINUTE_MS, SECOND_MS } from '../../time.ts';
import { isDollar } from '../../trading.ts';
import {
  balancesOf,
  canceledOf,
  codeOf,
  isPossibleMatch,
  openOf,
  parseBody,
  placedOf,
  refusalError,
  stateOf,
  unreadable,
} from './answer.ts';
import { CommissionValuer } from './commission-valuer.ts';
import { cursorOf, cursorText, type FillCursor } from './cursor.ts';
import type { Hosts } from './hosts.ts';
import { namesOf, prepareOrder, RECV_WINDOW_MS, requestOf } from './request.ts';
import type { Params, Signer } from './sign.ts';
import { UserStream } from './stream.ts';
import { type Limits, LocalLimitReached, TradingHost, type Urgency, venueErrorOf } from './trading-host.ts';
import { TRANSFER_RECORDS } from './transfers.ts';
import {
  isChargedAsTraded,
  MyTrades,
  OpenOrders,
  OpenSymbols,
  ServerTime,
  SystemStatus,
  WireAccount,
  WireOrder,
  WireRestrictions,
  type WireTrade,
} from './wire.ts';

export type BinanceBrokerOptions = {
  readonly signer: Signer;
  readonly hosts: Hosts;
  readonly clock: FeedClock;
  readonly limits?: Limits;
};

/** The weight of each request. */
const WEIGHT = {
  account: 20,
  order: 4,
  openOfSymbol: 6,
  openOfAll: 80,
  tradesOfOrder: 5,
  trades: 20,
  one: 1,
};
/** Trades on a page, the venue's maximum. */
const PAGE = 1_000;
/** A trade may be listed this much later than others that happened after it. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** The largest difference between the venue's clock and ours, known offset included. Beyond it, neither clock is evidence. */
const CLOCK_TRUST_MS = 5 * SECOND_MS;
/** How often `cancelAll` tries before it counts as failed: a new order may arrive in between. */
const SWEEPS_MAX = 5;

const UNSENT: PlaceResult = {
  kind: 'refused',
  code: 'rate_limited',
  reason: 'Not sent: the rate limit of Binance is reached.',
};

/** The code for an order that does not exist (yet), or that was archived after 90 days. */
const MISSING = -2013;
const ARCHIVED = -2026;
/** The code for an unknown symbol: accounts hold coins without a dollar market, and symbols are delisted. */
const UNKNOWN_SYMBOL = -1121;

export class BinanceBroker implements Broker {
  /** The last arrival is exact. Reads may lag behind it, so that two absent answers are needed. */
  readonly absenceProof: AbsenceProof = { times: 2, apartMs: 2 * SECOND_MS };
  readonly #signer: Signer;
  readonly #hosts: Hosts;
  readonly #clock: FeedClock;
  readonly #host: TradingHost;
  readonly #valuer: CommissionValuer;
  /** How far Binance's clock is ahead of ours, as last measured. */
  #offsetMs = 0;
  /** Symbols traded through this broker: Binance lists trades by symbol only. */
  readonly #symbols = new Set<string>();

  constructor({ signer, hosts, clock, limits }: BinanceBrokerOptions) {
    this.#signer = signer;
    this.#hosts = hosts;
    this.#clock = clock;
    this.#host = new TradingHost(hosts.api, clock, limits);
    this.#valuer = new CommissionValuer(this.#host);
  }

  prepare(order: BrokerOrder, instrument: TradedInstrument, now: Date): PrepareResult {
    return prepareOrder(order, instrument, { now, offsetMs: this.#offsetMs });
  }

  async place(order: BrokerOrder, prepared: Prepared, mayLeave?: MayLeave): Promise<PlaceResult> {
    this.#symbols.add(order.tokenId);
    const request = requestOf(prepared);
    const query = this.#signer.query(request.params);
    try {
      const placed = placedOf(await this.#send('POST', 'api/v3/order', query, 'place', mayLeave), request);
      if (placed.kind !== 'taken') return placed;
      const fills = await this.#valuer.fills(placed.trades ?? []);
      return { kind: 'taken', order: { ...placed.order, fills } };
    } catch (error) {
      return error instanceof LocalLimitReached ? UNSENT : withheldBy(error);
    }
  }

  /** Validates the order at Binance without placing it. Returns a refusal, or null. */
  async refusalOf(prepared: Prepared): Promise<Extract<PlaceResult, { kind: 'refused' }> | null> {
    const request = requestOf(prepared);
    const answer = await this.#send('POST', 'api/v3/order/test', this.#signer.query(request.params), 'read');
    if (answer.status === 200) return null;
    const placed = placedOf(answer, request);
    if (placed.kind === 'refused') return placed;
    throw unreadable('a test of an order');
  }

  async cancel(ref: OrderRef): Promise<CancelResult> {
    const answer = await this.#cancel('api/v3/order', namesOf(ref));
    return canceledOf(answer, { symbol: ref.tokenId });
  }

  async find(ref: OrderRef): Promise<FindResult> {
    const order = await this.#lookUp(ref);
    if (order === ARCHIVED) return { kind: 'unsure' };
    if (order !== MISSING) return { kind: 'found', order: await this.#withFills(order, ref) };
    return await this.#absence(ref);
  }

  async listOpen(): Promise<readonly OpenVenueOrder[]> {
    const answer = await this.#ask('api/v3/openOrders', {}, WEIGHT.openOfAll);
    return parseBody(answer, OpenOrders, 'open orders').map(openOf);
  }

  /** For a symbol that is not in the cursor: its latest thousand trades. */
  async fillsSince(cursor: string | null): Promise<FillPage> {
    const before = cursorOf(cursor);
    const untilMs = (await this.#serverTime()) - OVERLAP_MS;
    const symbols = new Set([...before.keys(), ...this.#symbols, ...(await this.#heldSymbols())]);
    const after: FillCursor = new Map();
    const fills: AccountFill[] = [];
    for (const symbol of symbols) {
      const fromId = before.get(symbol) ?? null;
      const trades = await this.#trades({ symbol, ...(fromId !== null && { fromId }) }, WEIGHT.trades);
      for (const trade of trades) fills.push(await this.#accountFill(trade));
      // The next page begins with a trade so old that all earlier ones have been listed.
      const settled = trades.findLast(({ time }) => time <= untilMs) ?? trades[0];
      after.set(symbol, settled?.id ?? fromId);
    }
    return { fills, cursor: cursorText(after) };
  }

  async positions(): Promise<readonly VenuePosition[]> {
    const { balances } = await this.#account();
    return balances
      .filter(({ asset }) => !isDollar(asset))
      .map((balance) => ({ tokenId: `${balance.asset}USDT`, amount: balancesOf(balance) }))
      .filter(({ amount }) => !isZero(amount));
  }

  async balances(): Promise<readonly VenueBalance[]> {
    const { balances } = await this.#account();
    return balances
      .map(({ asset, free, locked }) => ({
        currency: asset,
        available: balancesOf({ free, locked: '0' }),
        total: balancesOf({ free, locked }),
      }))
      .filter(({ total }) => !isZero(total));
  }

  /** Only the live host has the wallet: elsewhere no record explains a deposit. */
  async transfers(since: Date): Promise<readonly VenueTransfer[]> {
    if (!this.#hosts.hasWallet) return [];
    const all: VenueTransfer[] = [];
    for (const record of TRANSFER_RECORDS)
      all.push(...record.read(await this.#ask(record.path, { startTime: since.getTime() }, WEIGHT.one)));
    return all;
  }

  async status(): Promise<VenueStatus> {
    const sentMs = this.#clock.now();
    const serverMs = await this.#serverTime();
    this.#offsetMs = Math.round(serverMs - (sentMs + this.#clock.now()) / 2);
    const { canTrade, uid } = await this.#account();
    const rights = this.#hosts.hasWallet ? await this.#rights() : null;
    const expiresMs = rights?.tradingAuthorityExpirationTime ?? 0;
    return {
      clockOffsetMs: this.#offsetMs,
      isTrading: canTrade && (!this.#hosts.hasWallet || (await this.#isRunning())),
      resumesAt: null,
      permissions: [
        'read',
        ...(canTrade && (rights === null || rights.enableSpotAndMarginTrading) ? ['trade'] : []),
        ...(rights?.enableWithdrawals ? ['withdraw'] : []),
        ...(rights?.enableInternalTransfer || rights?.permitsUniversalTransfer ? ['transfer'] : []),
      ],
      fingerprint: uid,
      keyExpiresAt: expiresMs > 0 ? new Date(expiresMs) : null,
    };
  }

  async terms(): Promise<AccountTerms> {
    const { commissionRates: rates } = await this.#account();
    if (rates === undefined) return {};
    const { taker, buyer, seller } = rates;
    return { takerRate: Decimal.max(buyer, seller).plus(taker).toFixed() };
  }

  async cancelAll(): Promise<void> {
    for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
      const answer = await this.#ask('api/v3/openOrders', {}, WEIGHT.openOfAll);
      const symbols = new Set(parseBody(answer, OpenSymbols, 'open orders').map(({ symbol }) => symbol));
      if (symbols.size === 0) return;
      for (const symbol of symbols) {
        const canceled = await this.#cancel('api/v3/openOrders', { symbol });
        if (canceled.status !== 200 && codeOf(canceled) !== -2011)
          throw refusalError(canceled, 'of a cancel');
      }
    }
    throw VenueError.unavailable('Binance still has open orders after a cancel of all');
  }

  stream(on: (event: VenueEvent) => void): { stop(): Promise<void> } {
    return new UserStream({
      url: this.#hosts.socket,
      signer: this.#signer,
      now: () => this.#venueNow(),
      valuer: this.#valuer,
      on,
    });
  }

  /** Sends one request that changes state, or could. */
  async #send(
    method: 'POST' | 'DELETE',
    path: string,
    query: string,
    urgency: Urgency,
    mayLeave?: MayLeave,
  ): Promise<OnceAnswer> {
    const { headers } = this.#signer;
    try {
      return await this.#host.send({ method, path, query, headers, weight: WEIGHT.one, urgency, mayLeave });
    } catch (error) {
      throw error instanceof NotSent && urgency === 'place' ? error : venueErrorOf(error);
    }
  }

  #cancel(path: string, params: Params): Promise<OnceAnswer> {
    return this.#send('DELETE', path, this.#signed(params), 'cancel');
  }

  async #lookUp(ref: OrderRef): Promise<WireOrder | typeof MISSING | typeof ARCHIVED> {
    const answer = await this.#ask('api/v3/order', namesOf(ref), WEIGHT.order);
    const code = codeOf(answer);
    if (code === MISSING || code === ARCHIVED) return code;
    const order = parseBody(answer, WireOrder, 'an order');
    const isIt = order.orderId === ref.venueOrderId || order.clientOrderId === ref.id;
    if (order.symbol !== ref.tokenId || !isIt) throw unreadable('an order');
    return order;
  }

  async #withFills(order: WireOrder, { prepared, tokenId }: OrderRef): Promise<VenueOrder> {
    this.#symbols.add(tokenId);
    const { state } = stateOf(order, prepared === null ? null : requestOf(prepared).asked);
    if (isZero(order.executedQty)) return { ...state, fills: [] };
    const { symbol, orderId } = order;
    // Without a first id Binance sends only the newest page.
    const trades = await this.#trades({ symbol, orderId, fromId: '0' }, WEIGHT.tradesOfOrder);
    const own = trades.filter((trade) => trade.orderId === orderId);
    if (!isChargedAsTraded(order, own)) throw unreadable('trades at another price than was charged');
    return { ...state, fills: await this.#valuer.fills(own) };
  }

  /**
   * Interprets the absence of an order. Requests the time before it looks the order up again, so that the lookup is at least
   * that new. An order that was acknowledged once is never absent.
   */
  async #absence(ref: OrderRef): Promise<FindResult> {
    if (ref.prepared === null || ref.venueOrderId !== null) return { kind: 'unsure' };
    const asOfMs = await this.#serverTime();
    if (Math.abs(asOfMs - this.#venueNow()) > CLOCK_TRUST_MS) return { kind: 'unsure' };
    const again = await this.#lookUp(ref);
    if (again === ARCHIVED) return { kind: 'unsure' };
    if (again !== MISSING) return { kind: 'found', order: await this.#withFills(again, ref) };
    const answer = await this.#ask('api/v3/openOrders', { symbol: ref.tokenId }, WEIGHT.openOfSymbol);
    const wanted = requestOf(ref.prepared);
    const isOpen = parseBody(answer, OpenOrders, 'open orders').some((order) =>
      isPossibleMatch(order, wanted),
    );
    return isOpen ? { kind: 'unsure' } : { kind: 'absent', asOf: new Date(asOfMs) };
  }

  /** All trades of a symbol or an order, from an id on, oldest first. None for a symbol that Binance does not know. */
  async #trades(
    of: { symbol: string; orderId?: string; fromId?: string },
    weight: number,
  ): Promise<WireTrade[]> {
    const trades = new Map<string, WireTrade>();
    for (let fromId = of.fromId; ; ) {
      const params = { ...of, ...(fromId !== undefined && { fromId }), limit: PAGE };
      const answer = await this.#ask('api/v3/myTrades', params, weight);
      if (codeOf(answer) === UNKNOWN_SYMBOL && of.orderId === undefined) return [];
      const page = parseBody(answer, MyTrades, 'trades');
      if (page.some(({ symbol }) => symbol !== of.symbol)) throw unreadable('trades');
      for (const trade of page) trades.set(trade.id, trade);
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined || last.id === fromId) return [...trades.values()];
      // Pages whose ids do not grow would be requested without end.
      if (fromId !== undefined && Number(last.id) < Number(fromId)) throw unreadable('trades');
      fromId = last.id;
    }
  }

  async #accountFill(trade: WireTrade): Promise<AccountFill> {
    return {
      ...(await this.#valuer.fill(trade)),
      venueOrderId: trade.orderId,
      clientOrderId: null,
      tokenId: trade.symbol,
      side: trade.isBuyer ? 'buy' : 'sell',
    };
  }

  async #heldSymbols(): Promise<string[]> {
    return (await this.positions()).map(({ tokenId }) => tokenId);
  }

  async #account(): Promise<WireAccount> {
    const answer = await this.#ask('api/v3/account', { omitZeroBalances: true }, WEIGHT.account);
    return parseBody(answer, WireAccount, 'the account');
  }

  async #rights(): Promise<WireRestrictions> {
    const answer = await this.#ask('sapi/v1/account/apiRestrictions', {}, WEIGHT.one);
    return parseBody(answer, WireRestrictions, 'the rights of the key');
  }

  async #isRunning(): Promise<boolean> {
    const answer = await this.#host.sendRead({
      path: 'sapi/v1/system/status',
      query: '',
      weight: WEIGHT.one,
    });
    return parseBody(answer, SystemStatus, 'whether it runs').status === 0;
  }

  async #serverTime(): Promise<number> {
    const answer = await this.#host.sendRead({ path: 'api/v3/time', query: '', weight: WEIGHT.one });
    return parseBody(answer, ServerTime, 'its time').serverTime;
  }

  #ask(path: string, params: Params, weight: number) {
    return this.#host.sendRead({ path, query: this.#signed(params), headers: this.#signer.headers, weight });
  }

  #signed(params: Params): string {
    const timestamp = Math.round(this.#venueNow());
    return this.#signer.query({ ...params, recvWindow: RECV_WINDOW_MS, timestamp });
  }

  #venueNow(): number {
    return this.#clock.now() + this.#offsetMs;
  }
}
