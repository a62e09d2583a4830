import type { Db } from '../../../../db/tables.ts';
import { inSnapshot } from '../../../../db/transaction.ts';
import { type BooksKey, booksName } from '../../../../engine/platform/context.ts';
import type { Position } from '../../../../engine/strategy/graph/types.ts';
import { readHeldPositions } from '../../../../engine/trading/orders/read/held-positions.ts';
import { type LiveBuys, readUnfilledBuyUnits } from '../../../../engine/trading/orders/read/live-buys.ts';
import type { MarketView } from '../market/market-view.ts';
import type { DeploymentInMemory } from './deployment-in-memory.ts';
import {
  type AccountVersion,
  type DeploymentRow,
  keyOf,
  type NodeKey,
  readAccounts,
  readDeployments,
  readManagedNodeOrders,
  readMemories,
  readNextExpiries,
  readNodeOrders,
  readUndecided,
} from './load-shard.ts';
import { type PlanCache, planKeyOf } from './plans.ts';

/** Accounts read at once, so that a newly claimed shard does not build one giant statement. */
const CHUNK = 500;

/** Most deployments have no positions and no orders most of the time: they share these. */
const NONE: ReadonlyMap<string, never> = new Map<string, never>();

type CachedAccount = {
  eventSeq: string;
  /** Database time, epoch ms, at which its next order expires. */
  staleAtMs: number;
  deployments: Map<string, DeploymentInMemory>;
};

/**
 * The live deployments of one shard, held from tick to tick. An account is read again when its event number rose, or one of its
 * orders expires. Also while one of its intents waits. The memory of a deployment is read once, because only the owner of the
 * shard changes it.
 */
export class ShardState {
  readonly #db: Db;
  readonly #shard: number;
  readonly #plans: PlanCache;
  readonly #view: MarketView;
  #accounts = new Map<string, CachedAccount>();
  #generation = 0;
  /** Opening times of positions on the feed's clock, if that is not the database's. */
  readonly #openings = new Map<number, number>();

  constructor(options: { db: Db; shard: number; plans: PlanCache; view: MarketView }) {
    this.#db = options.db;
    this.#shard = options.shard;
    this.#plans = options.plans;
    this.#view = options.view;
  }

  /** Forgets everything: the stored rows may differ from the state here. */
  forget(): void {
    this.#accounts = new Map();
  }

  find(accountId: string, deploymentId: string): DeploymentInMemory | undefined {
    return this.#accounts.get(accountId)?.deployments.get(deploymentId);
  }

  /** The account's event number at the last read. */
  eventSeqOf(accountId: string): string {
    return this.#accounts.get(accountId)?.eventSeq ?? '';
  }

  /** Refreshes the deployments and returns all of them. */
  async refresh(): Promise<DeploymentInMemory[]> {
    if (this.#generation !== this.#view.generation) this.forget();
    this.#generation = this.#view.generation;
    const marks = await readAccounts(this.#db, this.#shard);
    const live = new Map(marks.map((mark) => [mark.accountId, mark]));
    for (const accountId of this.#accounts.keys()) {
      if (!live.has(accountId)) this.#accounts.delete(accountId);
    }
    const changed = marks.filter((mark) => this.#hasChanged(mark));
    for (let start = 0; start < changed.length; start += CHUNK) {
      await this.#reload(changed.slice(start, start + CHUNK));
    }
    const all: DeploymentInMemory[] = [];
    for (const { accountId, watched } of marks) {
      for (const deployment of this.#accounts.get(accountId)?.deployments.values() ?? []) {
        deployment.isWatched = watched.includes(deployment.id);
        all.push(deployment);
      }
    }
    return all;
  }

  #hasChanged({ accountId, eventSeq }: AccountVersion): boolean {
    const account = this.#accounts.get(accountId);
    if (account === undefined || account.eventSeq !== eventSeq) return true;
    if (this.#view.time.databaseNow() >= account.staleAtMs) return true;
    return [...account.deployments.values()].some(({ undecided }) => undecided.size > 0);
  }

  async #reload(marks: readonly AccountVersion[]): Promise<void> {
    const accountIds = marks.map(({ accountId }) => accountId);
    const rows = await readDeployments(this.#db, this.#shard, accountIds);
    const deployments = await this.#deploymentsOf(rows);
    const { managed, plain } = actionNodesOf(deployments);
    const now = new Date(this.#view.time.databaseNow());
    const books = [...new Map(deployments.map((one) => [booksName(one), one])).values()];
    // An intent that is decided meanwhile is in one of these, not in two or none. A fill is in its order and its position.
    const { undecided, orders, buys, held, expiries } = await inSnapshot(
      { db: this.#db },
      async ({ db }) => ({
        undecided: await readUndecided(db, accountIds),
        orders: [...(await readNodeOrders(db, plain)), ...(await readManagedNodeOrders(db, managed))],
        buys: await readUnfilledBuyUnits(db, books, now),
        held: await readHeldPositions(db, books, now),
        expiries: await readNextExpiries(db, accountIds, now),
      }),
    );

    this.#assignUndecided(deployments, undecided);
    assignOrders(deployments, orders);
    assignBuys(deployments, buys);
    this.#assignPositions(deployments, held);
    const byAccount = Map.groupBy(deployments, ({ accountId }) => accountId);
    for (const { accountId, eventSeq } of marks) {
      const own = byAccount.get(accountId) ?? [];
      this.#accounts.set(accountId, {
        eventSeq,
        staleAtMs: expiries.get(accountId) ?? Number.POSITIVE_INFINITY,
        deployments: new Map(own.map((one) => [one.id, one])),
      });
    }
  }

  /**
   * Known deployments keep their memory, also with a new plan for other members of a series: a node of an instrument that stays
   * continues. New ones are read and compiled.
   */
  async #deploymentsOf(rows: readonly DeploymentRow[]): Promise<DeploymentInMemory[]> {
    const unknown = rows.filter(({ accountId, id }) => this.find(accountId, id) === undefined);
    const plans = await this.#plans.plansOf(rows.filter((row) => !this.#hasPlan(row)));
    const memories = await readMemories(
      this.#db,
      unknown.map(({ accountId, id }) => ({ accountId, deploymentId: id })),
    );
    return rows.flatMap((row) => {
      const known = this.find(row.accountId, row.id);
      if (known && this.#hasPlan(row)) {
        known.isHalted = row.isHalted;
        return [known];
      }
      const compiled = plans.get(planKeyOf(row));
      if (compiled === undefined) return [];
      // Its next step stores the states of all its nodes.
      if (known) return [{ ...known, ...row, ...compiled, isExitsOnly: false, signature: null }];
      const deployment: DeploymentInMemory = {
        ...row,
        ...compiled,
        memory: memories.get(keyOf({ accountId: row.accountId, deploymentId: row.id })) ?? null,
        signature: null,
        statesWrittenMs: performance.now(),
        isWatched: false,
        positions: NONE,
        buying: NONE,
        orders: NONE,
        undecided: NONE,
        refusals: NONE,
        foreignIntent: null,
        isStoredSeparately: false,
        isExitsOnly: false,
      };
      return [deployment];
    });
  }

  #hasPlan(row: DeploymentRow): boolean {
    const known = this.find(row.accountId, row.id);
    return known !== undefined && planKeyOf(known) === planKeyOf(row);
  }

  #assignUndecided(
    deployments: readonly DeploymentInMemory[],
    undecided: Awaited<ReturnType<typeof readUndecided>>,
  ): void {
    const byDeployment = Map.groupBy(undecided, keyOf);
    for (const deployment of deployments) {
      const requests = byDeployment.get(keyOf(runOf(deployment)));
      deployment.undecided = requests
        ? new Map(requests.map(({ nodeId, intent }) => [nodeId, intent]))
        : NONE;
    }
  }

