import { z } from 'zod';
import { mayRest, type Side } from '../../../../../db/vocabulary.ts';
import type { Run } from '../../run/run.ts';
import type { InstrumentFacts, Intent, NodeOrder, Reason, Unknown, Value } from '../../types.ts';
import { isUnknown, reason, unknown } from '../../values.ts';
import {
  type Configured,
  defineNode,
  input,
  NOT_CONNECTED,
  output,
  type RawSettings,
  type Wiring,
  type Words,
} from '../node.ts';
import { ACTION_QUOTE_MAX_AGE_SEC, isMissing, quoteReader, shortName } from '../quote-readers.ts';
import { instrument, seconds, timeZone } from '../shared-settings.ts';
import { claimBuy, claimSale, limitReached, unclaimedUnits } from './claims.ts';
import { decisionInputsOf } from './decision-inputs.ts';
import { draftAmount, draftPrice, draftSale, fromDouble } from './drafting.ts';
import { filledOutputOf, ordersOfNode } from './filled-output.ts';
import { type Attempt, isEdgeIdle, onRisingEdge, type RisingEdgeMemory, triggerOf } from './rising-edge.ts';

/** After a denial the node raises nothing for this long: the same rule would probably deny it again. */
const DENIED_PAUSE_MS = 60_000;
/** Final statuses of an order refused by a rule, a person or the venue. */
const REFUSED: ReadonlySet<string> = new Set(['denied', 'declined', 'rejected']);

/** Limit of the time an order may rest: 30 days. */
export const EXPIRE_AFTER_SEC_MAX = 2_592_000;

const common = {
  instrument: instrument(),
  side: z.enum(['buy', 'sell']).meta({ description: 'Sells never exceed what this blueprint holds.' }),
  ifTrueAtDeploy: z.enum(['fire', 'wait']).default('fire').meta({
    description:
      'If the condition is true when the blueprint is deployed: act at once, or wait until it turns true again.',
  }),
};

const settings = z.discriminatedUnion('type', [
  z
    .strictObject({
      ...common,
      type: z.literal('limit').meta({ description: 'At the limit price or better.' }),
      priceOffset: z.number().min(-1e9).max(1e9).default(0).meta({
        description:
          'USD added to the price: to the `price` input, or without one to the best ask for a buy and the best bid for a sell.',
      }),
      timeInForce: z.enum(['gtc', 'gtx', 'ioc', 'fok', 'day']).default('gtc').meta({
        description:
          'gtc rests until filled or canceled; gtx too, and is refused if any of it would fill at once (post-only); ioc fills what it can at once, the rest is canceled; fok fills whole at once or not at all; day rests until the day ends in `zone`.',
      }),
      zone: timeZone.optional().meta({
        description: 'With day: the time zone whose midnight ends the day.',
        examples: ['America/New_York'],
      }),
      expireAfterSec: seconds(
        10,
        EXPIRE_AFTER_SEC_MAX,
        'With gtc or gtx: seconds after the order is raised at which its unfilled rest is canceled.',
      ).optional(),
    })
    .refine(
      ({ timeInForce, expireAfterSec }) =>
        (timeInForce !== 'day' && mayRest(timeInForce)) || expireAfterSec === undefined,
      {
        path: ['expireAfterSec'],
        error: 'Only a gtc or gtx order expires after seconds: leave “expireAfterSec” out, or use gtc.',
      },
    )
    .refine(({ timeInForce, zone }) => (timeInForce === 'day') === (zone !== undefined), {
      path: ['zone'],
      error: 'A day order needs a “zone”, such as America/New_York; no other order takes one.',
    }),
  z.strictObject({
    ...common,
    type: z
      .literal('market')
      .meta({ description: 'Now, within the slippage cap; what does not fill is canceled.' }),
    slippageCap: z.number().min(0).max(1).optional().meta({
      description:
        'How far the price may move away: in USD for outcomes (0.02 unless given), as a fraction for crypto (0.005 unless given).',
    }),
  }),
]);
type Settings = z.output<typeof settings>;

const TRIGGERED = reason('triggered', 'The condition turned true.');
const HALTED = reason('halted', 'The blueprint is in error: entries are halted, exits continue.');
const CONFLICT = reason(
  'conflict',
  'The same step sells this instrument. The sell stays, the buy is skipped.',
);
const ORDER_LIVE = reason('order_live', 'An order of this node is still live; the signal was skipped.');

