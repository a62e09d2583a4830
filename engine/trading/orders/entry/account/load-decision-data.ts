import { sql } from 'kysely';
import type { Db } from '../../../../../db/tables.ts';
import type { Mode } from '../../../../../db/vocabulary.ts';
import type { Work } from '../../../../platform/context.ts';
import { LIVE_STATUSES } from '../../../../platform/order-states.ts';
import { statusList } from '../../../../platform/sql-fragments.ts';
import { readLiveOrderInputs } from '../../../../risk/read-live-order-inputs.ts';
import { readRiskSnapshots } from '../../../../risk/read-risk-snapshot.ts';
import { readRouteOfNewOrder, readRouteOfOrder } from '../../../connections/order-route.ts';
import { readSpendingLimits } from '../../../keys/read-spending-limits.ts';
import { readLiveBuyOrders } from '../../lifecycle/cancel-orders.ts';
import { mustStopBuys } from '../../lifecycle/plan-loss-stops.ts';
import { readWaitingSells } from '../../lifecycle/waiting-sells.ts';
import { readSellablePositionsOf } from '../../read/sellable-positions.ts';
import type { Market, OrderRow, QuoteRow } from '../../row.ts';
import type { TradingSettings } from '../../settings.ts';
import { readMarkets } from '../../terms/read-market.ts';
import type { Sell } from '../active-deployment.ts';
import type { ProposedIntent } from '../proposed-intent.ts';
import { type Deployment, type ExtraOrderLimits, NO_EXTRA_LIMITS } from './books.ts';
import { DecisionData, type Loaded, type RecheckedOrder } from './decision-data.ts';

/** An order that may have limits in addition to the rules. */
export type LimitedOrder = Pick<ProposedIntent, 'tokenId' | 'side' | 'deploymentId'> & {
  /** Null for any blueprint of the account. */
  readonly blueprintId: string | null;
};

/** The step of a deployment that raises an intent. */
export type IntentOrigin = { readonly deploymentId: string; readonly nodeId: string; readonly stepAt: Date };

/** Names the part of an account's books that a decision needs. */
export type DecisionScope = {
  /** Instruments it is about. */
  readonly tokenIds?: readonly string[];
  /** Instruments among them that are to be sold. */
  readonly toSell?: readonly string[];
  readonly steps?: readonly IntentOrigin[];
  /** The deployments behind these steps, if already loaded. */
  readonly deployments?: readonly Deployment[];
  /** Absent for several intents without additional limits. */
  readonly bound?: LimitedOrder | undefined;
  /** A quote that was just read from the venue, used if the stored one is older. */
  readonly quote?: QuoteRow | null;
  /** An order that is rechecked and must not count against itself. */
  readonly rechecked?: OrderRow;
};

/** Names the part of the books that a recheck of an order needs. */
export const recheckScopeOf = (order: OrderRow): DecisionScope => ({
  tokenIds: [order.token_id],
  toSell: order.side === 'sell' ? [order.token_id] : [],
  rechecked: order,
});

/** Database, time read under the locks, and settings of all decisions. */
export type LoadContext = { readonly db: Db; readonly now: Date; readonly settings: TradingSettings };

/** Books with the work that opened them, in the transaction that holds the lock. */
export type LoadedDecisionData = { readonly work: Work; readonly books: DecisionData };

/** An account, and the part of its books to load. */
export type DecisionDataRequest = { readonly work: Work; readonly scope: DecisionScope };

/**
 * Loads the books of several accounts in one mode, each within its scope, in a few statements. Call in a transaction under the
 * locks of all of them: the loaded values stay valid until it ends.
 */
export async function loadDecisionData(
  loading: LoadContext,
  requests: readonly DecisionDataRequest[],
): Promise<LoadedDecisionData[]> {
  const { db, now } = loading;
  const [first] = requests;
  if (first === undefined) return [];
  const { mode } = first.work;
  const accountIds = requests.map(({ work }) => work.accountId);
  const toSell = unique(requests.flatMap(({ scope }) => scope.toSell ?? []));
  const steps = requests.flatMap(({ work, scope }) =>
    (scope.steps ?? []).map((step) => ({ ...step, accountId: work.accountId })),
  );
  const tokenIds = unique(requests.flatMap(({ scope }) => scope.tokenIds ?? []));
  const markets = tokenIds.length === 0 ? new Map<string, Market>() : await readMarkets(db, tokenIds);
  const { quote } = first.scope;
  const quoted = quote ? markets.get(quote.token_id) : undefined;
  if (quote && quoted) markets.set(quote.token_id, { ...quoted, quote: newerQuote(quoted.quote, quote) });
  // A rechecked order is the only request.
  const query = { accountIds, mode, now, leaveOut: first.scope.rechecked?.id };
  const bases = await readRiskSnapshots(db, query);
  const held = toSell.length === 0 ? [] : await readSellablePositionsOf(db, { ...query, tokenIds: toSell });
  // An intent without a step neither waits for a sell nor takes precedence over one.
  const sells =
    toSell.length === 0 || steps.length === 0 ? [] : await readLiveSells(db, accountIds, mode, toSell);
  const ordersOfSteps = steps.length === 0 ? [] : await readOrdersOfSteps(db, steps);
  const opened: LoadedDecisionData[] = [];
  for (const { work, scope } of requests) {
    const { accountId } = work;
    const own = { ...work, db };
    const loaded = {
      snapshot: bases.get(accountId) ?? null,
      markets,
      holdings: held.filter((each) => each.accountId === accountId),
      sells: sells.filter(({ account_id }) => account_id === accountId),
      ordersOfSteps: ordersOfSteps.filter(({ account_id }) => account_id === accountId),
    };
    const more = await loadMore(own, scope, loading, loaded);
    opened.push({ work: own, books: new DecisionData({ accountId, mode }, { ...loaded, ...more }) });
  }
  return opened;
}

