import { randomUUID } from 'node:crypto';
import { type Exact, exact, sumOf } from '../../engine/platform/decimal.ts';
import type {
  AccountFill,
  FillPage,
  OpenVenueOrder,
  VenueBalance,
  VenueFill,
  VenueOrder,
  VenuePosition,
  VenueTransfer,
} from '../../venues/broker.ts';
import { fillOf, ScriptedBroker } from './scripted-broker.ts';

type Held = { readonly tokenId: string; readonly amount: Exact };

/**
 * A scripted venue that keeps the whole account. Money and holdings follow from every fill, also of foreign orders, and from
 * deposits and withdrawals. Yes and no of a market are one position, as at venue A.
 */
export class ScriptedAccount extends ScriptedBroker {
  /** Every fill in the order it happened; the venue lists it from an index on. */
  readonly log: AccountFill[] = [];
  readonly foreignOrders: OpenVenueOrder[] = [];
  /** Deposits, withdrawals and payouts, USD. */
  readonly paid: Exact[] = [];
  /** The part of them in the venue's own record; the opening balance is not. */
  readonly recorded: VenueTransfer[] = [];
  /** Instruments that were settled or redeemed: gone from the list of positions. */
  readonly gone = new Set<string>();
  /** Replaces the result of the next read of positions; `fail` makes it fail. */
  readonly nextPositions: (readonly VenuePosition[] | 'fail')[] = [];
  readonly currency: string;
  readonly #clock: () => Date;

  constructor(now: () => Date, { money = '1000', currency = 'USD' } = {}) {
    super(now);
    this.#clock = now;
    this.currency = currency;
    this.paid.push(exact(money));
  }

  override fill(
    id: string,
    fill: Partial<VenueFill> & { amount: string },
    status: VenueOrder['status'] = 'open',
  ): VenueOrder {
    const filled = super.fill(id, { at: this.#clock(), ...fill }, status);
    const last = filled.fills.at(-1);
    const order = this.placed.find((each) => each.id === id);
    if (last === undefined || order === undefined || filled.venueOrderId === null)
      throw new Error(`Order ${id} was never placed.`);
    const { tokenId, side } = order;
    this.log.push({ ...last, venueOrderId: filled.venueOrderId, clientOrderId: id, tokenId, side });
    return filled;
  }

  /** Trades with the account as another client of the venue. */
  foreign(
    fill: Pick<AccountFill, 'tokenId' | 'side' | 'amount' | 'price'> & Partial<AccountFill>,
  ): AccountFill {
    const id = randomUUID();
    const report = {
      ...fillOf(`t-${id}`, { at: this.#clock(), ...fill }),
      ...fill,
      venueOrderId: `x-${id}`,
      clientOrderId: null,
    };
    this.log.push(report);
    return report;
  }

  /** Deposits money, or withdraws it (below zero), and records it at the venue. */
  transfer(amount: string): void {
    this.paid.push(exact(amount));
    const id = `transfer-${this.recorded.length + 1}`;
    this.recorded.push({ id, currency: this.currency, amount, at: this.#clock() });
  }

  override async transfers(since: Date): Promise<VenueTransfer[]> {
    return this.recorded.filter(({ at }) => at >= since);
  }

  override async listOpen(): Promise<OpenVenueOrder[]> {
    return [...(await super.listOpen()), ...this.foreignOrders];
  }

  override async fillsSince(cursor: string | null): Promise<FillPage> {
    return { fills: this.log.slice(Number(cursor ?? 0)), cursor: String(this.log.length) };
  }

  override async positions(): Promise<VenuePosition[]> {
    const next = this.nextPositions.shift();
    if (next === 'fail') throw new Error('connection reset');
    if (next !== undefined) return [...next];
    return this.#net()
      .filter(({ tokenId, amount }) => !amount.isZero() && !this.gone.has(tokenId))
      .map(({ tokenId, amount }) =>
        amount.isNegative()
          ? { tokenId: tokenId.replace(/:yes$/, ':no'), amount: amount.abs().toFixed() }
          : { tokenId, amount: amount.toFixed() },
      );
  }

  override async balances(): Promise<VenueBalance[]> {
    const traded = this.log.map(({ side, amount, price, fee }) =>
      exact(amount)
        .times(price)
        .times(side === 'buy' ? -1 : 1)
        .minus(fee),
    );
    // In one book, a purchase of no is a sale of yes for which a dollar is set aside.
    const kept = this.#net().flatMap(({ amount }) => (amount.isNegative() ? [amount] : []));
    const total = sumOf([...this.paid, ...traded, ...kept]).toFixed();
    return [{ currency: this.currency, available: total, total }];
  }

  #net(): Held[] {
    const byToken = Map.groupBy(this.log, ({ tokenId }) => tokenId);
    return [...byToken].map(([tokenId, fills]) => ({
      tokenId,
      amount: sumOf(fills.map(({ side, amount }) => (side === 'buy' ? amount : `-${amount}`))),
    }));
  }
}