export const order = defineNode({
  type: 'order',
  group: 'action',
  title: 'Order',
  help: 'Raises one order each time the condition turns true. A signal that comes while an order of this node is live is skipped.',
  phrase: () => 'an order has been filled',
  sentence: (config, words) => {
    const { name, needed, one, atDeploy } = words;
    const verb = config['side'] === 'sell' ? 'Sells' : 'Buys';
    const terms = config['type'] === 'limit' ? limitOf(config, one('price'), words) : marketOf(config, words);
    return `${verb} ${needed('amount')} of ${name}${terms} when ${needed('when')}${atDeploy(config['ifTrueAtDeploy'])}`;
  },
  laws: {
    unknown: 'It waits while its condition, amount or price is.',
    gap: 'A signal over 60 seconds old is skipped.',
  },
  inputs: [
    input('when', 'boolean', 'The order is raised when this turns true.'),
    input('amount', 'number', 'Units; rounded down to the venue’s step.'),
    input(
      'price',
      'number',
      'Limit price before the offset; rounded to the tick, never worse than requested.',
      {
        optional: true,
        when: { setting: 'type', in: ['limit'] },
      },
    ),
  ],
  outputs: [output('boolean', 'True for one step after an order of this node ended with anything filled.')],
  trades: true,
  config: settings,
  bind: (config): Configured => ({
    trade: { tokenId: config.instrument, origin: 'order', side: config.side },
    needs: {
      quote: config.instrument,
      instrument: config.instrument,
      ...(config.side === 'sell' ? { position: config.instrument } : {}),
    },
    build(wiring) {
      const { nodeId, slot } = wiring;
      const trigger = triggerOf(wiring, config.ifTrueAtDeploy);
      const attempt = attemptOf(config, wiring);
      return {
        compute: filledOutputOf(wiring),
        isIdle: (run) => isEdgeIdle(run, trigger),
        act(run) {
          const refused = refusedOf(run, nodeId);
          const isItsOwn = refused !== null && isOfEdge(refused, run.recall<RisingEdgeMemory>(slot));
          onRisingEdge(run, trigger, attempt);
          if (refused !== null) showRefusal(run, slot, refused, isItsOwn);
        },
        asOf: (run) => run.now,
      };
    },
  }),
});

/** Attempts the order of an open edge: permanent refusals come first, then missing data. */
function attemptOf(config: Settings, wiring: Wiring): Attempt {
  const { nodeId, slot } = wiring;
  const amountSlot = wiring.input('amount');
  const priceOf = priceReader(config, wiring);
  const noFacts = unknown('no_data', `Tick and step of ${shortName(config.instrument)} are not known yet.`);
  return (run, stepAt) => {
    const refused = refusal(run, config, nodeId);
    if (refused !== null) return { refused };
    const amount = run.values[amountSlot] as Value;
    if (typeof amount !== 'number') return amount as Unknown;
    const price = priceOf(run);
    if (isUnknown(price)) return price;
    const facts = run.world.instruments.get(config.instrument);
    if (facts === undefined) return noFacts;
    const terms = termsOf(config, run, facts, amount, price as number);
    if ('refused' in terms) return terms;
    const isSell = terms.side === 'sell';
    const reached = isSell ? null : limitReached(run, slot);
    if (reached !== null) return reached;
    const claimed = isSell ? claimSale : claimBuy;
    claimed(run, terms.tokenId, terms.amount);
    run.raise({ nodeId, stepAt, ...terms, reason: TRIGGERED, inputs: decisionInputsOf(run, slot) });
    return 'fired';
  };
}

function refusal(run: Run, { side, instrument: tokenId }: Settings, nodeId: string) {
  const { live, last } = ordersOfNode(run, nodeId);
  if (live !== null) return ORDER_LIVE;
  if (last !== null && isPausing(run, last)) return wordsOf(last);
  if (side === 'sell') return null;
  if (run.world.isHalted) return HALTED;
  return run.sold.has(tokenId) ? CONFLICT : null;
}

function isPausing(run: Run, { status, endedAt }: NodeOrder): boolean {
  return status === 'denied' && run.now - (endedAt ?? 0) < DENIED_PAUSE_MS;
}

function wordsOf({ message }: NodeOrder): Reason {
  return reason('denied', message ?? 'The last order of this node was refused.');
}

/** Returns the node's last order if it was refused and no other is live. */
function refusedOf(run: Run, nodeId: string): NodeOrder | null {
  const { live, last } = ordersOfNode(run, nodeId);
  return run.isLive && live === null && last !== null && REFUSED.has(last.status) ? last : null;
}

