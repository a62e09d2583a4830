/** Undocumented behaviour, measured with the smallest orders of a demo account. */
import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type {
  Broker,
  BrokerOrder,
  OrderRef,
  PlaceResult,
  Prepared,
  TradedInstrument,
} from '../../../venues/broker.ts';
import type { MarketData } from '../../../venues/port.ts';
import type { CheckTarget } from './check-targets.ts';
import type { Finding } from './rows.ts';

/** A price that rests and one that fills, for an instrument the venue trades now. */
export type TestInstrument = {
  readonly instrument: TradedInstrument;
  readonly amount: string;
  readonly restsAt: string;
  readonly fillsAt: string;
};

export type MeasureContext = {
  readonly broker: Broker;
  readonly subject: TestInstrument;
  readonly now: () => Date;
  /** Waits on the simulated clock; rejects when the check is aborted. */
  readonly hold: (ms: number) => Promise<void>;
  /** Orders sent that may still rest. */
  readonly sent: Set<Signed>;
};

/**
 * Per venue: the delays between signing and sending an order, and the bound after which none may arrive, as in its adapter.
 */
const REQUEST_EXPIRY: Readonly<
  Partial<Record<CheckTarget['venue'], { holdsMs: readonly number[]; boundMs: number }>>
> = {
  'venue-a': { holdsMs: [20_000, 40_000, 60_000, 80_000], boundMs: 75_000 },
  crypto: { holdsMs: [2_000, 4_000, 6_000, 20_000], boundMs: 5_000 },
};
const FOREVER_MS = 600_000;
const SEEN_WITHIN_MS = 15_000;
const POLL_MS = 500;
/** Orders are this much above the venue's minimum, because prices move. */
const ABOVE_MINIMUM = 1.2;

/** Returns a listed instrument that is traded now and costs little; null without one. */
export async function findTestInstrument(
  tokens: readonly string[],
  market: MarketData,
): Promise<TestInstrument | null> {
  for (const { tokenId, bid, ask } of await market.quotes(tokens)) {
    const instrument = await market.instrument(tokenId);
    if (instrument === null || instrument.status !== 'open' || ask === null || bid === null) continue;
    if (instrument.kind === 'spot') return spotSubject(instrument, { bid, ask });
    if (Number(bid) < 0.03 || Number(ask) > 0.97) continue;
    return { instrument, amount: '1', restsAt: '0.01', fillsAt: ask };
  }
  return null;
}

function spotSubject(
  instrument: TradedInstrument,
  { bid, ask }: { bid: string; ask: string },
): TestInstrument {
  const { tickSize, stepSize, minNotional, minSize } = instrument;
  const onTick = (price: Decimal) => price.div(tickSize).floor().times(tickSize);
  const restsAt = onTick(new Decimal(bid).times('0.95'));
  const least = new Decimal(minNotional ?? 0).times(ABOVE_MINIMUM).div(restsAt);
  const amount = Decimal.max(least, minSize).div(stepSize).ceil().times(stepSize);
  const fillsAt = onTick(new Decimal(ask).times('1.005'));
  return {
    instrument,
    amount: amount.toFixed(),
    restsAt: restsAt.toFixed(),
    fillsAt: fillsAt.toFixed(),
  };
}

type Signed = { readonly order: BrokerOrder; readonly prepared: Prepared };

function sign(
  { broker, subject, now }: MeasureContext,
  how: 'rests' | 'fills',
  id: string = randomUUID(),
): Signed {
  const { instrument, amount, restsAt, fillsAt } = subject;
  const order: BrokerOrder = {
    accountId: 'check',
    mode: 'live',
    id,
    tokenId: instrument.tokenId,
    venue: instrument.venue,
    side: 'buy',
    timeInForce: how === 'rests' ? 'gtc' : 'ioc',
    amount,
    limitPrice: how === 'rests' ? restsAt : fillsAt,
    validUntil: new Date(now().getTime() + FOREVER_MS),
    goodTill: null,
  };
  const preparation = broker.prepare(order, instrument, now());
  if (preparation.kind === 'refused') throw new Error(preparation.reason);
  return { order, prepared: preparation.prepared };
}

