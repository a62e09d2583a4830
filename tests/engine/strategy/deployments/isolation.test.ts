import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MODES, type Mode } from '../../../../db/vocabulary.ts';
import { booksName } from '../../../../engine/platform/context.ts';
import type { OrderFacts } from '../../../../engine/strategy/deployments/node-orders.ts';
import { PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { AccountFacts, Memory } from '../../../../engine/strategy/graph/types.ts';
import type { DeploymentInMemory } from '../../../../server/workers/trading/shards/deployment-in-memory.ts';
import {
  type EvaluationOutcome,
  evaluateDeployments,
} from '../../../../server/workers/trading/shards/evaluate-deployments.ts';
import { refuseForeignIntents } from '../../../../server/workers/trading/shards/refuse-foreign-intents.ts';
import { graph, INSTRUMENTS, type Moment, moments, randomOf } from '../graph/arbitraries.ts';
import { held, planOf, type Visual } from '../graph/graph-fixtures.ts';

const TICKS = 8;
const SHARDS = 3;
const ACCOUNTS = 3;

type Drawn = { visual: Visual; account: number; mode: Mode; shard: number; seed: number };

/** A service of one process: markets and plans are shared by all its deployments, as in the runner. */
class Process {
  readonly #market: readonly Moment[];
  readonly #steppers = new Map<Visual, PlanEvaluator>();
  readonly #ticked = new Map<number, number>();
  readonly #evaluated = new Map<number, EvaluationOutcome[]>();
  readonly #randoms = new Map<DeploymentInMemory, () => number>();
  readonly #shards = new Map<number, DeploymentInMemory[]>();
  /** Everything stored of each deployment, in order, as text. */
  readonly stored = new Map<string, string[]>();

  constructor(marketSeed: number, drawn: readonly (readonly [string, Drawn])[]) {
    this.#market = moments(marketSeed, TICKS, []);
    for (const [id, each] of drawn) {
      const deployment = this.#deploymentOf(id, each);
      this.#randoms.set(deployment, randomOf(each.seed));
      this.#shards.set(each.shard, [...(this.#shards.get(each.shard) ?? []), deployment]);
      this.stored.set(id, []);
    }
  }

  #deploymentOf(id: string, { visual, account, mode }: Drawn): DeploymentInMemory {
    const stepper = this.#steppers.get(visual) ?? new PlanEvaluator(planOf(visual));
    this.#steppers.set(visual, stepper);
    return {
      accountId: `account ${account}`,
      id,
      blueprintId: `blueprint of ${id}`,
      releaseNumber: 1,
      mode,
      bodyHash: '',
      members: null,
      plan: stepper.plan,
      stepper,
      problem: null,
      isExitsOnly: false,
      isHalted: false,
      memory: null,
      signature: null,
      // Node states are due in every tick.
      statesWrittenMs: Number.NEGATIVE_INFINITY,
      isWatched: true,
      positions: new Map(),
      buying: new Map(),
      orders: new Map(),
      undecided: new Map(),
      refusals: new Map(),
      foreignIntent: null,
      isStoredSeparately: false,
    };
  }

  /** The next half of a shard's tick: its deployments are evaluated, or their results are stored. */
  async go(shard: number): Promise<void> {
    const evaluated = this.#evaluated.get(shard);
    if (evaluated === undefined) await this.#evaluate(shard);
    else this.#store(shard, evaluated);
  }

  async #evaluate(shard: number): Promise<void> {
    const tick = this.#ticked.get(shard) ?? 0;
    this.#ticked.set(shard, tick + 1);
    const { now, seen } = this.#market[tick] as Moment;
    const deployments = this.#shards.get(shard) ?? [];
    const accounts = new Map<string, AccountFacts>();
    for (const deployment of deployments) {
      deployment.positions = new Map(
        INSTRUMENTS.flatMap((tokenId) => {
          const chance = this.#randomOf(deployment);
          return chance < 0.5 ? [] : [[tokenId, held(chance < 0.9 ? '5' : '1')] as const];
        }),
      );
      accounts.set(booksName(deployment), {
        equity: 1_000,
        freeCash: 500,
        orderHeadroom: 100,
        dayPnl: 0,
        exposures: {},
        asOf: now,
      });
    }
    const time = { databaseNow: () => now, toFeed: (ms: number) => ms };
    const view = { want: () => true, worldFor: () => seen, time };
    this.#evaluated.set(
      shard,
      await evaluateDeployments(deployments, {
        view,
        now,
        observedSince: 0,
        accounts,
        signals: new Map(),
      }),
    );
  }

  #store(shard: number, outcomes: readonly EvaluationOutcome[]): void {
    const { storable, refused } = refuseForeignIntents(outcomes, { log: SILENT });
    expect(refused).toEqual([]);
    for (const { deployment, evaluation, change, intents, notifications, failure } of storable) {
      this.stored.get(deployment.id)?.push(JSON.stringify([change, intents, notifications, failure]));
      if (evaluation === null) continue;
      deployment.memory = JSON.parse(JSON.stringify(evaluation.memory)) as Memory;
      deployment.signature = evaluation.signature;
      const decided = intents.map(
        ({ nodeId, stepAt }) => [nodeId, [orderOf(stepAt, this.#randomOf(deployment))]] as const,
      );
      deployment.orders = new Map([...deployment.orders, ...decided]);
    }
    this.#evaluated.delete(shard);
  }

  #randomOf = (deployment: DeploymentInMemory): number => this.#randoms.get(deployment)?.() ?? 0;
}

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

function orderOf(stepAt: number, chance: number): OrderFacts {
  const status = chance < 0.5 ? 'filled' : chance < 0.75 ? 'denied' : 'open';
  const endedAtMs = status === 'open' ? null : stepAt;
  const filledAmount = status === 'filled' ? '1' : '0';
  const filled = { filledAmount, filledNotional: filledAmount, fees: '0' };
  const terms = { amount: '1', limitPrice: '100', isCanceling: false };
  return { id: `of ${stepAt}`, status, ...terms, ...filled, endedAtMs, message: null };
}

const deployments = fc.array(graph, { minLength: 1, maxLength: 2 }).chain((graphs) =>
  fc.array(
    fc.record({
      visual: fc.constantFrom(...graphs),
      account: fc.nat(ACCOUNTS - 1),
      mode: fc.constantFrom(...MODES),
      shard: fc.nat(SHARDS - 1),
      seed: fc.nat(),
    }),
    { minLength: 2, maxLength: 8 },
  ),
);

/** Every shard runs as often as it has halves of ticks, in any order: evaluating and storing interleave. */
const turns = fc.shuffledSubarray(
  Array.from({ length: SHARDS }, (_, shard) => new Array<number>(2 * TICKS).fill(shard)).flat(),
  { minLength: 2 * TICKS * SHARDS },
);

test('any run of many accounts on few graphs, in shards and modes, stores for each deployment the same as it does alone', async () => {
  await fc.assert(
    fc.asyncProperty(deployments, turns, fc.nat(), async (drawn, order, marketSeed) => {
      const named = drawn.map((each, i) => [`deployment ${i}`, each] as const);
      const together = new Process(marketSeed, named);
      for (const shard of order) await together.go(shard);
      for (const [id, each] of named) {
        const alone = new Process(marketSeed, [[id, each]]);
        for (let half = 0; half < 2 * TICKS; half++) await alone.go(each.shard);
        expect(together.stored.get(id)).toEqual(alone.stored.get(id));
        expect(together.stored.get(id)).toHaveLength(TICKS);
      }
    }),
    { numRuns: 25 },
  );
});
