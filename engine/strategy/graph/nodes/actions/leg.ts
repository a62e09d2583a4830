/** A leg of a basket: buys beside the other legs, and sells back what it bought if one of them fails. */
import { type Exact, exact, ZERO } from '../../../../platform/decimal.ts';
import type { LegTerms, Run } from '../../run/run.ts';
import type { Intent, NodeMemory, NodeOrder, NodeStatus, Reason, Unknown, Value } from '../../types.ts';
import { above, isUnknown, percentOf, reason, waitingStatus } from '../../values.ts';
import { type Configured, defineNode, input, output, type Wiring } from '../node.ts';
import { CATCHING_UP, isMissing, shortName } from '../quote-readers.ts';
import {
  isBuying,
  isComplete,
  isUnsellable,
  type LegMemory,
  mustUndo,
  termsOf,
  undoLossOf,
} from './basket.ts';
import { claimBuy, claimSale, limitReached, unclaimedUnits } from './claims.ts';
import { decisionInputsOf } from './decision-inputs.ts';
import { draftAmount, draftPrice, draftSale, fromDouble } from './drafting.ts';
import { ordersOfNode } from './filled-output.ts';
import { type Refused, wantedReader } from './keep-order.ts';
import { type LegSettings, legSettings } from './leg-settings.ts';
import { bidReader, sellPauseMs } from './sell-until-flat.ts';

const BUYING = reason('order_live', 'Its order is live, or another leg is not filled yet.');
const CANCELING = reason('canceling', 'A leg has failed: orders of its basket are being canceled.');
const COMPLETE = reason(
  'basket_complete',
  'All legs were filled. It buys again after its condition was false.',
);
const UNDONE = reason(
  'undone',
  'A leg failed, and nothing of this one is left to sell. It buys again after its condition was false.',
);
const OTHER_LEG = reason('other_leg', 'It waits for another leg of its basket, which cannot begin now.');
const BUSY = reason('order_live', 'Its basket has not ended yet.');
const HALTED = reason('halted', 'The blueprint is in error: no basket begins; one that has begun is undone.');
const CONFLICT = reason('conflict', 'The same step sells this instrument: no basket begins.');
const UNDOING = reason('triggered', 'A leg of its basket failed: what this one bought is sold back.');
const SELLING = reason('order_live', 'Its sell is live.');
const PAUSING = reason('backing_off', 'Its last sell left something; it tries again soon.');
const BEGINS = reason('triggered', 'The conditions of all legs of its basket hold.');
/** Why it cancels its order, for the order's log. */
const LEG_FAILED = 'A leg of its basket was not filled.';

export const leg = defineNode({
  type: 'leg',
  group: 'action',
  title: 'Leg of a basket',
  help: 'Buys together with the other legs of its basket, each by a limit order. No leg begins before all can. If one is refused, canceled or not filled in time, the orders of the others are canceled, and what they bought is sold back. What remains unsold after that puts the blueprint into error. The sells of an undo need no approval: the deploy gave it.',
  phrase: ({ basket }, { text }) => `the basket “${text(basket)}” has been filled`,
  sentence: ({ basket, maxLoss, fillWithinSec }, { name, needed, percent, span, text }) =>
    `Buys ${needed('amount')} of ${name} at ${needed('price')} with the other legs of “${text(basket)}” when ${needed('when')}, and sells it back at a loss of up to ${percent(maxLoss)} unless all are filled within ${span(fillWithinSec)}`,
  laws: {
    unknown:
      'No basket begins while its condition, amount, price or the market is; one that has begun continues.',
    equality: 'A bid that equals the floor of an undo is sold to.',
    gap: 'It goes by what is true now.',
  },
  inputs: [
    input('when', 'boolean', 'The basket is bought once this is true for all its legs.'),
    input('amount', 'number', 'Units; rounded down to the venue’s step.'),
    input('price', 'number', 'Limit price; rounded to the tick, never worse than requested.'),
  ],
  outputs: [output('boolean', 'True for one step after all legs of its basket were filled.')],
  trades: true,
  config: legSettings,
  bind: (config): Configured => ({
    moves: 'tick',
    trade: {
      tokenId: config.instrument,
      origin: 'order',
      side: 'buy',
      basket: config.basket,
      maxLoss: config.maxLoss,
    },
    needs: { quote: config.instrument, instrument: config.instrument, position: config.instrument },
    build: (wiring) => {
      const node = new Leg(config, wiring);
      return {
        compute: (run) => (run.isLive ? node.look(run) : CATCHING_UP),
        act: (run) => {
          if (run.isLive) node.act(run);
        },
        asOf: (run) => run.now,
      };
    },
  }),
});

