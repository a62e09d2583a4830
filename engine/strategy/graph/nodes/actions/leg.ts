/** A leg of a basket: trades beside the other legs, and undoes what it traded if one of them fails. */
import { type Exact, exact, ZERO } from '../../../../platform/decimal.ts';
import type { LegTerms, Run } from '../../run/run.ts';
import type { Intent, NodeMemory, NodeOrder, Reason, Unknown, Value } from '../../types.ts';
import { isUnknown } from '../../values.ts';
import { type Configured, defineNode, input, output, type Wiring } from '../node.ts';
import { CATCHING_UP, shortName } from '../quote-readers.ts';
import { isComplete, isFilling, isTaken, type LegMemory, mustUndo, termsOf, undoLossOf } from './basket.ts';
import { limitReached } from './claims.ts';
import { decisionInputsOf } from './decision-inputs.ts';
import { ordersOfNode } from './filled-output.ts';
import { wantedReader } from './keep-order.ts';
import type { Display } from './leg-display.ts';
import * as show from './leg-display.ts';
import { type LegSettings, legSettings } from './leg-settings.ts';
import { type LegSide, legSideOf, worstOf } from './leg-side.ts';
import { sellPauseMs } from './sell-until-flat.ts';

export const leg = defineNode({
  type: 'leg',
  group: 'action',
  title: 'Leg of a basket',
  help: 'Trades together with the other legs of its basket, each by a limit order. No leg begins before all can. If one is refused, canceled or not filled in time, the orders of the others are canceled; what they bought is sold back, and what they sold is bought back. What remains after that puts the blueprint into error. The sells of an undo need no approval: the deploy gave it. Its buys pass rules and approvals.',
  phrase: ({ basket }, { text }) => `the basket “${text(basket)}” has been filled`,
  sentence: (
    { basket, side, maxLoss, fillWithinSec, undoWithinSec },
    { name, needed, percent, span, text },
  ) => {
    const [trades, undoes] = side === 'sell' ? ['Sells', 'buys'] : ['Buys', 'sells'];
    return `${trades} ${needed('amount')} of ${name} at ${needed('price')} with the other legs of “${text(basket)}” when ${needed('when')}, and ${undoes} it back at a loss of up to ${percent(maxLoss)} unless all are filled within ${span(fillWithinSec)}; what cannot be undone within ${span(undoWithinSec)} stays`;
  },
  laws: {
    unknown:
      'No basket begins while its condition, amount, price or the market is; one that has begun continues.',
    equality:
      'A bid that equals the lowest price of an undo is sold to; an ask that equals the highest is bought at.',
    gap: 'It goes by what is true now.',
  },
  inputs: [
    input('when', 'boolean', 'The basket begins once this is true for all its legs.'),
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
      side: config.side,
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

/** Stateless: its memory is in its slot, so that one plan serves many deployments. */
class Leg {
  readonly #config: LegSettings;
  readonly #nodeId: string;
  readonly #slot: number;
  readonly #when: number;
  readonly #amount: number;
  readonly #readWanted: ReturnType<typeof wantedReader>;
  readonly #side: LegSide;
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
      side: config.side,
      price: (run) => run.values[price] as Value,
    });
    this.#side = legSideOf(config);
    this.#noFacts = show.noFactsOf(shortName(config.instrument));
  }

  /** Shows this leg to the others. Returns whether its basket was completed in the step before. */
  look(run: Run): boolean {
    this.#countSold(run);
    const memory = this.#memoryOf(run);
    const { phase, want = '0' } = memory;
    const { live } = ordersOfNode(run, this.#nodeId);
    const mayFill = (phase === 'filling' || phase === 'undoing') && memory.undos === undefined;
    const isFull = mayFill && exact(this.#orderOf(run)?.filledAmount ?? 0).gte(want);
    const isStopped = run.world.isHalted || live === null || this.#isTimeOver(run);
    const isLone = this.#lone(run).gt(0);
    // Quotes and targets of what is sold back stand back.
    if (phase === 'undoing' && isLone && this.#side.undoSide === 'sell')
      run.leaving.add(this.#config.instrument);
    run.basketOf(this.#config.basket).legs.push({
      slot: this.#slot,
      tokenId: this.#config.instrument,
      phase,
      isFull,
      isFilling: mayFill && live !== null,
      isShort: phase === 'filling' && !isFull && isStopped,
      isBusy: live !== null || phase === 'filling' || (phase !== 'failed' && isLone),
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
      case 'filling':
        return this.#fill(run);
      case 'undoing':
        return this.#undo(run);
      case 'failed':
        return this.#isStranded(run) ? { status: 'error', reason: this.#side.failure } : this.#begin(run);
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
      return 'units' in start ? { status: 'waiting', reason: show.OTHER_LEG } : start;
    }
    const { last, ended = last } = ordersOfNode(run, this.#nodeId);
    const { undo, undos, got, reported, ...memory } = this.#memoryOf(run);
    run.remember(this.#slot, {
      ...memory,
      on: this.#on,
      last: true,
      phase: 'filling',
      want: own.units,
      worst: own.worst,
      base: this.#held(run).toFixed(),
      before: ended?.id ?? '',
      begun: run.now,
    } satisfies LegMemory);
    const { side, worstName } = this.#side;
    this.#side.claim(run, this.#config.instrument, own.units);
    const order = { side, origin: 'order', amount: own.units, limitPrice: own.limit } as const;
    this.#raise(run, { ...order, timeInForce: 'gtc', reason: show.BEGINS }, [
      ['basket', this.#config.basket],
      ['legs', terms.size],
      [worstName, own.worst],
      ['undoLoss', undoLossOf(terms).toFixed()],
    ]);
    return { status: 'fired', reason: show.BEGINS };
  }

  #fill(run: Run): Display {
    const { legs } = run.basketOf(this.#config.basket);
    if (isComplete(legs)) return this.#complete(run);
    if (!mustUndo(legs)) return { status: 'fired', reason: show.FILLING };
    this.#remember(run, { phase: 'undoing' });
    return this.#undo(run);
  }

  #complete(run: Run): Display {
    this.#remember(run, { phase: 'complete' });
    return { status: 'ok', reason: show.COMPLETE };
  }

  /** Cancels its order. Undoes only once no leg can fill any more: until then all may still be filled. */
  #undo(run: Run): Display {
    const { legs } = run.basketOf(this.#config.basket);
    const { live } = ordersOfNode(run, this.#nodeId);
    const isLive = isFilling(legs);
    if (!isLive && isComplete(legs)) return this.#complete(run);
    const memory = this.#memoryOf(run);
    if (isLive && memory.undos === undefined) this.#withdraw(run, live);
    const lone = this.#lone(run);
    if (!lone.gt(0)) {
      if (isLive || live !== null) return { status: 'waiting', reason: show.CANCELING };
      this.#settle(run);
      return this.#begin(run);
    }
    const since = memory.undo ?? run.now;
    // A moment that seems to be of the future was dated by a clock that was wrong.
    if (memory.undo === undefined || since > run.now) this.#remember(run, { undo: run.now });
    if (run.now - since >= this.#config.undoWithinSec * 1_000) return this.#fail(run);
    if (isLive) return { status: 'waiting', reason: show.CANCELING };
    return live === null ? this.#tradeBack(run, lone) : { status: 'fired', reason: show.UNDO_LIVE };
  }

  #withdraw(run: Run, live: NodeOrder | null): void {
    // An undecided intent has no order yet: the next step sees it.
    if (live === null || live.isCanceling || live.limitPrice === null) return;
    run.cancel({ nodeId: this.#nodeId, orderId: live.id, reason: show.LEG_FAILED });
  }

  #tradeBack(run: Run, lone: Exact): Display {
    const { instrument: tokenId } = this.#config;
    const { undoSide, undoOrigin, undoing, beyond, quoteName } = this.#side;
    const { at = 0, worst = '0', undos = 0 } = this.#memoryOf(run);
    const quoted = this.#side.quoted(run);
    if (typeof quoted !== 'number') return show.waiting(quoted);
    if (this.#side.isBeyond(quoted, Number(worst))) return { status: 'waiting', reason: beyond };
    const isPausing = at <= run.now && run.now - at < sellPauseMs(undos);
    if (undos > 0 && isPausing) return { status: 'waiting', reason: show.PAUSING };
    const facts = run.world.instruments.get(tokenId);
    if (facts === undefined) return { status: 'waiting', reason: this.#noFacts };
    const amount = this.#side.undoUnits(run, lone, worst, facts);
    if ('refused' in amount) return show.refused(amount);
    this.#side.claimUndo(run, tokenId, amount.text);
    // Sales of a person beside its order are not its own.
    const isFirstBuy = undoSide === 'buy' && undos === 0;
    const sale = this.#orderOf(run)?.id;
    const base = isFirstBuy
      ? { base: this.#held(run).plus(lone).toFixed(), ...(sale !== undefined && { before: sale }) }
      : {};
    this.#remember(run, { undos: undos + 1, ...base });
    const order = { side: undoSide, origin: undoOrigin, amount: amount.text, limitPrice: worst } as const;
    this.#raise(run, { ...order, timeInForce: 'ioc', reason: undoing }, [
      [quoteName, quoted],
      ['alone', lone.toFixed()],
    ]);
    return { status: 'fired', reason: undoing };
  }

  /** Ends an undo that left nothing: its time begins again with what is reported late. */
  #settle(run: Run): void {
    const { undo, ...rest } = this.#memoryOf(run);
    const hasSold = exact(rest.got ?? 0).gt(0);
    if (undo === undefined && !hasSold) return;
    // Sales of a person from now on are not its own.
    const settled = hasSold ? { got: '0', undos: rest.undos ?? 0 } : {};
    run.remember(this.#slot, { ...rest, ...settled } satisfies LegMemory);
  }

  #fail(run: Run): Display {
    // A buy of an undo may wait for a person: approved later, it would be beside what was bought by hand.
    this.#withdraw(run, ordersOfNode(run, this.#nodeId).live);
    // No basket begins in this step, whichever leg acts next.
    this.#remember(run, { phase: 'failed', last: true });
    run.fail({ nodeId: this.#nodeId, message: this.#side.failure.message });
    return { status: 'error', reason: this.#side.failure };
  }

  /** Whether what a failed undo left still needs a person: units until they are gone, what was sold until the next deploy. */
  #isStranded(run: Run): boolean {
    return this.#side.side === 'buy' ? this.#lone(run).gt(0) : run.world.isHalted;
  }

  /** Terms of its order, or why it cannot begin now. */
  #start(run: Run): LegTerms | Display {
    const { instrument: tokenId, basket, maxLoss } = this.#config;
    const { phase, last } = this.#memoryOf(run);
    const when = run.values[this.#when] as Value;
    if (ordersOfNode(run, this.#nodeId).live !== null || phase === 'filling' || this.#lone(run).gt(0))
      return { status: 'waiting', reason: show.BUSY };
    if (isUnknown(when)) return show.waiting(when);
    if (when === false) return { status: 'idle' };
    if (last === true) return { status: 'ok', reason: phase === 'complete' ? show.COMPLETE : show.UNDONE };
    if (run.world.isHalted) return { status: 'blocked', reason: show.HALTED };
    if (this.#conflicts(run) || isTaken(run, basket, tokenId))
      return { status: 'blocked', reason: show.CONFLICT };
    const amount = run.values[this.#amount] as Value;
    if (typeof amount !== 'number') return show.waiting(amount as Unknown);
    const wanted = this.#readWanted(run);
    if (!('price' in wanted)) return 'unknown' in wanted ? show.waiting(wanted) : show.refused(wanted);
    const { price: limit, facts } = wanted;
    const worst = worstOf(this.#side, limit, maxLoss, facts);
    const units = this.#side.units(run, amount, { limit, worst }, facts);
    if ('refused' in units) return show.refused(units);
    const reached = this.#side.side === 'buy' ? limitReached(run, this.#slot) : null;
    return reached === null ? { units: units.text, limit, worst } : show.waiting(reached);
  }

  /** Whether the same step trades its instrument the other way. */
  #conflicts(run: Run): boolean {
    const { instrument } = this.#config;
    if (this.#side.side === 'sell') return run.bought.has(instrument);
    return run.leaving.has(instrument) || run.sold.has(instrument);
  }

  #isTimeOver(run: Run): boolean {
    const { begun = 0 } = this.#memoryOf(run);
    return begun > run.now || run.now - begun >= this.#config.fillWithinSec * 1_000;
  }

  /** Units to undo: by what is held beside what was held before, if its venue takes them. */
  #lone(run: Run): Exact {
    const memory = this.#memoryOf(run);
    const held = this.#held(run);
    const lone = this.#side.lone(memory, held);
    const facts = run.world.instruments.get(this.#config.instrument);
    const isTooLittle = facts !== undefined && this.#side.isTooLittle(lone, held, memory.worst ?? '0', facts);
    return isTooLittle ? ZERO : lone;
  }

  /** Remembers what its own order has sold, less what orders of its undo have bought back. */
  #countSold(run: Run): void {
    const { phase, undos, got = '0' } = this.#memoryOf(run);
    const isOpen = phase === 'filling' || phase === 'undoing';
    if (this.#side.side === 'buy' || !isOpen) return;
    const order = this.#orderOf(run);
    const filled = order?.filledAmount ?? '0';
    if (undos === undefined && filled !== got) this.#remember(run, { got: filled });
    if (undos === undefined || order === null || order.endedAt === null) return;
    this.#remember(run, { got: exact(got).minus(filled).toFixed(), before: order.id });
  }

  /** Sells back what an earlier order filled late, beside a basket that is complete. */
  #guardComplete(run: Run): Display {
    const { base = '0', want = '0', reported } = this.#memoryOf(run);
    if (reported !== true || !this.#lone(run).gt(0)) return this.#begin(run);
    this.#remember(run, {
      phase: 'undoing',
      base: exact(base).plus(want).toFixed(),
      undos: 0,
      undo: run.now,
    });
    return this.#undo(run);
  }

  get #on(): string {
    return `${this.#side.side} ${this.#config.instrument}`;
  }

  #held(run: Run): Exact {
    return exact(run.world.positions.get(this.#config.instrument)?.amount ?? 0);
  }

  /** Its order. One that ended before it began is none of its own. */
  #orderOf(run: Run): NodeOrder | null {
    const { live, last, ended = last } = ordersOfNode(run, this.#nodeId);
    const newest = live ?? ended;
    return newest === null || newest.id === this.#memoryOf(run).before ? null : newest;
  }

  #raise(
    run: Run,
    terms: Pick<Intent, 'side' | 'origin' | 'amount' | 'limitPrice' | 'timeInForce' | 'reason'>,
    facts: readonly (readonly [name: string, value: string | number])[],
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

  /** After a redeploy to another side or instrument, only its condition counts. */
  #memoryOf(run: Run): LegMemory {
    const memory = run.recall<LegMemory & NodeMemory>(this.#slot) ?? {};
    return memory.on === this.#on ? memory : { last: memory.last === true };
  }

  #remember(run: Run, more: LegMemory): void {
    run.remember(this.#slot, { ...this.#memoryOf(run), ...more } as NodeMemory);
  }
}
