import type { Db } from '../../../../db/tables.ts';
import { Account } from '../../../../engine/trading/orders/entry/account/account.ts';
import type { Deployment } from '../../../../engine/trading/orders/entry/account/books.ts';
import type { DecisionData } from '../../../../engine/trading/orders/entry/account/decision-data.ts';
import {
  type DecisionScope,
  loadDecisionData,
} from '../../../../engine/trading/orders/entry/account/load-decision-data.ts';
import { saveBooks } from '../../../../engine/trading/orders/entry/account/save-books.ts';
import { toProposedIntent } from '../../../../engine/trading/orders/entry/to-proposed-intent.ts';
import type { ActionContext } from '../../../../engine/trading/orders/lifecycle/plan-cancel.ts';
import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import {
  deleteRequests,
  type IntentRefusal,
  idOf,
  type RequestKey,
  readRequests,
  refusalOf,
  type WaitingIntent,
  whyRefused,
  whyTooLate,
} from './intent-requests.ts';
import type { RefusedIntentNotices } from './refused-intent-notices.ts';

type Deciding = Pick<RunnerContext, 'workOf' | 'trading'>;

/** The result of an intent; null if it was decided already or its deployment has ended. */
export type Decision =
  | { readonly order: Pick<OrderRow, 'id' | 'status' | 'reason_code'> }
  | { readonly refusal: IntentRefusal }
  | null;

/** The result of one of several intents; `failed` is temporary: its request stays. */
export type Decided = { readonly key: RequestKey } & (
  | { readonly decision: Decision }
  | { readonly failed: unknown }
);

/** Intents of one account that need its books loaded only once. */
type Share = readonly [WaitingIntent, ...WaitingIntent[]];

/**
 * Decides intents of one account or of several in one mode, one after another, in a few statements. A request is deleted in the
 * transaction that stores its order, so none is lost and none becomes two. For each account it stops where books must be loaded
 * again; later intents are not in the answer. Call in a transaction under the locks of all accounts.
 */
export async function decideIntents(
  { workOf, trading: settings }: Deciding,
  { db, now }: { readonly db: Db; readonly now: Date },
  keys: readonly RequestKey[],
  notices: RefusedIntentNotices,
): Promise<readonly Decided[]> {
  const [first] = keys;
  if (first === undefined) return [];
  const requests = await readRequests(db, keys, first.mode);
  const shares = sharesOf(requests);
  const wanted = shares.map((share) => ({ work: workOf(share[0]), scope: scopeOf(share) }));
  const opened = await loadDecisionData({ db, now, settings }, wanted);
  const decided = opened.flatMap(({ work, books }, index) => {
    const account = new Account(books, { newId: work.newId, settings });
    return decideShare(account, books, shares[index] ?? [], { actor: work.actor, now, notices });
  });
  await saveBooks(db, now, opened);
  await deleteRequests(
    db,
    decided.flatMap((each) => ('decision' in each ? each.key : [])),
  );
  const waiting = new Set(requests.map(idOf));
  const ended = keys.filter((key) => !waiting.has(idOf(key)));
  return [...decided, ...ended.map((key): Decided => ({ key, decision: null }))];
}

/** Takes the first intents of each account: one with additional limits beyond the rules, or all before the next such one. */
function sharesOf(requests: readonly WaitingIntent[]): Share[] {
  return [...Map.groupBy(requests, ({ accountId }) => accountId).values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const next = isBounded(first) ? 0 : more.findIndex(isBounded);
    return [[first, ...(next < 0 ? more : more.slice(0, next))]];
  });
}

const isBounded = ({ mode, isBound }: WaitingIntent): boolean => mode === 'live' || isBound;

function scopeOf(share: Share): DecisionScope {
  const [first] = share;
  const tokensOf = (requests: readonly WaitingIntent[]) => requests.map(({ intent }) => intent.tokenId);
  return {
    tokenIds: tokensOf(share),
    toSell: tokensOf(share.filter(({ intent }) => intent.side === 'sell')),
    steps: share,
    deployments: share.map(deploymentOf),
    bound: isBounded(first) ? { ...first, ...first.intent } : undefined,
  };
}

const deploymentOf = ({
  deploymentId,
  blueprintId,
  releaseNumber,
  endedAt,
  halted,
}: WaitingIntent): Deployment => ({
  id: deploymentId,
  blueprint_id: blueprintId,
  release_number: releaseNumber,
  ended_at: endedAt,
  halted,
});

type Deciders = ActionContext & { readonly notices: RefusedIntentNotices };

/** Decides one after another, as long as the loaded books are valid. Pure. */
function decideShare(
  account: Account,
  books: DecisionData,
  requests: readonly WaitingIntent[],
  deciders: Deciders,
): Decided[] {
  const decided: Decided[] = [];
  for (const request of requests) {
    if (books.isSpent) break;
    decided.push(decideRequest(account, books, request, deciders));
  }
  return decided;
}

function decideRequest(
  account: Account,
  books: DecisionData,
  request: WaitingIntent,
  { actor, now, notices }: Deciders,
): Decided {
  const key = request;
  if (request.endedAt !== null) return { key, decision: null };
  const refused = (message: string): Decided => {
    const refusal = refusalOf(request, message, now);
    const notice = notices.of(refusal);
    if (notice !== null) books.tell([notice]);
    return { key, decision: { refusal } };
  };
  const late = whyTooLate(request);
  if (late !== null) return refused(late);
  try {
    const proposal = toProposedIntent(request.intent, request);
    const order = books.attempt(() => account.propose(proposal, { actor, now }));
    return { key, decision: { order } };
  } catch (error) {
    const message = whyRefused(error, request.ageMs);
    return message === null ? { key, failed: error } : refused(message);
  }
}
