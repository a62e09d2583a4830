import { INTERVAL_MS } from '../../../venues/parse/intervals.ts';
import { type Exact, exact } from '../../platform/decimal.ts';
import { compile } from '../../strategy/graph/compile/compile.ts';
import { instrumentFactsOf } from '../../strategy/graph/instrument-facts.ts';
import type { Plan } from '../../strategy/graph/run/run.ts';
import type { InstrumentFacts } from '../../strategy/graph/types.ts';
import { type InstrumentFact, instrumentFactsByTime } from '../../trading/orders/terms/facts-by-time.ts';
import { BacktestError } from './backtest-error.ts';
import {
  choosePrices,
  openMinutePrices,
  openPrices,
  type PriceChoice,
  rowsAs,
} from './bars/choose-prices.ts';
import { CandleFeed, firstInWindow } from './candle-feed.ts';
import type { BacktestHooks, BacktestInput } from './input.ts';
import { IntentCounter } from './intent-counter.ts';
import { type IntrabarTriggers, intrabarTriggersOf } from './intrabar-triggers.ts';
import { Recorder } from './record/recorder.ts';
import type { HighLow } from './request.ts';
import type { BacktestSummary } from './result.ts';
import { candlesFrom, type SharedSeries } from './shared-series.ts';
import { SimulatedDeployment } from './simulated-deployment.ts';
import { substituteToken, substitutionOf } from './substitute-token.ts';
import { SimulatedMarkets } from './trader/simulated-markets.ts';

/** Options of one pass over a tape. */
export type PassOptions = {
  readonly emit: BacktestHooks['part'];
  /** Called every {@link CHECK_EVERY} evaluations; false ends the pass at the current instant. */
  readonly goesOn: (evaluations: number, atMs: number) => boolean;
  readonly highLow: Exclude<HighLow, 'both'>;
  /** Warm-up, as a multiple of the candles that the graph needs. */
  readonly warmUpTimes: number;
  /** Instants at which everything recorded so far is noted, with the state of the run. */
  readonly marks: readonly number[];
  /** Histories from which paths inside bars are generated, if those of the input were changed; else null. */
  readonly pathHistories: BacktestInput['histories'] | null;
  /** Candles shared with other runs. */
  readonly shared: SharedSeries | null;
};

/** Result of one pass. */
export type PassResult = {
  readonly recorder: Recorder;
  readonly tally: IntentCounter;
  readonly sessions: readonly SimulatedDeployment[];
  readonly choices: readonly PriceChoice[];
  readonly missing: readonly string[];
  readonly pace: BacktestSummary['pace'];
  readonly isCanceled: boolean;
  readonly untilMs: number;
  /** By mark: everything recorded before it, and the state of the run. */
  readonly noted: ReadonlyMap<number, string>;
};

/** Evaluations between two checks whether to continue. */
const CHECK_EVERY = 1_000;

/** Plays a tape from its beginning to its end. */
export function runPass(input: BacktestInput, pass: PassOptions): PassResult {
  const { request } = input;
  const [fromMs, toMs] = [Date.parse(request.from), Date.parse(request.to)];
  const stage = new PreparedRun(input, pass, fromMs, toMs);
  const { sessions, recorder } = stage;
  const noted = new Map<number, string>();
  let marks = pass.marks;
  const note = (beforeMs: number): void => {
    while (marks[0] !== undefined && marks[0] <= beforeMs) {
      noted.set(marks[0], noteOf(recorder, sessions));
      marks = marks.slice(1);
    }
  };
  for (const session of sessions) session.begin(fromMs);
  const nexts = sessions.map((session) => session.nextMs());
  let untilMs = toMs;
  let steps = 0;
  for (;;) {
    let index = 0;
    for (let other = 1; other < nexts.length; other++) {
      if ((nexts[other] as number) < (nexts[index] as number)) index = other;
    }
    const atMs = nexts[index] as number;
    const session = sessions[index];
    if (session === undefined || atMs >= toMs) break;
    note(atMs);
    session.process(atMs);
    nexts[index] = session.nextMs();
    if (++steps % CHECK_EVERY === 0 && !pass.goesOn(evaluationsOf(sessions), atMs)) {
      untilMs = atMs;
      break;
    }
  }
  note(untilMs);
  for (const session of sessions) session.finish(untilMs);
  recorder.flush();
  return { ...stage.outcome(), recorder, sessions, isCanceled: untilMs < toMs, untilMs, noted };
}

