import type { Db } from '../../../db/tables.ts';
import { openAccountDay } from '../../../engine/accounting/day.ts';
import type { Exact } from '../../../engine/decimal.ts';
import { recordEventsOf, type ToldEvent } from '../../../engine/events.ts';
import type { Intent } from '../../../engine/graph/types.ts';
import { newId } from '../../../engine/ids.ts';
import type { ComposedOrder } from '../../../engine/orders/entry/compose.ts';
import { insertOrders } from '../../../engine/orders/entry/insert-orders.ts';
import { proposalOf } from '../../../engine/orders/entry/proposal.ts';
import { readStandings } from '../../../engine/orders/entry/read-standing.ts';
import { Standing } from '../../../engine/orders/entry/standing.ts';
import { orderChanged } from '../../../engine/orders/events.ts';
import { readMarkets } from '../../../engine/orders/terms/read-market.ts';
import type { RunnerContext } from '../options.ts';
import type { Decision } from './decide-one.ts';
import type { Notices } from './notices.ts';
import {
  deleteRequests,
  idOf,
  type Refusal,
  type Request,
  type RequestKey,
  readRequests,
  refusalOf,
  whyRefused,
  whyTooLate,
} from './requests.ts';

type Deciding = Pick<RunnerContext, 'workOf' | 'trading'>;

/** Who acts: the service by itself. */
const SYSTEM = 'system';

/** What came of one of several intents; `failed` is what a moment may mend: its request stays. */
export type Decided = { readonly key: RequestKey } & (
  | { readonly decision: Decision }
  | { readonly failed: unknown }
);

/** What decisions come to before any of it is stored. */
type Made = {
  readonly decided: readonly Decided[];
  readonly orders: readonly ComposedOrder[];
  readonly told: readonly ToldEvent[];
  readonly days: readonly { readonly accountId: string; readonly opening: Exact }[];
};

/** Money whose decisions need nothing that is read for each order. */
export const isDecidedTogether = ({ mode }: RequestKey): boolean => mode !== 'live';

/**
 * Decides intents of one account or of several in one mode, as `decideOne` does one after the other, in a few statements. Of an
 * account it stops at the first that has to be decided by itself: that one and those after it are not in the answer. Call in a
 * transaction under the locks of all of them.
 */
export async function decideTogether(
  context: Deciding,
  { db, now }: { readonly db: Db; readonly now: Date },
  keys: readonly RequestKey[],
  notices: Notices,
): Promise<readonly Decided[]> {
  const [first] = keys;
  if (first === undefined) return [];
  const { mode } = first;
  const requests = await readRequests(db, keys, mode);
  const accountIds = [...new Set(requests.map(({ accountId }) => accountId))];
  const intents = requests.map(({ intent }) => intent);
  const markets = await readMarkets(db, tokensOf(intents));
  const toSell = tokensOf(intents.filter(({ side }) => side === 'sell'));
  const facts = await readStandings(db, { accountIds, mode, now, toSell });
  const standings = new Map(
    [...facts].map(([accountId, fact]) => {
      const births = { accountId, mode, now, settings: context.trading, newId };
      return [accountId, new Standing(fact, (tokenId) => markets.get(tokenId), births)];
    }),
  );
  const made = decideInMemory(requests, standings, now, notices);
  for (const { accountId, opening } of made.days) {
    await openAccountDay({ ...context.workOf({ accountId, mode }), db }, now, opening);
  }
  await insertOrders(db, made.orders, SYSTEM);
  await recordEventsOf(db, now, made.told);
  await deleteRequests(
    db,
    made.decided.flatMap((each) => ('decision' in each ? each.key : [])),
  );
  const waiting = new Set(requests.map(idOf));
  const gone = keys.filter((key) => !waiting.has(idOf(key)));
  return [...made.decided, ...gone.map((key): Decided => ({ key, decision: null }))];
}

/** One after the other, each account as the decisions before have left it. Nothing is read or written. */
function decideInMemory(
  requests: readonly Request[],
  standings: ReadonlyMap<string, Standing>,
  now: Date,
  notices: Notices,
): Made {
  const decided: Decided[] = [];
  const orders: ComposedOrder[] = [];
  const told: ToldEvent[] = [];
  const stopped = new Set<string>();
  for (const request of requests) {
    const { accountId } = request;
    const standing = standings.get(accountId);
    if (standing === undefined || stopped.has(accountId)) continue;
    const made = request.isBound ? null : decideByStanding(request, standing, now);
    if (made === null) {
      stopped.add(accountId);
      continue;
    }
    decided.push(made.decided);
    if (made.composed !== undefined) {
      orders.push(made.composed);
      told.push({ accountId, mode: request.mode, event: orderChanged(made.composed.order) });
    }
    if (made.refusal !== undefined) {
      const notice = notices.of(made.refusal);
      if (notice !== null) told.push(notice);
    }
  }
  const days = [...standings].flatMap(([accountId, { opensDayAt }]) =>
    opensDayAt === null ? [] : [{ accountId, opening: opensDayAt }],
  );
  return { decided, orders, told, days };
}

type MadeOfOne = { decided: Decided; composed?: ComposedOrder; refusal?: Refusal };

/** Null where it has to be decided by itself. */
function decideByStanding(request: Request, standing: Standing, now: Date): MadeOfOne | null {
  const key = request;
  if (request.endedAt !== null) return { decided: { key, decision: null } };
  const refused = (message: string): MadeOfOne => {
    const refusal = refusalOf(request, message, now);
    return { decided: { key, decision: { refusal } }, refusal };
  };
  const late = whyTooLate(request);
  if (late !== null) return refused(late);
  try {
    const { releaseNumber, endedAt, halted } = request;
    const raising = { release_number: releaseNumber, ended_at: endedAt, halted };
    const composed = standing.propose(proposalOf(request.intent, request), raising);
    return composed === null ? null : { decided: { key, decision: { order: composed.order } }, composed };
  } catch (error) {
    const message = whyRefused(error, request.ageMs);
    return message === null ? { decided: { key, failed: error } } : refused(message);
  }
}

const tokensOf = (intents: readonly Pick<Intent, 'tokenId'>[]): string[] => [
  ...new Set(intents.map(({ tokenId }) => tokenId)),
];