/** Whether the order is the one that spent the edge. */
function isOfEdge({ endedAt }: NodeOrder, memory: RisingEdgeMemory | undefined): boolean {
  return memory?.last === true && (endedAt ?? 0) >= (memory.at ?? 0);
}

/** Shows a refusal while the signal of the order lasts, and while the node pauses for it. */
function showRefusal(run: Run, slot: number, refused: NodeOrder, isItsOwn: boolean): void {
  const status = run.statuses[slot];
  const pauses = status === 'idle' && isPausing(run, refused);
  if (pauses || (status === 'fired' && isItsOwn)) run.mark(slot, 'blocked', wordsOf(refused));
}

/** Returns the requested limit, or the price at which a market order would trade now. */
function priceReader(config: Settings, wiring: Wiring): (run: Run) => Value {
  const { instrument: tokenId, side } = config;
  const given = wiring.input('price');
  const offset = config.type === 'limit' ? config.priceOffset : 0;
  const base =
    given === NOT_CONNECTED ? oppositePriceReader(tokenId, side) : (run: Run) => run.values[given] as Value;
  return (run) => {
    const price = base(run);
    return typeof price === 'number' ? price + offset : price;
  };
}

/** Reads the price on the opposite side: the ask for a buy, the bid for a sell. */
function oppositePriceReader(tokenId: string, side: Side): (run: Run) => Value {
  const read = quoteReader(tokenId, ACTION_QUOTE_MAX_AGE_SEC);
  const priceName = side === 'buy' ? 'ask' : 'bid';
  const none = unknown('no_quote', `${shortName(tokenId)} has no ${priceName} price now.`);
  return (run) => {
    const quote = read(run);
    return isMissing(quote) ? quote : (quote[priceName] ?? none);
  };
}

/** A day order rests like any other, with an end of its own. */
function timeInForceOf(config: Settings): Intent['timeInForce'] {
  if (config.type === 'market') return 'ioc';
  return config.timeInForce === 'day' ? 'gtc' : config.timeInForce;
}

type OrderTerms = Omit<Intent, 'nodeId' | 'stepAt' | 'reason' | 'inputs'>;
type Refusal = { readonly refused: Reason };

function termsOf(
  config: Settings,
  run: Run,
  facts: InstrumentFacts,
  requested: number,
  price: number,
): OrderTerms | Refusal {
  const { side, instrument: tokenId } = config;
  // A market order has no price of its own; the quote values it.
  const limit = config.type === 'limit' ? draftPrice(price, side, facts) : null;
  if (limit !== null && 'refused' in limit) return limit;
  const worth = limit === null ? price : Number(limit.text);
  const amount =
    side === 'buy'
      ? draftAmount(requested, worth, facts)
      : draftSale(fromDouble(requested), unclaimedUnits(run, tokenId), worth, facts);
  if ('refused' in amount) return amount;
  const isMarket = config.type === 'market';
  const dayZone = config.type === 'limit' ? config.zone : undefined;
  return {
    origin: 'order',
    side,
    tokenId,
    type: config.type,
    amount: amount.text,
    limitPrice: limit?.text ?? null,
    slippage: isMarket && config.slippageCap !== undefined ? fromDouble(config.slippageCap).toFixed() : null,
    timeInForce: timeInForceOf(config),
    ...(dayZone === undefined ? {} : { dayZone }),
    ...(config.type === 'limit' && config.expireAfterSec !== undefined
      ? { expireAfterSec: config.expireAfterSec }
      : {}),
  };
}

const IN_FORCE: ReadonlyMap<unknown, string> = new Map([
  ['gtx', ' without taking an offer,'],
  ['ioc', ' at once, the rest canceled,'],
  ['fok', ' at once and whole, or not at all,'],
]);

const marketOf = ({ slippageCap }: RawSettings, { text }: Words): string =>
  ` at the market${slippageCap === undefined ? '' : ` with a slippage up to ${text(slippageCap)}`}`;

function limitOf(
  { side, priceOffset = 0, expireAfterSec, zone, timeInForce }: RawSettings,
  price: string,
  { span, text }: Words,
): string {
  const offset = Number(priceOffset);
  const base = price === '' ? (side === 'sell' ? 'the best bid' : 'the best ask') : price;
  const moved = offset === 0 ? base : `${base} ${offset < 0 ? '−' : '+'} ${Math.abs(offset)}`;
  const rests = expireAfterSec === undefined ? '' : ` for up to ${span(expireAfterSec)}`;
  const day = zone === undefined ? '' : ` until the day ends in ${text(zone)}`;
  return ` at ${moved}${rests}${day}${IN_FORCE.get(timeInForce) ?? ''}`;
}
