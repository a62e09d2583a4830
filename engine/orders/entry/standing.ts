import { isLive, isReserving } from '../../order-states.ts';
import type { Basis } from '../../risk/basis.ts';
import { dayOf } from '../../risk/basis.ts';
import { measureAlso } from '../../risk/measure.ts';
import { isToTrip } from '../lifecycle/trip.ts';
import type { Market, OrderRow } from '../row.ts';
import type { Allocation, FreeHolding } from '../terms/allocate.ts';
import { noSuchInstrument } from '../terms/read-market.ts';
import { type Birth, type ComposedOrder, composeOrder } from './compose.ts';
import { fenceOf, type RaisingDeployment, refuseSecondSell, type Sell } from './fence.ts';
import { approvalOf, type ProposedIntent } from './intent.ts';

/** What an account holds of an instrument through a blueprint, and how much of it is free. */
export type HeldPosition = FreeHolding & { readonly tokenId: string };

/** What is read once for all decisions that one lock covers. */
export type StandingFacts = {
  readonly basis: Basis;
  /** Of the instruments that are to be sold at least, oldest first. */
  readonly holdings: readonly HeldPosition[];
  /** The live ones. */
  readonly sells: readonly Sell[];
};

type Births = Omit<Birth, 'id'> & { readonly newId: () => string };

/**
 * How an account stands with paper money between decisions that one lock covers: each sees what those before it made, as if
 * that were stored. Nothing is read or written.
 */
export class Standing {
  readonly #births: Births;
  readonly #marketOf: (tokenId: string) => Market | undefined;
  #basis: Basis;
  #holdings: readonly HeldPosition[];
  #sells: readonly Sell[];
  #opensDay = false;

  constructor(
    { basis, holdings, sells }: StandingFacts,
    marketOf: (tokenId: string) => Market | undefined,
    births: Births,
  ) {
    this.#basis = basis;
    this.#holdings = holdings;
    this.#sells = sells;
    this.#marketOf = marketOf;
    this.#births = births;
  }

  /** What the account's day opens at, where these decisions are its first; else null. */
  get opensDayAt() {
    return this.#opensDay ? dayOf(this.#basis).openingUnrealizedPnl : null;
  }

  /**
   * As `proposeIntent`, for an intent of a deployment without an envelope. Null where more than the order comes of it: the
   * loss of the day has reached its limit, or sells that wait for approval are to make way.
   *
   * @throws DomainError as `proposeIntent`.
   */
  propose(intent: ProposedIntent, raising: RaisingDeployment): ComposedOrder | null {
    const basis = this.#basis;
    if (isToTrip(basis)) return null;
    const { now, newId } = this.#births;
    const deployment = fenceOf(raising, intent);
    if (intent.side === 'sell') refuseSecondSell(this.#sells, intent, now);
    const market = this.#marketOf(intent.tokenId);
    if (market === undefined) throw noSuchInstrument(intent.tokenId);
    const composed = composeOrder(
      intent,
      { market, holdings: this.#holdingsOf(intent), basis, approval: approvalOf(intent, deployment) },
      { ...this.#births, id: newId() },
    );
    if (composed.isWayOut && this.#isWaitedToSell(intent.tokenId)) return null;
    this.#keep(composed);
    return composed;
  }

  #holdingsOf({ side, tokenId, blueprintId }: ProposedIntent): HeldPosition[] {
    if (side === 'buy') return [];
    return this.#holdings.filter((held) => held.tokenId === tokenId && held.blueprintId === blueprintId);
  }

  #isWaitedToSell = (tokenId: string): boolean =>
    this.#sells.some(({ status, token_id }) => status === 'pending' && token_id === tokenId);

  #keep({ order, allocations }: ComposedOrder): void {
    this.#opensDay ||= this.#basis.day === null;
    this.#basis = { ...measureAlso(this.#basis, order), day: dayOf(this.#basis) };
    if (order.side === 'sell' && isLive(order.status)) this.#sells = [...this.#sells, order];
    if (isReserving(order.status)) this.#reserve(order, allocations);
  }

  #reserve({ token_id }: OrderRow, allocations: readonly Allocation[]): void {
    if (allocations.length === 0) return;
    this.#holdings = this.#holdings.map((held) => {
      const drawn = allocations.find(({ positionId }) => positionId === held.positionId);
      if (held.tokenId !== token_id || drawn === undefined) return held;
      return { ...held, free: held.free.minus(drawn.amount) };
    });
  }
}
