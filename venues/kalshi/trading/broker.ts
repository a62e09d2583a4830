/** Kalshi behind the trading port: one connection to one member's account. */
import type { z } from 'zod';
import type {
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
import { VenueError } from '../../errors.ts';
import type { StreamTimes } from '../../http/keep-connected.ts';
import { allPages, type Page } from '../../http/pages.ts';
import { RateLimitTimeout } from '../../http/rate-limiter.ts';
import { type MayLeave, withheldBy } from '../../http/send-once.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../time.ts';
import { nettingTermsOf, readAccountStatus } from './account-status.ts';
import {
  accountFillOf,
  balancesOf,
  canceledOf,
  hasPossibleMatch,
  openOf,
  orderOf,
  parseBody,
  placedOf,
  positionOf,
  recordWithId,
} from './answer.ts';
import { Calls, type CallsOptions } from './calls.ts';
import * as requests from './request.ts';
import { transfersOf } from './transfers.ts';
import { openUserStream } from './user-stream.ts';
import {
  AsOfTime,
  Balance,
  CreatedGroup,
  Deposits,
  Fills,
  type NamedOrder,
  NamedOrders,
  Netting,
  OneOrder,
  Orders,
  Positions,
  type WireFill,
  type WireOrder,
  Withdrawals,
} from './wire.ts';

export type KalshiOptions = CallsOptions & {
  /** The order group for orders of a market; null: none. A group is on one shard, so it follows from the market. */
  readonly groupOf?: (ticker: string) => string | null;
  readonly streamTimes?: StreamTimes;
};

/** Older ended orders are listed elsewhere, so that their absence is not evidence. The venue stores about three months. */
const HISTORY_MS = 60 * DAY_MS;
/** Overlap with the previous page of fills: reads lag, and times are whole seconds. */
const OVERLAP_MS = 2 * MINUTE_MS;

export class KalshiBroker implements Broker {
  readonly absenceProof = { times: 2, apartMs: 5 * SECOND_MS };
  readonly #options: KalshiOptions;
  readonly #calls: Calls;

  constructor(options: KalshiOptions) {
    this.#options = options;
    this.#calls = new Calls(options);
  }

  prepare(order: BrokerOrder, instrument: TradedInstrument, now: Date): PrepareResult {
    const { ticker } = requests.parseTokenId(order.tokenId);
    return requests.prepare(order, instrument, now, this.#options.groupOf?.(ticker) ?? null);
  }

  /** Sends one POST. An order that never left is refused: the venue cannot have it. */
  async place(order: BrokerOrder, prepared: Prepared, mayLeave?: MayLeave): Promise<PlaceResult> {
    const request = requests.CreateRequest.parse(prepared.request);
    if (this.#options.now() > order.validUntil.getTime())
      return { kind: 'refused', code: 'too_late', reason: 'The order expired before it was sent.' };
    try {
      const answer = await this.#calls.send(requests.createOf(request), 'place', {
        signedForMs: prepared.signedFor.getTime(),
        mayLeave,
      });
      return placedOf(answer, request);
    } catch (error) {
      if (!(error instanceof RateLimitTimeout)) return withheldBy(error);
      return { kind: 'refused', code: 'not_sent', reason: 'The rate limit of venue A is used up.' };
    }
  }

  /** Looks an order up first if the venue has not reported its id yet. */
  async cancel(ref: OrderRef): Promise<CancelResult> {
    const venueOrderId = ref.venueOrderId ?? recordWithId(await this.#listed(ref), ref.id)?.order_id ?? null;
    if (venueOrderId === null) return { kind: 'gone' };
    const { ticker } = requests.parseTokenId(ref.tokenId);
    const answer = await this.#calls.send(requests.cancelOf(venueOrderId, ticker), 'cancel');
    return canceledOf(answer, venueOrderId);
  }

  /**
   * By the venue's id if known, else among all orders of the market since shortly before it was signed. The time that reads are
   * current at is requested before the list. So the list is of that time or later.
   */
  async find(ref: OrderRef): Promise<FindResult> {
    const known = ref.venueOrderId === null ? null : await this.#known(ref, ref.venueOrderId);
    if (known !== null) return { kind: 'found', order: known };
    const { as_of_time: asOf } = await this.#read(requests.asOfTimeOf(), AsOfTime, 'the time of its reads');
    const records = await this.#listed(ref);
    const record = recordWithId(records, ref.id);
    if (record !== null) return { kind: 'found', order: await this.#withFills(record, ref) };
    const signedMs = ref.prepared?.signedFor.getTime() ?? 0;
    const isListed = ref.venueOrderId === null && asOf.getTime() - signedMs < HISTORY_MS;
    return isListed && !hasPossibleMatch(records, ref) ? { kind: 'absent', asOf } : { kind: 'unsure' };
  }

  async listOpen(): Promise<readonly OpenVenueOrder[]> {
    return (await this.#resting()).map(openOf);
  }

  /** The cursor is the moment of the last reported fill, in epoch ms. */
  async fillsSince(cursor: string | null): Promise<FillPage> {
    const lastMs = cursor === null ? null : Number(cursor);
    const filter = lastMs === null ? {} : { since: new Date(lastMs - OVERLAP_MS) };
    const fills: AccountFill[] = (await this.#fills(filter)).map(accountFillOf).reverse();
    // A time in the future would hide every fill until then.
    const newestMs = fills
      .map(({ at }) => Math.min(at.getTime(), this.#options.now()))
      .reduce((newest, atMs) => Math.max(newest, atMs), lastMs ?? 0);
    return { fills, cursor: String(newestMs) };
  }

  async transfers(since: Date): Promise<readonly VenueTransfer[]> {
    const deposits = await this.#all(async (cursor) => {
      const page = await this.#read(requests.depositsOf(cursor), Deposits, 'deposits');
      return { items: page.deposits, cursor: page.cursor };
    });
    const withdrawals = await this.#all(async (cursor) => {
      const page = await this.#read(requests.withdrawalsOf(cursor), Withdrawals, 'withdrawals');
      return { items: page.withdrawals, cursor: page.cursor };
    });
    const all = [...transfersOf(deposits, 'deposit'), ...transfersOf(withdrawals, 'withdrawal')];
    return all.filter(({ at }) => at >= since);
  }

  async positions(): Promise<readonly VenuePosition[]> {
    return (await this.#positions()).flatMap(positionOf);
  }

  async balances(): Promise<readonly VenueBalance[]> {
    const balance = await this.#read(requests.balanceOf(), Balance, 'a balance');
    return balancesOf(balance, await this.#resting(), await this.#positions());
  }

  status(): Promise<VenueStatus> {
    const { signer, now } = this.#options;
    return readAccountStatus((outgoing) => this.#calls.send(outgoing, 'ask'), signer.keyId, now);
  }

  async terms(): Promise<AccountTerms> {
    return nettingTermsOf(await this.#read(requests.nettingOf(), Netting, 'the netting of the account'));
  }

  async cancelAll(): Promise<void> {
    const { status } = await this.#calls.send(requests.cancelAllOf(), 'cancel');
    if (status !== 200 && status !== 204)
      throw VenueError.refused(status, `venue A did not confirm the cancel: status ${status}`);
  }

  stream(on: (event: VenueEvent) => void): { stop(): Promise<void> } {
    return openUserStream(this.#options, on);
  }

  /**
   * Opens an order group on a shard. The venue ends all its orders once more than this number of contracts is filled within 15
   * s.
   */
  async openGroup(shard: number, contractsMax: string): Promise<string> {
    const answer = await this.#calls.send(requests.createGroupOf(shard, contractsMax), 'ask');
    return parseBody(answer, CreatedGroup, 'an order group').order_group_id;
  }

  /** `trigger` ends all orders of a group and blocks new ones; `reset` allows new orders again. */
  async actOnGroup(groupId: string, action: 'trigger' | 'reset', shard: number): Promise<void> {
    const { status } = await this.#calls.send(requests.groupActionOf(groupId, action, shard), 'cancel');
    if (status !== 200) throw VenueError.unavailable(`venue A did not ${action} the group: status ${status}`);
  }

  async #read<T>(outgoing: requests.Outgoing, schema: z.ZodType<T>, what: string): Promise<T> {
    return parseBody(await this.#calls.send(outgoing, 'ask'), schema, what);
  }

  #all<T>(page: (cursor: string | null) => Promise<Page<T>>): Promise<T[]> {
    return allPages('venue A', page);
  }

  /** Null if the lookup by id is not evidence: the order may be on another shard, or archived. */
  async #known(ref: OrderRef, venueOrderId: string): Promise<VenueOrder | null> {
    const answer = await this.#calls.send(requests.orderOf(venueOrderId), 'ask');
    if (answer.status === 404) return null;
    const { order } = parseBody(answer, OneOrder, 'an order');
    const found = await this.#withFills(order, ref);
    if (found.venueOrderId !== venueOrderId) throw VenueError.mismatched('venue A', 'an order');
    return found;
  }

  /** All listed orders that can be the wanted one. */
  #listed(ref: OrderRef): Promise<NamedOrder[]> {
    const filter = requests.searchOf(ref);
    return this.#all(async (cursor) => {
      const page = await this.#read(requests.ordersOf(filter, cursor), NamedOrders, 'orders');
      return { items: page.orders, cursor: page.cursor };
    });
  }

  /** Requests fills after the order: they are of the same time or later, so that no counted fill is missing. */
  async #withFills(record: unknown, ref: OrderRef): Promise<VenueOrder> {
    const order = orderOf(record, [], ref);
    if (order.venueOrderId === null || order.filledAmount === '0') return order;
    return orderOf(record, await this.#fills({ venueOrderId: order.venueOrderId }), ref);
  }

  #fills(filter: requests.FillFilter): Promise<WireFill[]> {
    return this.#all(async (cursor) => {
      const page = await this.#read(requests.fillsOf(filter, cursor), Fills, 'fills');
      return { items: page.fills, cursor: page.cursor };
    });
  }

  #resting(): Promise<WireOrder[]> {
    return this.#all(async (cursor) => {
      const page = await this.#read(requests.ordersOf({ status: 'resting' }, cursor), Orders, 'orders');
      return { items: page.orders, cursor: page.cursor };
    });
  }

  #positions() {
    return this.#all(async (cursor) => {
      const page = await this.#read(requests.positionsOf(cursor), Positions, 'positions');
      return { items: page.market_positions, cursor: page.cursor };
    });
  }
}
