import { type Clock, dbOf, type Work } from '../../engine/context.ts';
import { Decimal, type Exact, exact, toMoney, ZERO } from '../../engine/decimal.ts';
import type { AccountFacts } from '../../engine/graph/types.ts';
import { type Basis, dayPnl, readBasis } from '../../engine/risk/basis.ts';

/** What an account is worth changes with the marks; it is read again after this. */
const LIFETIME_MS = 5_000;

type Known = { eventSeq: string; readAtMs: number; basis: Basis; readAt: Date };

/** Equity, free cash and headroom of the accounts whose blueprints size by them. */
export class AccountFactsCache {
  readonly #workOf: (accountId: string) => Work;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor({ workOf, clock }: { workOf: (accountId: string) => Work; clock: Clock }) {
    this.#workOf = workOf;
    this.#clock = clock;
  }

  /** `asOf` is dated by `feedNow`. Null where the account cannot be read now. */
  async of(accountId: string, eventSeq: string, feedNow: number): Promise<AccountFacts> {
    const known = this.#known.get(accountId);
    const isFresh =
      known !== undefined && known.eventSeq === eventSeq && performance.now() - known.readAtMs < LIFETIME_MS;
    const { basis, readAt } = isFresh ? known : await this.#read(accountId, eventSeq);
    return factsOf(basis, readAt, feedNow);
  }

  async #read(accountId: string, eventSeq: string): Promise<Known> {
    const work = this.#workOf(accountId);
    const readAt = await this.#clock(dbOf(work));
    const basis = await readBasis(work, { tokenId: null, now: readAt });
    const known = { eventSeq, readAtMs: performance.now(), basis, readAt };
    this.#known.set(accountId, known);
    return known;
  }
}

function factsOf(basis: Basis, now: Date, feedNow: number): AccountFacts {
  const freeCash = Decimal.max(basis.cash.minus(basis.reserved), ZERO);
  const equity = basis.held.reduce(
    (sum, { amount, mark }) => sum.plus(toMoney(amount.times(mark ?? ZERO))),
    basis.cash,
  );
  return {
    equity: equity.toNumber(),
    freeCash: freeCash.toNumber(),
    orderHeadroom: headroomOf(basis, freeCash, now).toNumber(),
    asOf: feedNow,
  };
}

/**
 * The largest notional of one buy that the rules would let pass at `now`, USD. Whether one more instrument may be
 * held depends on the instrument, so that rule is left to the decision. Pure.
 */
export function headroomOf(basis: Basis, freeCash: Exact, now: Date): Exact {
  const { rules, lastLossAt } = basis;
  const isCooling =
    lastLossAt !== null && now.getTime() < lastLossAt.getTime() + rules.cooldownAfterLossSec * 1_000;
  const dayLoss = Decimal.max(dayPnl(basis).negated(), ZERO);
  const isRefused =
    isCooling || dayLoss.gte(rules.maxDailyLoss) || basis.queuedLastMinute + 1 > rules.maxOrdersPerMinute;
  return isRefused ? ZERO : Decimal.min(exact(rules.maxOrderSize), freeCash);
}