const refOf = ({ order, prepared }: Signed, venueOrderId: string | null = null): OrderRef => ({
  accountId: order.accountId,
  mode: order.mode,
  id: order.id,
  tokenId: order.tokenId,
  prepared,
  venueOrderId,
});

const wordOf = (placed: PlaceResult): string =>
  'code' in placed ? `${placed.kind} (${placed.code})` : placed.kind;

async function placeOrder({ broker, sent }: MeasureContext, signed: Signed): Promise<PlaceResult> {
  sent.add(signed);
  const placed = await broker.place(signed.order, signed.prepared, async () => null);
  if (placed.kind === 'refused') sent.delete(signed);
  return placed;
}

/** Cancels, once, every order not seen to end; for a check that is over. */
export async function cancelOpenOrders({ broker, sent }: MeasureContext): Promise<void> {
  await Promise.allSettled([...sent].map((signed) => broker.cancel(refOf(signed))));
}

/** Cancels the order and waits until the venue reports its final status. */
async function end(
  { broker, now, hold, sent }: MeasureContext,
  signed: Signed,
  venueOrderId: string | null,
): Promise<void> {
  const ref = refOf(signed, venueOrderId);
  const untilMs = now().getTime() + SEEN_WITHIN_MS;
  await broker.cancel(ref);
  while (now().getTime() < untilMs) {
    const found = await broker.find(ref);
    if (found.kind === 'found' && found.order.status !== 'open') {
      sent.delete(signed);
      return;
    }
    await hold(POLL_MS);
  }
}

const venueIdOf = (placed: PlaceResult): string | null =>
  placed.kind === 'taken' ? placed.order.venueOrderId : null;

/** Signs several orders at once, sends each after its delay, and cancels those that arrived. */
export async function measureRequestExpiry(
  { venue }: CheckTarget,
  measuring: MeasureContext,
): Promise<Finding> {
  const terms = REQUEST_EXPIRY[venue];
  if (terms === undefined) return { result: 'left out', note: 'no demo of this venue' };
  const { holdsMs, boundMs } = terms;
  const signed = holdsMs.map((holdMs) => ({ holdMs, ...sign(measuring, 'rests') }));
  const notes: string[] = [];
  let isLate = false;
  let waitedMs = 0;
  for (const { holdMs, ...order } of signed) {
    await measuring.hold(holdMs - waitedMs);
    waitedMs = holdMs;
    const placed = await placeOrder(measuring, order);
    notes.push(`${holdMs / 1_000} s: ${wordOf(placed)}`);
    if (placed.kind === 'refused') continue;
    isLate ||= holdMs > boundMs;
    await end(measuring, order, venueIdOf(placed));
  }
  const note = notes.join(', ');
  if (!isLate) return { result: 'measured', note };
  return {
    result: 'not ok',
    note: `${note}: later than the ${boundMs / 1_000} s that this service counts on`,
  };
}

/** Checks whether an id is accepted again after its order was canceled, or filled. */
export async function measureClientOrderIdReuse(
  measuring: MeasureContext,
  how: 'rests' | 'fills',
): Promise<Finding> {
  const first = sign(measuring, how);
  const placed = await placeOrder(measuring, first);
  if (placed.kind !== 'taken') return { result: 'left out', note: `the first order was ${wordOf(placed)}` };
  if (how === 'rests') await end(measuring, first, venueIdOf(placed));
  else if (placed.order.status !== 'filled') {
    return { result: 'left out', note: `the first order was ${placed.order.status}, not filled` };
  }
  const second = sign(measuring, 'rests', first.order.id);
  const again = await placeOrder(measuring, second);
  if (again.kind === 'taken') await end(measuring, second, venueIdOf(again));
  return { result: 'measured', note: `the same id again: ${wordOf(again)}` };
}
