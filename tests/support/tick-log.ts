/**
 * Inputs and results of a runner's steps as lines of text, and a replay of these steps. The recorded inputs have to raise the
 * same intents and leave the same memory, byte for byte.
 */

import { createHash } from 'node:crypto';
import { ClosedCandles } from '../../engine/strategy/graph/candles.ts';
import { PlanEvaluator } from '../../engine/strategy/graph/run/evaluate.ts';
import type { Plan } from '../../engine/strategy/graph/run/run.ts';
import type { Candle, CandleSeries, Evaluation, Memory, World } from '../../engine/strategy/graph/types.ts';

/** One step: `sha` covers all lines until here. */
export type TickRecord = { readonly atMs: number; readonly body: string; readonly sha: string };
export type TickLog = { readonly plan: Plan; readonly lines: readonly TickRecord[] };
/** The result of a replay: the first step that diverged, and which part of it. */
export type ReplayResult =
  | { readonly kind: 'equal'; readonly steps: number; readonly intents: number }
  | { readonly kind: 'diverged'; readonly atMs: number; readonly what: 'log' | 'intents' | 'memory' };

const shaOf = (before: string, body: string): string =>
  createHash('sha256').update(before).update(body).digest('hex');

/** Lines with their hashes, each over those before it: `before` is the last one's. */
export const recordsOf = (steps: readonly Pick<TickRecord, 'atMs' | 'body'>[], before = ''): TickRecord[] => {
  let sha = before;
  return steps.map(({ atMs, body }) => {
    sha = shaOf(sha, body);
    return { atMs, body, sha };
  });
};

/** The original method, without a recorder. */
const { step } = PlanEvaluator.prototype;

/** Records every step of every plan until it is ended; `take` returns the steps recorded since the last call. */
export function recordTicks(): { take(): TickLog[]; end(): void } {
  const byPlan = new Map<Plan, { steps: { atMs: number; body: string }[]; sha: string }>();
  const note: PlanEvaluator['step'] = function (this: PlanEvaluator, world, memory, now) {
    const evaluation = step.call(this, world, memory, now);
    const noted = byPlan.get(this.plan) ?? { steps: [], sha: '' };
    byPlan.set(this.plan, noted);
    noted.steps.push({ atMs: now, body: bodyOf(world, evaluation) });
    return evaluation;
  };
  PlanEvaluator.prototype.step = note;
  return {
    take: () =>
      [...byPlan].map(([plan, noted]) => {
        const lines = recordsOf(noted.steps, noted.sha);
        byPlan.set(plan, { steps: [], sha: lines.at(-1)?.sha ?? noted.sha });
        return { plan, lines };
      }),
    end() {
      PlanEvaluator.prototype.step = step;
    },
  };
}

type CandlesOf = (key: string) => readonly Candle[];

/**
 * Replays a log, whole or piece by piece. `candlesOf` returns all candles of a series: a line says up to which they had closed.
 */
export class Replay {
  readonly #stepper: PlanEvaluator;
  readonly #candlesOf: CandlesOf;
  #memory: Memory | null = null;
  #sha = '';
  #steps = 0;
  #intents = 0;
  #diverged: ReplayResult | null = null;

  constructor(plan: Plan, candlesOf: CandlesOf) {
    this.#stepper = new PlanEvaluator(plan);
    this.#candlesOf = candlesOf;
  }

  /** Replays all lines and returns the result so far. */
  play(lines: readonly TickRecord[]): ReplayResult {
    const series = new Map<string, ClosedCandles>();
    const closedIn = (key: string, untilMs: number): ClosedCandles => {
      const all = series.get(key) ?? ClosedCandles.of(this.#candlesOf(key));
      series.set(key, all);
      return all.slice(0, all.indexAt(untilMs) + 1);
    };
    for (const line of lines) {
      const what = this.#diverged === null ? this.#step(line, closedIn) : null;
      if (what !== null) this.#diverged = { kind: 'diverged', atMs: line.atMs, what };
    }
    return this.#diverged ?? { kind: 'equal', steps: this.#steps, intents: this.#intents };
  }

  #step({ atMs, body, sha }: TickRecord, closedIn: ClosedIn): 'log' | 'intents' | 'memory' | null {
    this.#sha = shaOf(this.#sha, body);
    if (this.#sha !== sha) return 'log';
    const { world, came } = JSON.parse(body) as Body;
    const evaluation = step.call(this.#stepper, worldOf(world, closedIn), this.#memory, atMs);
    const again = cameOf(evaluation);
    if (again.intents !== came.intents) return 'intents';
    if (again.memory !== came.memory) return 'memory';
    this.#steps++;
    this.#intents += evaluation.intents.length;
    this.#memory = evaluation.memory;
    return null;
  }
}

export const replay = ({ plan, lines }: TickLog, candlesOf: CandlesOf): ReplayResult =>
  new Replay(plan, candlesOf).play(lines);

const MAPS = ['quotes', 'books', 'instruments', 'positions', 'buying', 'orders', 'signals'] as const;
type StoredSeries = Omit<CandleSeries, 'closed'> & { readonly untilMs: number };
type StoredWorld = Pick<World, 'account' | 'isHalted' | 'observedSince'> & {
  readonly maps: readonly (readonly [name: string, value: unknown])[][];
  readonly candles: readonly (readonly [key: string, series: StoredSeries])[];
};
type Body = {
  readonly world: StoredWorld;
  readonly came: { readonly intents: string; readonly memory: string };
};

const bodyOf = (world: World, evaluation: Evaluation): string => {
  const { account, isHalted, observedSince, candles } = world;
  const stored: StoredWorld = {
    account,
    isHalted,
    observedSince,
    maps: MAPS.map((name) => [...world[name]]),
    candles: [...candles].map(([key, { closed, open, openAsOf }]) => [
      key,
      { open, openAsOf, untilMs: closed.count === 0 ? 0 : closed.closedAt(closed.count - 1) },
    ]),
  };
  return JSON.stringify({ world: stored, came: cameOf(evaluation) } satisfies Body);
};

const cameOf = ({ intents, cancellations, memory }: Evaluation) => ({
  intents: JSON.stringify([...intents, ...cancellations]),
  memory: JSON.stringify(memory),
});

type ClosedIn = (key: string, untilMs: number) => ClosedCandles;

function worldOf({ maps, candles, ...rest }: StoredWorld, closedIn: ClosedIn): World {
  const read = Object.fromEntries(MAPS.map((name, place) => [name, new Map(maps[place])]));
  return {
    ...(read as unknown as Pick<World, (typeof MAPS)[number]>),
    ...rest,
    candles: new Map(
      candles.map(([key, { untilMs, ...series }]) => [key, { ...series, closed: closedIn(key, untilMs) }]),
    ),
  };
}
