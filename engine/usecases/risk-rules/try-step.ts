import type { Json } from '../../../db/json.ts';
import { type MarketData, VenueError } from '../../../venues/port.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type GraphPart, graphPartOf } from '../../strategy/graph/compile/graph-part.ts';
import { evaluate } from '../../strategy/graph/run/evaluate.ts';
import type { Plan } from '../../strategy/graph/run/run.ts';
import { withForcedValue } from '../../strategy/graph/run/with-forced-value.ts';
import type { Intent, Issue, NodeState, World } from '../../strategy/graph/types.ts';
import type { TradingSettings } from '../../trading/orders/settings.ts';
import { readBlueprint } from '../blueprints/drafts/row.ts';
import { compileWithFacts } from '../blueprints/running/compile-with-facts.ts';
import type { AdmitLookUp } from '../blueprints/running/look-up.ts';
import {
  readWorldBeforeDeploy,
  VENUE_REQUESTS_MAX,
  venueRequestsOf,
} from '../blueprints/running/world-before-deploy.ts';
import { type OrderPreview, previewOrder } from './preview.ts';

/** The order that an action would raise, and the verdict of the rules now. Decimals are strings. */
export type TriedOrder = Pick<Intent, 'side' | 'tokenId' | 'type' | 'amount' | 'limitPrice'> & {
  /** Whether it would be raised now, or only once the condition turns true. */
  readonly isDue: boolean;
  readonly preview: OrderPreview | null;
  /** Why there is no preview: the market or the account permits no order. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
};

export type StepTrial = {
  /** Errors of the step and of the steps it needs: nothing is evaluated then. */
  readonly issues: readonly Issue[];
  /** The step and all that it needs, in the order of the graph. */
  readonly nodes: readonly { readonly nodeId: string; readonly state: NodeState }[];
  readonly orders: readonly TriedOrder[];
  /** Why an action would do nothing, even if its condition were true. */
  readonly silence: { readonly code: string; readonly message: string } | null;
  /** The text of a `notify`. */
  readonly texts: readonly string[];
};

type Options = {
  /** The step to try; absent for the whole graph. */
  readonly nodeId?: string | undefined;
  /** Replaces the stored graph, as an editor holds it. */
  readonly visual?: Json | undefined;
  readonly market: MarketData;
  readonly settings: TradingSettings;
  readonly admit?: AdmitLookUp;
};

/**
 * Evaluates one step of a blueprint's graph, and all it needs, on live data, as at a deploy this moment. For an action it
 * returns the order it would raise if its condition held. That order carries the verdict of the risk rules. Nothing is stored,
 * raised or remembered. Errors elsewhere in the graph do not matter. Without a step, it evaluates the whole graph, and raises no
 * order in mind either. At most {@link VENUE_REQUESTS_MAX} requests go to venues, for three
 * seconds.
 *
 * @throws DomainError `not_found`; `validation_failed` for a missing step, or one that needs too much.
 * @throws VenueError while a venue that has to be asked for an instrument fails.
 */
