/** Binance's trading routes over the simulated world. */
import type { CoinMarket } from '../../binance.ts';
import { ok, type Reply } from '../../reply.ts';
import type { PriceOverrides } from '../../world/price-overrides.ts';
import type { WorldClock } from '../../world/world-clock.ts';
import { Exchange } from '../exchange.ts';
import type { TradingRequest, TradingVenue, UserStreamRules } from '../venue.ts';
import { authenticate, type Caller, paramsOf } from './auth.ts';
import { Clearing } from './clearing.ts';
import { RequestLimits } from './limits.ts';
import * as orders from './orders.ts';
import * as reads from './reads.ts';
import { tooMuchWeight } from './replies.ts';
import type { BinanceState } from './state.ts';
import { streamRules } from './stream.ts';

type Route = {
  /** The right that the key needs. */
  readonly scope: 'read' | 'write';
  readonly weight: number | ((params: URLSearchParams) => number);
  readonly answer: (state: BinanceState, caller: Caller) => Reply;
  /** Wallet routes exist only at the live hosts. */
  readonly isWallet?: true;
};

const privately = (scope: 'read' | 'write', weight: Route['weight'], answer: Route['answer']): Route => ({
  scope,
  weight,
  answer,
});

const ROUTES: Readonly<Record<string, Route>> = {
  'POST api/v3/order': privately('write', 1, orders.create),
  'POST api/v3/order/test': privately('write', 1, orders.test),
  'DELETE api/v3/order': privately('write', 1, orders.cancel),
  'DELETE api/v3/openOrders': privately('write', 1, orders.cancelAll),
  'GET api/v3/order': privately('read', 4, reads.order),
  'GET api/v3/openOrders': privately('read', (params) => (params.has('symbol') ? 6 : 80), reads.openOrders),
  'GET api/v3/myTrades': privately('read', (params) => (params.has('orderId') ? 5 : 20), reads.myTrades),
  'GET api/v3/account': privately('read', 20, reads.account),
  'GET sapi/v1/capital/deposit/hisrec': { ...privately('read', 1, reads.deposits), isWallet: true },
  'GET sapi/v1/capital/withdraw/history': { ...privately('read', 1, reads.withdrawals), isWallet: true },
  'GET sapi/v1/sub-account/transfer/subUserHistory': {
    ...privately('read', 1, () => ok([])),
    isWallet: true,
  },
  'GET sapi/v1/account/apiRestrictions': {
    scope: 'read',
    weight: 1,
    answer: (_floor, caller) => reads.restrictions(caller),
    isWallet: true,
  },
};

export class BinanceTrading implements TradingVenue {
  readonly name = 'binance';
  readonly exchange: Exchange;
  readonly limits: RequestLimits;
  readonly stream: UserStreamRules;
  /** Delay of requests within the venue, before the matching engine checks their time again. */
  engineLagMs = 0;
  readonly #state: BinanceState;

  constructor(coins: CoinMarket, priceOverrides: PriceOverrides, clock: WorldClock) {
    // The clearing posts to the exchange that calls it.
    const clearing: Clearing = new Clearing(coins, priceOverrides, () => this.exchange);
    this.exchange = new Exchange('binance', clearing, clock);
    this.limits = new RequestLimits(this.exchange);
    this.#state = { exchange: this.exchange, clearing, limits: this.limits, cancelIds: new Map() };
    this.stream = streamRules(this.#state);
  }

  /** The status of all its symbols. */
  get status(): string {
    if (this.exchange.pause === null) return 'TRADING';
    return this.exchange.pause === 'all' ? 'BREAK' : 'CANCEL_ONLY';
  }

  answer(ask: TradingRequest): Reply | null {
    const reply = this.#public(ask) ?? this.#private(ask);
    if (reply === null) return null;
    return { ...reply, headers: { ...this.limits.headers(null), ...reply.headers } };
  }

  clientOrderIdOf(ask: TradingRequest): string | null {
    const params = paramsOf(ask);
    const own = ask.method === 'POST' ? params.get('newClientOrderId') : params.get('origClientOrderId');
    return own ?? this.exchange.orders.get(params.get('orderId') ?? '')?.clientOrderId ?? null;
  }

  tooMany(): Reply {
    return tooMuchWeight(this.limits.weightPerMin);
  }

  #public({ method, path, environment }: TradingRequest): Reply | null {
    const isLive = environment === 'live';
    if (method !== 'GET') return null;
    if (path === 'api/v3/time') return this.limits.weigh(1) ?? ok({ serverTime: this.exchange.venueNow() });
    if (path !== 'sapi/v1/system/status' || !isLive) return null;
    const isDown = this.exchange.pause === 'all';
    return ok({ status: isDown ? 1 : 0, msg: isDown ? 'system_maintenance' : 'normal' });
  }

  #private(ask: TradingRequest): Reply | null {
    const route = ROUTES[`${ask.method} ${ask.path}`];
    if (route === undefined) return null;
    if (route.isWallet && ask.environment !== 'live') return { status: 404, body: {} };
    const { weight } = route;
    const refused = this.limits.weigh(typeof weight === 'number' ? weight : weight(paramsOf(ask)));
    if (refused !== null) return refused;
    const caller = authenticate(this.exchange, ask, route.scope, this.engineLagMs);
    if ('status' in caller) return caller;
    this.exchange.advance();
    return route.answer(this.#state, caller);
  }
}
