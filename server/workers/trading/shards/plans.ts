import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Json } from '../../../../db/json.ts';
import type { Db } from '../../../../db/tables.ts';
import { compile, compileExits } from '../../../../engine/strategy/graph/compile/compile.ts';
import { PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Plan } from '../../../../engine/strategy/graph/run/run.ts';
import { type Members, withMembers } from '../../../../engine/strategy/graph/series-lists.ts';
import type { InstrumentCache } from '../market/instruments.ts';

const PLANS_MAX = 20_000;
/** Each change of members is another plan; the former ones are not used again, and must not remain by the thousand. */
const SERIES_PLANS_MAX = 1_000;

/**
 * `problem` says why the release no longer compiles; `plan` is then the part that can still guard. Deployments of one plan are
 * stepped one after another, so they share its stepper.
 */
export type Compiled = { plan: Plan; stepper: PlanEvaluator; problem: string | null };

/** The key of a release's graph, and the members of its lists that are series. */
export type GraphKey = { accountId: string; bodyHash: string; members: Members };

/** Names a plan: equal graphs with equal members have one. */
export const planKeyOf = ({ bodyHash, members }: Omit<GraphKey, 'accountId'>): string =>
  members === null ? bodyHash : `${bodyHash} ${JSON.stringify(members)}`;

/** Plans of releases. Equal graphs are compiled once per process, also across accounts. */
export class PlanCache {
  readonly #db: Db;
  readonly #instruments: InstrumentCache;
  readonly #byKey = new LRUCache<string, Compiled>({ max: PLANS_MAX });
  readonly #ofSeries = new LRUCache<string, Compiled>({ max: SERIES_PLANS_MAX });

  constructor(db: Db, instruments: InstrumentCache) {
    this.#db = db;
    this.#instruments = instruments;
  }

  /** Returns plans by {@link planKeyOf}. Reads all that are not compiled yet in one statement. */
  async plansOf(keys: readonly GraphKey[]): Promise<Map<string, Compiled>> {
    const plans = new Map<string, Compiled>();
    const missing = new Map<string, GraphKey>();
    for (const key of keys) {
      const name = planKeyOf(key);
      const compiled = this.#cacheOf(key).get(name);
      if (compiled) plans.set(name, compiled);
      else missing.set(name, key);
    }
    const byHash = new Map([...missing.values()].map((key) => [key.bodyHash, key]));
    const bodies = new Map(
      (await this.#read([...byHash.values()])).map(({ hash, visual }) => [hash, visual]),
    );
    for (const [name, key] of missing) {
      const visual = bodies.get(key.bodyHash);
      if (visual === undefined) continue;
      const graph = withMembers(visual, key.members);
      const { needs } = compile(graph, new Map());
      const compiled = planOf(graph, await this.#instruments.known(needs.instruments));
      this.#cacheOf(key).set(name, compiled);
      plans.set(name, compiled);
    }
    return plans;
  }

  #cacheOf({ members }: GraphKey): LRUCache<string, Compiled> {
    return members === null ? this.#byKey : this.#ofSeries;
  }

  /** Returns the exits of a release alone: they keep guarding if the rest cannot be evaluated. */
  async exitsOf(key: GraphKey): Promise<Plan> {
    const [body] = await this.#read([key]);
    return compileExits(withMembers(body?.visual ?? null, key.members));
  }

  async #read(keys: readonly GraphKey[]): Promise<{ hash: string; visual: Json }[]> {
    if (keys.length === 0) return [];
    const { rows } = await sql<{ hash: string; visual: Json }>`
      select b.hash, b.visual
      from unnest(${keys.map((key) => key.accountId)}::uuid[], ${keys.map((key) => key.bodyHash)}::text[])
        as k(account_id, hash)
      join release_body b on b.account_id = k.account_id and b.hash = k.hash`.execute(this.#db);
    return rows;
  }
}

function planOf(visual: Json, known: Parameters<typeof compile>[1]): Compiled {
  const { plan, issues } = compile(visual, known);
  if (plan !== null) return { plan, stepper: new PlanEvaluator(plan), problem: null };
  const fault = issues.find(({ severity }) => severity === 'error');
  const where = fault?.nodeId == null ? '' : ` (node ${fault.nodeId})`;
  const exits = compileExits(visual);
  return {
    plan: exits,
    stepper: new PlanEvaluator(exits),
    problem: `${fault?.message ?? 'It does not compile.'}${where}`,
  };
}