export async function tryStep(work: Work, id: string, options: Options): Promise<StepTrial> {
  const { nodeId, market, settings, admit } = options;
  const row = await readBlueprint(work, id);
  const visual = options.visual === undefined ? row.visual : options.visual;
  const part = nodeId === undefined ? { ...WHOLE, visual } : graphPartOf(visual, nodeId);
  if (part === null)
    throw refused('nodeId', 'There is no such step in the graph. Send the id of a step that is executed.');
  const { plan, issues, instruments } = await compileWithFacts(work.db, market, part.visual, admit);
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (plan === null) return { issues: errors, nodes: [], orders: [], silence: null, texts: [] };
  const calls = venueRequestsOf(plan.needs);
  if (calls > VENUE_REQUESTS_MAX)
    throw refused(
      nodeId === undefined ? 'visual' : 'nodeId',
      `Its values need ${calls} requests to venues; the limit is ${VENUE_REQUESTS_MAX}. Try a step that needs fewer.`,
    );
  const { world, now } = await readWorldBeforeDeploy(work, market, { blueprintId: id, plan, instruments });
  const evaluation = evaluate(plan, world, null, now);
  const { nodeStates } = evaluation;
  const nodes = plan.nodeIds.flatMap((each) => {
    const state = nodeStates[each];
    return state === undefined ? [] : [{ nodeId: each, state }];
  });
  if (nodeId === undefined) return { issues: [], nodes, orders: [], silence: null, texts: [] };
  const isOwn = (each: { nodeId: string }): boolean => part.ids.includes(each.nodeId);
  const isDue = hasActed(evaluation, isOwn);
  const acted = isDue ? evaluation : actedIf(plan, part, { world, now });
  const own = acted.intents.filter(isOwn);
  const isAction = plan.actions.some(({ slot }) => part.ids.includes(plan.nodeIds[slot] ?? ''));
  const [first = nodeId] = part.ids;
  return {
    issues: [],
    nodes,
    orders: await Promise.all(
      own.map((intent) => previewAction(work, { id, intent, isDue, market, settings })),
    ),
    silence: isAction && !hasActed(acted, isOwn) ? (acted.nodeStates[first]?.reason ?? NOTHING_TO_DO) : null,
    texts: acted.notifications.filter(isOwn).map(({ text }) => text),
  };
}

const WHOLE: Omit<GraphPart, 'visual'> = { ids: [], type: '', conditions: [] };

const NOTHING_TO_DO = {
  code: 'nothing_to_do',
  message: 'It has nothing to do now: it holds nothing to sell, or the event it waits for has not happened.',
};

type Acted = Pick<ReturnType<typeof evaluate>, 'intents' | 'notifications' | 'nodeStates'>;

const hasActed = ({ intents, notifications }: Acted, isOwn: (each: { nodeId: string }) => boolean): boolean =>
  [...intents, ...notifications].some(isOwn);

/** The same moment, had the condition just turned true. */
function actedIf(
  plan: Plan,
  { ids, type, conditions }: Omit<GraphPart, 'visual'>,
  { world, now }: { world: World; now: number },
): Acted {
  // An action on an edge must have seen the condition false.
  const isOnEdge = type === 'order' || type === 'notify';
  const nodes = isOnEdge ? Object.fromEntries(ids.map((id) => [id, { last: false }])) : {};
  const memory = { startedAt: now, candles: {}, nodes };
  return evaluate(withForcedValue(plan, conditions, true), world, memory, now);
}

const NO_ANSWER = 'The venue does not answer now, so the order cannot be computed. Try again.';

type ActionToPreview = {
  id: string;
  intent: Intent;
  isDue: boolean;
  market: MarketData;
  settings: TradingSettings;
};

async function previewAction(
  work: Work,
  { id, intent, isDue, market, settings }: ActionToPreview,
): Promise<TriedOrder> {
  const { side, tokenId, type, amount, limitPrice, slippage, origin } = intent;
  const order = { side, tokenId, type, amount, limitPrice, isDue };
  try {
    const preview = await previewOrder(
      work,
      {
        tokenId,
        side,
        amount,
        type,
        blueprintId: id,
        ...(limitPrice !== null && { limitPrice }),
        ...(slippage !== null && { slippage }),
      },
      // The hypothetical deploy approves the sells of its exits, and nothing else.
      {
        settings,
        marketData: market,
        as: { origin, approval: origin === 'exit' ? { by: 'deploy', release: 0 } : { by: 'nobody' } },
      },
    );
    return { ...order, preview, refusal: null };
  } catch (error) {
    if (error instanceof VenueError)
      return { ...order, preview: null, refusal: { code: 'venue_unavailable', message: NO_ANSWER } };
    if (!(error instanceof DomainError)) throw error;
    return { ...order, preview: null, refusal: { code: error.code, message: error.message } };
  }
}

const refused = (path: string, message: string) =>
  new DomainError('validation_failed', message, {
    issues: [{ path: `/${path}`, code: 'invalid_value', message }],
  });
