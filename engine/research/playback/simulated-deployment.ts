import { type Exact, ZERO } from '../../platform/decimal.ts';
import { type SteppedDeployment, stepDeployment } from '../../strategy/deployments/step.ts';
import { isLookAhead } from '../../strategy/graph/candles.ts';
import { compileExits } from '../../strategy/graph/compile/compile.ts';
import { PlanEvaluator } from '../../strategy/graph/run/evaluate.ts';
import { NO_WORLD, type Plan } from '../../strategy/graph/run/run.ts';
import type { Evaluation, World } from '../../strategy/graph/types.ts';
import { BacktestError } from './backtest-error.ts';
import type { Bar } from './bars/bar-path.ts';
import type { BacktestInput } from './input.ts';
import type { IntentCounter } from './intent-counter.ts';
import type { Barriers, IntrabarTriggers } from './intrabar-triggers.ts';
import { plainDecimal } from './plain-decimal.ts';
import type { Recorder, Worth } from './record/recorder.ts';
import type { BacktestSummary } from './result.ts';
import { SignalFeed } from './signal-feed.ts';
import { SimulatedExecution } from './trader/simulated-execution.ts';
import type { MarketChanges, SimulatedMarkets } from './trader/simulated-markets.ts';
import { Valuation } from './trader/valuation.ts';

/** The instruments that one simulated account trades, and its recorder. */
export type SimulatedDeploymentOptions = {
  readonly input: BacktestInput;
  readonly visual: unknown;
  readonly plan: Plan;
  readonly market: SimulatedMarkets;
  readonly watch: IntrabarTriggers;
  readonly pace: BacktestSummary['pace'];
  readonly recorder: Recorder;
  readonly tally: IntentCounter;
  readonly accountIndex: number;
  readonly fromMs: number;
  readonly start: Exact;
};

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** Shortest interval between points of equity, unless a candle closes, an order trades or a day begins. */
const POINT_PERIOD_MS = 60_000;
const DAY_MS = 86_400_000;

/** One deployment on one simulated account along one tape. */
export class SimulatedDeployment {
  readonly trader: SimulatedExecution;
  readonly valuation: Valuation;
  evaluations = 0;
  ambiguousBars = 0;
  /** All its instruments are settled: it cannot change any more. */
  isOver = false;
  readonly market: SimulatedMarkets;
  readonly #options: SimulatedDeploymentOptions;
  readonly #signals: SignalFeed;
  /** The deployment as the next step reads it, and its world: both are updated in place, since there are many steps. */
  readonly #stepped: Writable<SteppedDeployment>;
  readonly #world: Writable<World>;
  readonly #worldNow: () => World;
  #atMs = Number.NaN;
  #evaluation: Evaluation | null = null;
  /** Whether the last step was passed as idle. */
  #isIdle = false;
  #isExitsOnly = false;
  #worth: Worth;
  #pointedMs = Number.NEGATIVE_INFINITY;
  #hasTraded = false;
  /** By instrument: cost of the holding during the forming bar. */
  readonly #costInBar = new Map<string, number>();

  constructor(options: SimulatedDeploymentOptions) {
    const { input, market, recorder, tally, accountIndex, fromMs, plan, start } = options;
    this.#options = options;
    this.market = market;
    this.#signals = new SignalFeed(input.signals);
    this.#stepped = { stepper: new PlanEvaluator(plan), memory: null, problem: null, isHalted: false };
    this.#worth = { equity: start, held: ZERO };
    this.trader = new SimulatedExecution({
      input,
      market,
      recorder,
      tally,
      accountIndex,
      startMs: fromMs,
    });
    this.valuation = new Valuation(this.trader.account, market);
    const { quotes, books, candles, instruments } = market;
    this.#world = { ...NO_WORLD, quotes, books, candles, instruments, observedSince: fromMs };
    this.#worldNow = () => this.#worldAt(this.#atMs);
    this.trader.onTrade = (tokenId, atMs) => this.#traded(tokenId, atMs);
  }

