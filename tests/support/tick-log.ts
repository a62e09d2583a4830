/**
 * What a runner's steps were given and came to, as lines of text, and the same steps again from these lines: the recorded inputs
 * have to raise the same intents and leave the same memory, byte for byte.
 */

import { createHash } from 'node:crypto';
import { ClosedCandles } from '../../engine/graph/candles.ts';
import { Stepper } from '../../engine/graph/run/evaluate.ts';
import type { Plan } from '../../engine/graph/run/run.ts';
import type { Candle, CandleSeries, Evaluation, Memory, World } from '../../engine/graph/types.ts';

/** One step: `sha` is of all lines until here. */
export type TickLine = { readonly atMs: number; readonly body: string; readonly sha: string };
export type TickLog = { readonly plan: Plan; readonly lines: readonly TickLine[] };
/** What a replay comes to: the first step that is not what it was, and what of it. */
export type Replayed =
  | { readonly kind: 'equal'; readonly steps: number; readonly intents: number }
  | { readonly kind: 'diverged'; readonly atMs: number; readonly what: 'log' | 'intents' | 'memory' };

const shaOf = (before: string, body: string): string =>
  createHash('sha256').update(before).update(body).digest('hex');

/** Lines with their hashes, each over those before it. */
export const linesOf = (steps: readonly Pick<TickLine, 'atMs' | 'body'>[]): TickLine[] => {
  let sha = '';
  return steps.map(({ atMs, body }) => {
    sha = shaOf(sha, body);
    return { atMs, body, sha };
  });
};

/** Notes every step of every plan from now on, until it is ended. */
export function recordTicks(): { end(): TickLog[] } {
  const { step } = Stepper.prototype;
  const byPlan = new Map<Plan, { atMs: number; body: string }[]>();
  Stepper.prototype.step = function (world, memory, now) {
    const evaluation = step.call(this, world, memory, now);
    const steps = byPlan.get(this.plan) ?? [];
    byPlan.set(this.plan, steps);
    steps.push({ atMs: now, body: bodyOf(world, evaluation) });
    return evaluation;
  };
  return {
    end() {
      Stepper.prototype.step = step;
      return [...byPlan].map(([plan, steps]) => ({ plan, lines: linesOf(steps) }));
    },
  };
}

/** Plays a log again. `candlesOf` answers all candles of a series: a line says only up to which they had closed. */
export function replay({ plan, lines }: TickLog, candlesOf: (key: string) => readonly Candle[]): Replayed {
  const stepper = new Stepper(plan);
  const series = new Map<string, ClosedCandles>();
  const closedIn = (key: string, untilMs: number): ClosedCandles => {
    const all = series.get(key) ?? ClosedCandles.of(candlesOf(key));
    series.set(key, all);
    return all.slice(0, all.placeAt(untilMs) + 1);
  };
  let memory: Memory | null = null;
  let [sha, intents] = ['', 0];
  for (const { atMs, body, sha: told } of lines) {
    sha = shaOf(sha, body);
    if (sha !== told) return { kind: 'diverged', atMs, what: 'log' };
    const { world, came } = JSON.parse(body) as Body;
    const evaluation = stepper.step(worldOf(world, closedIn), memory, atMs);
    const again = cameOf(evaluation);
    if (again.intents !== came.intents) return { kind: 'diverged', atMs, what: 'intents' };
    if (again.memory !== came.memory) return { kind: 'diverged', atMs, what: 'memory' };
    intents += evaluation.intents.length;
    memory = evaluation.memory;
  }
  return { kind: 'equal', steps: lines.length, intents };
}

const MAPS = ['quotes', 'books', 'instruments', 'positions', 'buying', 'orders'] as const;
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

const cameOf = ({ intents, memory }: Evaluation) => ({
  intents: JSON.stringify(intents),
  memory: JSON.stringify(memory),
});

function worldOf(
  { maps, candles, ...rest }: StoredWorld,
  closedIn: (key: string, untilMs: number) => ClosedCandles,
): World {
  const read = Object.fromEntries(MAPS.map((name, place) => [name, new Map(maps[place])]));
  return {
    ...(read as unknown as Pick<World, (typeof MAPS)[number]>),
    ...rest,
    candles: new Map(
      candles.map(([key, { untilMs, ...series }]) => [key, { ...series, closed: closedIn(key, untilMs) }]),
    ),
  };
}