export const evaluationsOf = (sessions: readonly SimulatedDeployment[]): number =>
  sessions.reduce((sum, { evaluations }) => sum + evaluations, 0);

const noteOf = (recorder: Recorder, sessions: readonly SimulatedDeployment[]): string =>
  JSON.stringify([recorder.digestOfAll(), ...sessions.map((session) => session.snapshot())]);

/** A prepared run: a simulated account and a tape for each instrument. */
class PreparedRun {
  readonly sessions: readonly SimulatedDeployment[];
  readonly recorder: Recorder;
  readonly #tally = new IntentCounter();
  readonly #choices: PriceChoice[] = [];
  readonly #missing: string[] = [];
  #pace: BacktestSummary['pace'] = 'candles';

  constructor(input: BacktestInput, pass: PassOptions, fromMs: number, toMs: number) {
    const facts = Map.groupBy(instrumentFactsByTime(input.facts), ({ instrument }) => instrument.token_id);
    const substitution = substitutionOf(input.request);
    const casts = substitution.instead.flatMap((tokenId): RunPlan[] => {
      const visual =
        substitution.token === null
          ? input.visual
          : substituteToken(input.visual, substitution.token, tokenId);
      const cast = this.#castOf(visual, input, facts, pass.pathHistories);
      if (cast === null) this.#missing.push(tokenId);
      return cast === null ? [] : [cast];
    });
    if (casts.length === 0) {
      throw new BacktestError(
        'no_history',
        `There is no history of ${this.#missing.join(', ')} in this span.`,
      );
    }
    const start = exact(input.request.cash);
    const whole = start.times(casts.length);
    this.recorder = new Recorder(
      {
        fromMs,
        toMs,
        start: whole.toFixed(),
        riskFree: input.request.riskFree,
        isChecked: pass.marks.length > 0,
        visuals: casts.map(({ visual }) => visual),
      },
      pass.emit,
    );
    this.sessions = casts.map((cast, accountIndex) =>
      this.#open(cast, input, pass, { accountIndex, fromMs, start }),
    );
  }

  outcome() {
    return { tally: this.#tally, choices: this.#choices, missing: this.#missing, pace: this.#pace };
  }

  #castOf(
    visual: unknown,
    input: BacktestInput,
    facts: FactsByToken,
    pathSource: PassOptions['pathHistories'],
  ): RunPlan | null {
    const { plan, issues } = compile(visual, knownIn(facts));
    if (plan === null) {
      const [first] = issues.filter(({ severity }) => severity === 'error');
      throw new BacktestError('internal', `The graph does not compile: ${first?.message ?? 'unknown'}`);
    }
    const { needs } = plan;
    const priced = [...new Set([...needs.quotes, ...needs.books, ...needs.traded])].sort();
    const choices = priced.flatMap((tokenId) => {
      const instrument = facts.get(tokenId)?.[0]?.instrument;
      if (instrument === undefined) return [];
      const own = needs.candles.filter(({ symbol }) => symbol === tokenId);
      const ownMs = own.length === 0 ? 0 : Math.min(...own.map(({ interval }) => INTERVAL_MS[interval]));
      return choosePrices(tokenId, instrument, input, ownMs, pathSource) ?? [];
    });
    const lacks = needs.traded.some((tokenId) => choices.every((choice) => choice.tokenId !== tokenId));
    return lacks ? null : { visual, plan, choices, facts };
  }