  /** Whether the graph reads books that were missing, or had only the best level. */
  get lacksBooks(): boolean {
    return this.#options.plan.needs.books.length > 0;
  }

  get traded(): readonly string[] {
    return this.#options.plan.needs.traded;
  }

  nextMs(): number {
    if (this.isOver) return Number.POSITIVE_INFINITY;
    return Math.min(this.#options.market.nextMs(), this.trader.queue.nextMs, this.#signals.nextMs());
  }

  /** Deploys: everything known by then is present, and the strategy is stepped once. */
  begin(atMs: number): void {
    this.#options.market.advance(atMs);
    this.#signals.advance(atMs);
    for (const row of this.#options.market.rows()) {
      this.trader.list(row);
      if (this.#options.market.isRecorded(row.token_id)) this.trader.quoted(row.token_id, atMs);
    }
    this.#evaluate(atMs);
  }

  /** Processes all events of an instant, in an order that does not depend on when they were scheduled. */
  process(atMs: number): void {
    const news = this.#options.market.advance(atMs);
    this.#take(news.facts, news.priced, atMs);
    this.trader.work(atMs);
    this.#meet(news, atMs);
    if (this.valuation.holdsAnything && !this.valuation.isDayOpen(atMs)) this.trader.openDay(atMs);
    if (this.valuation.isNearStop(atMs)) this.trader.tripIfReached(atMs);
    const hasSignal = this.#signals.advance(atMs);
    if (news.hasClosed || hasSignal || this.#isMoved(news)) this.#evaluate(atMs);
    this.#point(atMs, news.hasClosed);
  }

  /** Whether the graph may act without a new candle: by a price or a fact, or by its own orders and holdings. */
  #isMoved({ priced, facts }: MarketChanges): boolean {
    if (this.#options.pace !== 'candles') return priced.length > 0 || facts.length > 0;
    return this.trader.hasMoved || (priced.length > 0 && this.valuation.holdsAnything);
  }

  /** Processes the last instant: matches and values what has closed by then, without further decisions. */
  finish(atMs: number): void {
    if (!this.isOver) {
      const news = this.#options.market.advance(atMs);
      this.#take(news.facts, news.priced, atMs);
      this.trader.work(atMs);
      this.#meet(news, atMs);
    }
    this.#point(atMs, true);
    this.trader.end(atMs);
  }

  /** Returns all state that the next step depends on, as JSON values. */
  snapshot() {
    const { rows } = this.trader.account;
    return {
      memory: this.#stepped.memory,
      nodes: this.#isIdle ? this.#stepped.stepper.idleStates() : (this.#evaluation?.nodeStates ?? null),
      orders: rows.liveOrders(),
      positions: [...rows.positions.values()],
      account: rows.account,
      evaluations: this.evaluations,
    };
  }

  #take(facts: readonly string[], priced: readonly string[], atMs: number): void {
    const { market, plan } = this.#options;
    for (const tokenId of facts) {
      const row = market.rowOf(tokenId);
      if (row === undefined) continue;
      this.trader.list(row);
      this.trader.settle(tokenId, atMs);
    }
    for (const tokenId of priced) {
      if (market.isRecorded(tokenId)) this.trader.quoted(tokenId, atMs);
      else if (market.hasNewVolume(tokenId, atMs)) this.trader.renew(tokenId);
    }
    if (facts.length === 0) return;
    const { traded } = plan.needs;
    this.isOver = traded.length > 0 && traded.every((id) => market.rowOf(id)?.settlement_value != null);
  }

  #meet({ priced, minutes }: MarketChanges, atMs: number): void {
    for (const tokenId of priced) this.#countAmbiguous(tokenId, atMs);
    const met = minutes.length === 0 ? priced : [...new Set([...priced, ...minutes])].sort();
    for (const tokenId of met) this.trader.meet(tokenId, atMs);
  }

  #evaluate(atMs: number): void {
    if (this.isOver) return;
    this.evaluations++;
    this.#atMs = atMs;
    if (this.#idle(atMs)) return;
    this.market.confirm(atMs);
    this.#stepped.isHalted = this.trader.isHalted;
    const step = stepDeployment(this.#stepped, this.#worldNow, atMs);
    const { evaluation, failure, intents, cancellations } = step;
    if (failure !== null) this.#fail(failure, atMs);
    if (evaluation === null) {
      this.#keepExits();
      return;
    }
    this.#stepped.memory = evaluation.memory;
    this.#evaluation = evaluation;
    for (const { nodeId, text } of evaluation.notifications) {
      this.#options.recorder.log(atMs, 'notification', nodeId, text);
    }
    if (cancellations.length > 0) this.trader.cancel(cancellations, atMs);
    if (intents.length > 0) this.trader.raise(intents, atMs);
  }

  /** Passes a step in which nothing happens. */
  #idle(atMs: number): boolean {
    const { stepper, memory } = this.#stepped;
    const after = this.trader.hasMoved ? null : stepper.idle(this.#world, memory, atMs);
    this.#isIdle = after !== null;
    if (after === null) return false;
    this.#stepped.memory = after;
    this.market.noteBids(atMs);
    return true;
  }

  #worldAt(atMs: number): World {
    const world = this.#world;
    const { needs } = this.#options.plan;
    world.account = needs.account ? this.trader.accountAt(atMs) : null;
    const { positions, buying, orders } = this.trader.stateAt(atMs);
    world.positions = positions;
    world.buying = buying;
    world.orders = orders;
    world.signals = this.#signals.newest;
    world.isHalted = this.trader.isHalted;
    return world;
  }

  #fail(failure: string, atMs: number): void {
    if (isLookAhead(failure)) throw new BacktestError('look_ahead', failure);
    this.#options.recorder.log(atMs, 'blueprint_failed', null, failure);
    this.trader.halt(atMs);
  }