/** Loads what few decisions need: a deployment, sells that may be canceled for it, buys that a trip cancels, limits. */
async function loadMore(
  work: Work,
  scope: DecisionScope,
  loading: LoadContext,
  { snapshot, markets, sells }: Pick<Loaded, 'snapshot' | 'markets' | 'sells'>,
): Promise<Pick<Loaded, 'deployments' | 'waitingSells' | 'liveBuys' | 'bounds' | 'rechecked'>> {
  const { rechecked } = scope;
  const waiting = sells.flatMap(({ status, token_id }) => (status === 'pending' ? [token_id] : []));
  return {
    deployments: scope.deployments ?? (await readDeployments(work, scope)),
    waitingSells: waiting.length === 0 ? [] : await readWaitingSells(work, unique(waiting)),
    liveBuys: snapshot !== null && mustStopBuys(snapshot, loading.now) ? await readLiveBuyOrders(work) : [],
    bounds: await readExtraOrderLimits(work, scope, markets, loading),
    rechecked:
      rechecked === undefined
        ? null
        : { order: rechecked, allocations: await readAllocations(work, rechecked) },
  };
}

async function readExtraOrderLimits(
  work: Work,
  { bound, rechecked }: DecisionScope,
  markets: Loaded['markets'],
  { now, settings }: LoadContext,
): Promise<ExtraOrderLimits> {
  if (rechecked !== undefined) {
    const { id, blueprint_id: blueprintId, connection_id: connectionId } = rechecked;
    return {
      envelope: await readSpendingLimits(work, { id, blueprintId, deploymentId: null }, now),
      route: await readRouteOfOrder(work, rechecked, settings),
      live: await readLiveOrderInputs(work, { ...rechecked, connectionId }, settings.liveCaps, now),
    };
  }
  if (bound === undefined) return NO_EXTRA_LIMITS;
  const { blueprintId, deploymentId = null, tokenId, side } = bound;
  const market = markets.get(tokenId);
  // An unknown instrument is refused before its limits matter.
  if (market === undefined) return NO_EXTRA_LIMITS;
  const envelope = await readSpendingLimits(work, { blueprintId, deploymentId }, now);
  const { venue } = market.instrument;
  const route = await readRouteOfNewOrder(work, venue, settings);
  const order = { venue, token_id: tokenId, side, connectionId: route?.connectionId ?? null };
  return { envelope, route, live: await readLiveOrderInputs(work, order, settings.liveCaps, now) };
}

async function readLiveSells(
  db: Db,
  accountIds: readonly string[],
  mode: Mode,
  toSell: readonly string[],
): Promise<(Sell & { account_id: string })[]> {
  const { rows } = await sql<Sell & { account_id: string }>`
    select account_id, id, status, expires_at, side, deployment_id, node_id, token_id
    from trade_order
    where account_id = any(${accountIds}::uuid[]) and mode = ${mode} and side = 'sell'
      and status in ${statusList(LIVE_STATUSES)} and token_id = any(${toSell}::text[])
    order by id`.execute(db);
  return rows;
}

/** Reads the deployments of these steps, in the mode of the work. Under the account's lock it fences off stopped ones. */
async function readDeployments(work: Work, { steps = [], rechecked }: DecisionScope): Promise<Deployment[]> {
  const ids = unique([
    ...steps.map(({ deploymentId }) => deploymentId),
    ...(rechecked?.deployment_id == null ? [] : [rechecked.deployment_id]),
  ]);
  if (ids.length === 0) return [];
  return work.db
    .selectFrom('deployment as d')
    .leftJoin('deployment_state as s', (join) =>
      join.onRef('s.account_id', '=', 'd.account_id').onRef('s.deployment_id', '=', 'd.id'),
    )
    .select(['d.id', 'd.blueprint_id', 'd.release_number', 'd.ended_at', 's.halted'])
    .where('d.account_id', '=', work.accountId)
    .where('d.mode', '=', work.mode)
    .where('d.id', 'in', ids)
    .execute();
}

/** Reads the allocations of a pending sell. */
async function readAllocations(work: Work, { id, side }: OrderRow): Promise<RecheckedOrder['allocations']> {
  if (side === 'buy') return [];
  return work.db
    .selectFrom('order_allocation')
    .select(['position_id', 'amount'])
    .where('account_id', '=', work.accountId)
    .where('order_id', '=', id)
    .execute();
}

/** Reads the orders that these steps have already created: a replayed step must not create a second one. */
async function readOrdersOfSteps(
  db: Db,
  steps: readonly (IntentOrigin & { readonly accountId: string })[],
): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.* from unnest(
      ${steps.map(({ accountId }) => accountId)}::uuid[], ${steps.map(({ deploymentId }) => deploymentId)}::uuid[],
      ${steps.map(({ nodeId }) => nodeId)}::text[], ${steps.map(({ stepAt }) => stepAt.toISOString())}::timestamptz[]
    ) as step (account_id, deployment_id, node_id, step_at)
    cross join lateral (
      select * from trade_order
      where account_id = step.account_id and deployment_id = step.deployment_id and node_id = step.node_id
        and step_at = step.step_at
      offset 0
    ) as o`.execute(db);
  return rows;
}

const newerQuote = (stored: QuoteRow | null, read: QuoteRow): QuoteRow =>
  stored !== null && Date.parse(stored.as_of) >= Date.parse(read.as_of) ? stored : read;

const unique = (names: readonly string[]): string[] => [...new Set(names)];