type Display = { readonly status: NodeStatus; readonly reason?: Reason };

/** Stateless: its memory is in its slot, so that one plan serves many deployments. */
class Leg {
  readonly #config: LegSettings;
  readonly #nodeId: string;
  readonly #slot: number;
  readonly #when: number;
  readonly #amount: number;
  readonly #readWanted: ReturnType<typeof wantedReader>;
  readonly #readBid: ReturnType<typeof bidReader>;
  readonly #failure: Reason;
  readonly #tooLow: Reason;
  readonly #noFacts: Reason;

  constructor(config: LegSettings, wiring: Wiring) {
    this.#config = config;
    this.#nodeId = wiring.nodeId;
    this.#slot = wiring.slot;
    this.#when = wiring.input('when');
    this.#amount = wiring.input('amount');
    const price = wiring.input('price');
    this.#readWanted = wantedReader({
      instrument: config.instrument,
      side: 'buy',
      price: (run) => run.values[price] as Value,
    });
    this.#readBid = bidReader(config.instrument);
    const name = shortName(config.instrument);
    this.#failure = reason(
      'undo_failed',
      `${name} was bought in the basket “${config.basket}”, whose other legs failed. It could not be sold back within ${config.undoWithinSec} s at a loss of ${percentOf(config.maxLoss)}. Sell it by hand.`,
    );
    this.#tooLow = reason('bid_below_floor', `The bid of ${name} is below the lowest price of the undo.`);
    this.#noFacts = reason('no_data', `Tick and step of ${name} are not known yet.`);
  }

  /** Shows this leg to the others. Returns whether its basket was completed in the step before. */
  look(run: Run): boolean {
    const memory = this.#memoryOf(run);
    const { phase, want = '0' } = memory;
    const { live } = ordersOfNode(run, this.#nodeId);
    const mayBuy = (phase === 'buying' || phase === 'undoing') && memory.sells === undefined;
    const isFull = mayBuy && exact(this.#buyOf(run)?.filledAmount ?? 0).gte(want);
    const isStopped = run.world.isHalted || live === null || this.#isTimeOver(run);
    // Quotes and targets of what is sold back stand back.
    if (phase === 'undoing' && this.#lone(run).gt(0)) run.leaving.add(this.#config.instrument);
    run.basketOf(this.#config.basket).legs.push({
      slot: this.#slot,
      phase,
      isFull,
      isBuying: mayBuy && live !== null,
      isShort: phase === 'buying' && !isFull && isStopped,
      terms: (now) => {
        const start = this.#start(now);
        return 'units' in start ? start : null;
      },
    });
    if (phase !== 'complete' || memory.reported === true) return false;
    this.#remember(run, { reported: true });
    return true;
  }

  act(run: Run): void {
    // A condition that was false lets the next basket begin.
    if (run.values[this.#when] === false && this.#memoryOf(run).last === true)
      this.#remember(run, { last: false });
    const { status, reason: why } = this.#step(run);
    run.mark(this.#slot, status, why);
  }

  #step(run: Run): Display {
    switch (this.#memoryOf(run).phase) {
      case 'buying':
        return this.#buy(run);
      case 'undoing':
        return this.#undo(run);
      case 'failed':
        return this.#lone(run).gt(0) ? { status: 'error', reason: this.#failure } : this.#begin(run);
      case 'complete':
        return this.#guardComplete(run);
      default:
        return this.#begin(run);
    }
  }

  #begin(run: Run): Display {
    const terms = termsOf(run, this.#config.basket);
    const own = terms?.get(this.#slot);
    if (!terms || own === undefined) {
      const start = this.#start(run);
      return 'units' in start ? { status: 'waiting', reason: OTHER_LEG } : start;
    }
    const { last, ended = last } = ordersOfNode(run, this.#nodeId);
    const { undo, sells, reported, ...memory } = this.#memoryOf(run);
    run.remember(this.#slot, {
      ...memory,
      on: this.#config.instrument,
      last: true,
      phase: 'buying',
      want: own.units,
      floor: own.floor,
      base: this.#held(run).toFixed(),
      before: ended?.id ?? '',
      begun: run.now,
    } satisfies LegMemory);
    claimBuy(run, this.#config.instrument, own.units);
    const order = { side: 'buy', origin: 'order', amount: own.units, limitPrice: own.limit } as const;
    this.#raise(run, { ...order, timeInForce: 'gtc', reason: BEGINS }, [
      ['basket', this.#config.basket],
      ['legs', terms.size],
      ['undoFloor', own.floor],
      ['undoLoss', undoLossOf(terms).toFixed()],
    ]);
    return { status: 'fired', reason: BEGINS };
  }

  #buy(run: Run): Display {
    const { legs } = run.basketOf(this.#config.basket);
    if (isComplete(legs)) return this.#complete(run);
    if (!mustUndo(legs)) return { status: 'fired', reason: BUYING };
    this.#remember(run, { phase: 'undoing' });
    return this.#undo(run);
  }

  #complete(run: Run): Display {
    this.#remember(run, { phase: 'complete' });
    return { status: 'ok', reason: COMPLETE };
  }

  /** Cancels its buy. Sells only once no leg can fill any more: until then all may still be filled. */
  #undo(run: Run): Display {
    const { legs } = run.basketOf(this.#config.basket);
    const { live } = ordersOfNode(run, this.#nodeId);
    const isLive = isBuying(legs);
    if (!isLive && isComplete(legs)) return this.#complete(run);
    const memory = this.#memoryOf(run);
    if (isLive && memory.sells === undefined) this.#withdraw(run, live);
    const lone = this.#lone(run);
    if (!lone.gt(0)) {
      if (memory.undo !== undefined) {
        const { undo, ...rest } = memory;
        run.remember(this.#slot, rest satisfies LegMemory);
      }
      return isLive || live !== null ? { status: 'waiting', reason: CANCELING } : this.#begin(run);
    }
    const since = memory.undo ?? run.now;
    // A moment that seems to be of the future was dated by a clock that was wrong.
    if (memory.undo === undefined || since > run.now) this.#remember(run, { undo: run.now });
    if (run.now - since >= this.#config.undoWithinSec * 1_000) return this.#fail(run);
    if (isLive) return { status: 'waiting', reason: CANCELING };
    return live === null ? this.#sellBack(run, lone) : { status: 'fired', reason: SELLING };
  }

  #withdraw(run: Run, live: NodeOrder | null): void {
    // An undecided intent has no order yet: the next step sees it.
    if (live === null || live.isCanceling || live.limitPrice === null) return;
    run.cancel({ nodeId: this.#nodeId, orderId: live.id, reason: LEG_FAILED });
  }

  #sellBack(run: Run, lone: Exact): Display {
    const { instrument: tokenId } = this.#config;
    const { at = 0, floor = '0', sells = 0 } = this.#memoryOf(run);
    const quote = this.#readBid(run);
    if (isMissing(quote)) return waiting(quote);
    if (above(Number(floor), quote.bid)) return { status: 'waiting', reason: this.#tooLow };
    const isPausing = at <= run.now && run.now - at < sellPauseMs(sells);
    if (sells > 0 && isPausing) return { status: 'waiting', reason: PAUSING };
    const facts = run.world.instruments.get(tokenId);
    if (facts === undefined) return { status: 'waiting', reason: this.#noFacts };
    const amount = draftSale(lone, unclaimedUnits(run, tokenId), Number(floor), facts);
    if ('refused' in amount) return { status: 'blocked', reason: amount.refused };
    claimSale(run, tokenId, amount.text);
    this.#remember(run, { sells: sells + 1 });
    const order = { side: 'sell', origin: 'exit', amount: amount.text, limitPrice: floor } as const;
    this.#raise(run, { ...order, timeInForce: 'ioc', reason: UNDOING }, [
      ['bid', quote.bid],
      ['alone', lone.toFixed()],
    ]);
    return { status: 'fired', reason: UNDOING };
  }

  #fail(run: Run): Display {
    this.#remember(run, { phase: 'failed' });
    run.fail({ nodeId: this.#nodeId, message: this.#failure.message });
    return { status: 'error', reason: this.#failure };
  }

  /** Terms of its buy, or why it cannot begin now. */
  #start(run: Run): LegTerms | Display {
    const { instrument: tokenId, maxLoss } = this.#config;
    const { phase, last } = this.#memoryOf(run);
    const when = run.values[this.#when] as Value;
    if (ordersOfNode(run, this.#nodeId).live !== null || phase === 'buying' || this.#lone(run).gt(0))
      return { status: 'waiting', reason: BUSY };
    if (isUnknown(when)) return waiting(when);
    if (when === false) return { status: 'idle' };
    if (last === true) return { status: 'ok', reason: phase === 'complete' ? COMPLETE : UNDONE };
    if (run.world.isHalted) return { status: 'blocked', reason: HALTED };
    if (run.leaving.has(tokenId) || run.sold.has(tokenId)) return { status: 'blocked', reason: CONFLICT };
    const amount = run.values[this.#amount] as Value;
    if (typeof amount !== 'number') return waiting(amount as Unknown);
    const wanted = this.#readWanted(run);
    if (!('price' in wanted)) return 'unknown' in wanted ? waiting(wanted) : refused(wanted);
    const { price, facts } = wanted;
    const floor = draftPrice(
      exact(price)
        .times(exact(1).minus(fromDouble(maxLoss)))
        .toNumber(),
      'sell',
      facts,
    );
    if ('refused' in floor) return refused(floor);
    // Its venue must take it back at the lowest price of the undo too.
    const units = draftAmount(amount, Number(floor.text), facts);
    if ('refused' in units) return refused(units);
    const reached = limitReached(run, this.#slot);
    return reached === null ? { units: units.text, limit: price, floor: floor.text } : waiting(reached);
  }

  #isTimeOver(run: Run): boolean {
    const { begun = 0 } = this.#memoryOf(run);
    return begun > run.now || run.now - begun >= this.#config.fillWithinSec * 1_000;
  }

  /**
   * Units to sell back: held above what was held before, and above what a complete basket bought, if they can be sold. Sells of
   * other nodes count as its own; no other node buys.
   */
  #lone(run: Run): Exact {
    const { phase, base = '0', want = '0', floor = '0' } = this.#memoryOf(run);
    if (phase === undefined) return ZERO;
    const held = this.#held(run);
    const lone = held.minus(base).minus(phase === 'complete' ? want : '0');
    const facts = run.world.instruments.get(this.#config.instrument);
    return facts !== undefined && isUnsellable(lone, held, floor, facts) ? ZERO : lone;
  }

  /** Sells back what an earlier order filled late, beside a basket that is complete. */
  #guardComplete(run: Run): Display {
    const { base = '0', want = '0', reported } = this.#memoryOf(run);
    if (reported !== true || !this.#lone(run).gt(0)) return this.#begin(run);
    this.#remember(run, {
      phase: 'undoing',
      base: exact(base).plus(want).toFixed(),
      sells: 0,
      undo: run.now,
    });
    return this.#undo(run);
  }

  #held(run: Run): Exact {
    return exact(run.world.positions.get(this.#config.instrument)?.amount ?? 0);
  }

  /** Its order to buy. An order that ended before it began is none of its own. */
  #buyOf(run: Run): NodeOrder | null {
    const { live, last, ended = last } = ordersOfNode(run, this.#nodeId);
    const newest = live ?? ended;
    return newest === null || newest.id === this.#memoryOf(run).before ? null : newest;
  }

  #raise(
    run: Run,
    terms: Pick<Intent, 'side' | 'origin' | 'amount' | 'limitPrice' | 'timeInForce' | 'reason'>,
    facts: readonly Fact[],
  ): void {
    this.#remember(run, { n: (this.#memoryOf(run).n ?? 0) + 1, at: run.now });
    run.raise({
      nodeId: this.#nodeId,
      stepAt: run.now,
      tokenId: this.#config.instrument,
      type: 'limit',
      slippage: null,
      ...terms,
      inputs: decisionInputsOf(
        run,
        this.#slot,
        facts.map(([name, value]) => ({ nodeId: this.#nodeId, name, value, asOf: run.now })),
      ),
    });
  }

  /** After a redeploy to another instrument, only its condition counts. */
  #memoryOf(run: Run): LegMemory {
    const memory = run.recall<LegMemory & NodeMemory>(this.#slot) ?? {};
    return memory.on === this.#config.instrument ? memory : { last: memory.last === true };
  }

  #remember(run: Run, more: LegMemory): void {
    run.remember(this.#slot, { ...this.#memoryOf(run), ...more } as NodeMemory);
  }
}

type Fact = readonly [name: string, value: string | number];

const waiting = ({ unknown }: Unknown): Display => ({
  status: waitingStatus(unknown),
  reason: unknown,
});

const refused = ({ refused: why }: Refused): Display => ({ status: 'blocked', reason: why });