  #open(
    { visual, plan, choices, facts }: RunPlan,
    input: BacktestInput,
    pass: PassOptions,
    { accountIndex, fromMs, start }: { accountIndex: number; fromMs: number; start: Exact },
  ): SimulatedDeployment {
    const watch = intrabarTriggersOf(visual);
    const pace = paceOf(plan, watch, choices);
    if (pace !== 'candles') this.#pace = pace;
    this.#choices.push(...choices);
    let session: SimulatedDeployment | null = null;
    const isWatched = () =>
      watch.hasMovingConditions || plan.clocks.length === 0 || session?.valuation.holdsAnything === true;
    const { fills } = input.request;
    const options = { fills, order: pace === 'path' ? pass.highLow : null, isWatched };
    const listings = plan.needs.instruments.map((tokenId) => {
      const own = facts.get(tokenId) ?? [];
      const choice = choices.find((each) => each.tokenId === tokenId);
      const instrument = own[0]?.instrument;
      const isPriced = choice !== undefined && instrument !== undefined;
      return {
        tokenId,
        facts: own,
        prices: isPriced ? openPrices(choice, instrument, input, options) : null,
        minutes: choice?.kind === 'recorded' ? openMinutePrices(tokenId, input) : null,
        barMs: barMsOf(choice, fills.latencyMs),
      };
    });
    const market = new SimulatedMarkets(listings, feedsOf(plan, input, fromMs, pass), plan.needs.books);
    session = new SimulatedDeployment({
      input,
      visual,
      plan,
      market,
      watch,
      pace,
      recorder: this.recorder,
      tally: this.#tally,
      accountIndex,
      fromMs,
      start,
    });
    return session;
  }
}

type FactsByToken = ReadonlyMap<string, readonly InstrumentFact[]>;

/** A graph to run, and its price sources. */
type RunPlan = {
  readonly visual: unknown;
  readonly plan: Plan;
  readonly choices: readonly PriceChoice[];
  readonly facts: FactsByToken;
};

const knownIn = (facts: FactsByToken): ReadonlyMap<string, InstrumentFacts> =>
  new Map(
    [...facts].flatMap(([tokenId, [first]]) =>
      first === undefined ? [] : [[tokenId, instrumentFactsOf(first.instrument)] as const],
    ),
  );

/**
 * Returns what steps the strategy. Recorded quotes step it, as live. Otherwise candles alone do, if only its own orders and
 * holdings can make it act between them.
 */
function paceOf(
  plan: Plan,
  watch: IntrabarTriggers,
  choices: readonly PriceChoice[],
): BacktestSummary['pace'] {
  const isStill = plan.clocks.length > 0 && !watch.hasMovingConditions && watch.exits.length === 0;
  if (choices.some(({ kind }) => kind === 'recorded')) return 'quotes';
  if (isStill) return 'candles';
  return choices.every(({ kind }) => kind === 'candle') ? 'path' : 'quotes';
}

/** Returns the length of bars not longer than the latency: each arrival is followed by a price of its own. */
const barMsOf = (choice: PriceChoice | undefined, latencyMs: number): number => {
  const resolutionMs = choice?.kind === 'candle' ? (choice.history?.key.resolutionMs ?? 1) : 1;
  return resolutionMs <= latencyMs ? resolutionMs : 1;
};

function feedsOf(
  plan: Plan,
  { histories }: BacktestInput,
  fromMs: number,
  { warmUpTimes: times, shared }: PassOptions,
): CandleFeed[] {
  return plan.needs.candles.map((need) => {
    const found = histories.find(
      ({ key }) =>
        key.kind === 'candle' &&
        key.tokenId === need.symbol &&
        key.resolutionMs === INTERVAL_MS[need.interval],
    );
    if (found === undefined) {
      throw new BacktestError(
        'no_history',
        `There are no ${need.interval} candles of ${need.symbol} in this span.`,
      );
    }
    const rows = rowsAs(found, 'candle');
    const window = times * (shared?.windowOf(need) ?? need.window);
    const first = firstInWindow(rows, fromMs, window);
    return new CandleFeed(need, shared?.candlesFrom(rows, first) ?? candlesFrom(rows, first));
  });
}
