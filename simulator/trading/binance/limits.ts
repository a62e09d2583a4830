/** Rate limits: weight by address and minute, unfilled orders by account. A client that continues after a 429 is banned. */
import { MINUTE_MS, SECOND_MS } from '../../../venues/time.ts';
import type { Reply } from '../../reply.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Order } from '../orders.ts';
import { banned, tooManyOrders, tooMuchWeight } from './replies.ts';

/** Requests beyond the limit before a ban, and the ban's length. */
const REFUSALS_MAX = 10;
const BAN_MS = 2 * MINUTE_MS;
const ORDER_WINDOW_MS = 10 * SECOND_MS;

const windowOf = (nowMs: number): number => nowMs - (nowMs % ORDER_WINDOW_MS);

const secondsUntil = (nowMs: number, untilMs: number): string =>
  String(Math.max(1, Math.ceil((untilMs - nowMs) / SECOND_MS)));

export class RequestLimits {
  weightPerMin = 6_000;
  ordersPer10Sec = 50;
  readonly #exchange: Exchange;
  #minute = 0;
  #used = 0;
  #ignored = 0;
  #bannedUntilMs = 0;
  /** Orders of slightly more than the last ten seconds. */
  #recent: Order[] = [];

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    exchange.listen((event) => {
      if (event.kind === 'order' && event.order.states.length === 1) this.#recent.push(event.order);
    });
  }

  /** Counts a request; returns the refusal, if any. */
  weigh(weight: number): Reply | null {
    const nowMs = this.#exchange.now();
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) [this.#minute, this.#used, this.#ignored] = [minute, 0, 0];
    if (nowMs < this.#bannedUntilMs) return this.#ban(nowMs);
    this.#used += weight;
    if (this.#used <= this.weightPerMin) return null;
    this.#ignored += 1;
    if (this.#ignored > REFUSALS_MAX) {
      this.#bannedUntilMs = nowMs + BAN_MS;
      return this.#ban(nowMs);
    }
    const headers = { 'retry-after': secondsUntil(nowMs, (minute + 1) * MINUTE_MS) };
    return { ...tooMuchWeight(this.weightPerMin), headers };
  }

  /** The refusal for an account that would place one order too many. Orders with at least one fill do not count. */
  tooManyOrders(account: Account): Reply | null {
    if (this.#unfilled(account) < this.ordersPer10Sec) return null;
    const nowMs = this.#exchange.now();
    const headers = { 'retry-after': secondsUntil(nowMs, windowOf(nowMs) + ORDER_WINDOW_MS) };
    return { ...tooManyOrders(this.ordersPer10Sec), headers };
  }

  /** Headers of every answer; answers about an order also state how many orders count. */
  headers(account: Account | null): Record<string, string> {
    const weight = { 'x-mbx-used-weight-1m': String(this.#used) };
    return account === null
      ? weight
      : { ...weight, 'x-mbx-order-count-10s': String(this.#unfilled(account)) };
  }

  #unfilled(account: Account): number {
    const sinceMs = windowOf(this.#exchange.now());
    this.#recent = this.#recent.filter(({ placedMs }) => placedMs >= sinceMs);
    return this.#recent.filter((order) => order.account === account && order.fills.length === 0).length;
  }

  #ban(nowMs: number): Reply {
    const headers = { 'retry-after': secondsUntil(nowMs, this.#bannedUntilMs) };
    return { ...banned(this.#bannedUntilMs), headers };
  }
}