  /** A position keeps the opening time it was first seen with: an exit finds its peak by it. */
  #assignPositions(
    deployments: readonly DeploymentInMemory[],
    held: Awaited<ReturnType<typeof readHeldPositions>>,
  ): void {
    const byBlueprint = Map.groupBy(held, holderOf);
    for (const deployment of deployments) {
      const own = byBlueprint.get(holderOf(deployment));
      deployment.positions = own
        ? new Map(own.map(({ tokenId, position }) => [tokenId, this.#datedByFeed(position)]))
        : NONE;
    }
  }

  #datedByFeed(position: Position): Position {
    const known = this.#openings.get(position.openedAt);
    const openedAt = known ?? this.#view.time.toFeed(position.openedAt);
    if (known === undefined && openedAt !== position.openedAt)
      this.#openings.set(position.openedAt, openedAt);
    return { ...position, openedAt };
  }
}

/** Names a blueprint of one account and mode: its holdings and buys belong to no other account or mode. */
const holderOf = ({ accountId, mode, blueprintId }: BooksKey & { blueprintId: string }): string =>
  `${booksName({ accountId, mode })} ${blueprintId}`;

const runOf = ({ accountId, id }: DeploymentInMemory) => ({ accountId, deploymentId: id });

function assignOrders(
  deployments: readonly DeploymentInMemory[],
  orders: Awaited<ReturnType<typeof readNodeOrders>>,
): void {
  const byDeployment = Map.groupBy(orders, keyOf);
  for (const deployment of deployments) {
    const own = byDeployment.get(keyOf(runOf(deployment)));
    const byNode = own && Map.groupBy(own, ({ nodeId }) => nodeId);
    deployment.orders = byNode
      ? new Map([...byNode].map(([nodeId, ofNode]) => [nodeId, ofNode.map(({ order }) => order)]))
      : NONE;
  }
}

function assignBuys(deployments: readonly DeploymentInMemory[], buys: readonly LiveBuys[]): void {
  const byBlueprint = Map.groupBy(buys, holderOf);
  for (const deployment of deployments) {
    const own = byBlueprint.get(holderOf(deployment));
    deployment.buying = own ? new Map(own.map(({ tokenId, amount }) => [tokenId, amount])) : NONE;
  }
}

/** Returns the nodes that can have orders, and apart from them those that replace their own. */
function actionNodesOf(deployments: readonly DeploymentInMemory[]): {
  plain: NodeKey[];
  managed: NodeKey[];
} {
  const [plain, managed]: [NodeKey[], NodeKey[]] = [[], []];
  for (const { accountId, id: deploymentId, plan } of deployments) {
    for (const { slot, isManaged } of plan.actions) {
      const nodeId = plan.nodeIds[slot];
      if (nodeId === undefined) continue;
      (isManaged === true ? managed : plain).push({ accountId, deploymentId, nodeId });
    }
  }
  return { plain, managed };
}