  /** A graph that cannot be evaluated as a whole still guards its positions, as live. */
  #keepExits(): void {
    if (this.#isExitsOnly) return;
    this.#isExitsOnly = true;
    this.#stepped.memory = null;
    this.#stepped.stepper = new PlanEvaluator(compileExits(this.#options.visual));
  }

  #traded(tokenId: string, atMs: number): void {
    const extremes = this.valuation.extremesOf(tokenId);
    if (extremes !== null) {
      this.#options.recorder.marked(tokenId, atMs, plainDecimal(extremes.low), plainDecimal(extremes.high));
    }
    this.#hasTraded = true;
    this.valuation.traded();
  }

  #point(atMs: number, hasClosed: boolean): void {
    const isDay = Math.floor(atMs / DAY_MS) !== Math.floor(this.#pointedMs / DAY_MS);
    if (!hasClosed && !this.#hasTraded && !isDay && atMs - this.#pointedMs < POINT_PERIOD_MS) return;
    this.#hasTraded = false;
    this.#pointedMs = atMs;
    const before = this.#worth;
    this.#worth = this.valuation.at(atMs);
    this.#options.recorder.point(atMs, before, this.#worth);
  }

  /** Counts bars that contain both barriers of an exit: which was met first is not known. */
  #countAmbiguous(tokenId: string, atMs: number): void {
    const { watch, market } = this.#options;
    if (watch.exits.length === 0) return;
    const costNow = this.valuation.costOf(tokenId);
    if (costNow !== null) this.#costInBar.set(tokenId, costNow);
    const bar = market.closedBar(tokenId, atMs)?.bar;
    const cost = this.#costInBar.get(tokenId);
    if (bar === undefined || cost === undefined) return;
    if (costNow === null) this.#costInBar.delete(tokenId);
    if (watch.exits.some((exit) => exit.tokenId === tokenId && liesWithin(exit, cost, bar))) {
      this.ambiguousBars++;
    }
  }
}

const liesWithin = ({ stopLoss, takeProfit }: Barriers, cost: number, { low, high }: Bar): boolean =>
  stopLoss !== null && takeProfit !== null && low <= cost * (1 - stopLoss) && high >= cost * (1 + takeProfit);
