/** Reads of venue A's adapter, against the simulated venue. Numbers in names are rows of the table of faults. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { stateOf } from '../../simulator/trading/orders.ts';
import {
  found,
  impatient,
  loses,
  MARS,
  type Member,
  member,
  resting,
  taken,
} from './support/kalshi-trading.ts';

const pages = async (venue: Member) => (await venue.broker.fillsSince(null)).fills.length;

describe('what the venue knows', () => {
  test('row 42: has a time, and while that stands still no absence is proof', async () => {
    await using venue = await impatient();
    const ref = await loses(venue, { isProcessed: false, answer: 'cut' });
    venue.simulator.clock.advance(300);
    venue.exchange.readLagMs = 300_000;
    const answer = await venue.broker.find(ref);
    expect(answer.kind === 'absent' && answer.asOf <= (ref.prepared?.arrivesBy ?? new Date(0))).toBe(true);
  });

  test('row 109: of an old order is no evidence if the order is not listed', async () => {
    await using venue = await impatient();
    const ref = await loses(venue, { isProcessed: false, answer: 'cut' });
    venue.simulator.clock.advance(100 * 86_400);
    expect(await venue.broker.find(ref)).toEqual({ kind: 'unsure' });
  });

  test.each([
    ['row 38: 429', 'too-many'],
    ['a gateway 502', 'html'],
    ['row 91: an empty body', { status: 200, body: {} }],
    ['half a body', 'half'],
  ] as const)('cannot be heard through %s: that is no answer, never an empty one', async (_, answer) => {
    await using venue = await member();
    const { ref } = await resting(venue);
    const questions = [
      () => venue.broker.find({ ...ref, venueOrderId: null }),
      () => venue.broker.find(ref),
      () => venue.broker.listOpen(),
      () => venue.broker.positions(),
      () => venue.broker.balances(),
      () => pages(venue),
    ];
    // After a 429 no request is sent for a second.
    for (const question of answer === 'too-many' ? questions.slice(0, 1) : questions) {
      venue.simulatedVenue.faults.add({ method: 'GET', answer });
      await expect(question()).rejects.toThrow('venue A');
    }
  });

  test('row 21: comes in pages; a fill on two of them is reported twice, with one id', async () => {
    await using venue = await member();
    const { ref, there } = await resting(venue);
    for (const amount of [1, 2, 3]) venue.exchange.fillResting(there, new Decimal(amount));
    const path = 'trade-api/v2/portfolio/fills';
    const whole = found(await venue.broker.find(ref));
    const records = await venue.read('/portfolio/fills');
    const [first, second, third] = records['fills'] as unknown[];
    const page = (fills: unknown[], cursor: string) => ({ status: 200, body: { fills, cursor } });
    venue.simulatedVenue.faults.add({ path, answer: page([first, second], 'a') });
    venue.simulatedVenue.faults.add({ path, nth: 2, answer: page([second], 'b') });
    venue.simulatedVenue.faults.add({ path, nth: 3, answer: page([second, third], '') });
    const paged = found(await venue.broker.find(ref));
    expect(new Set(paged.fills.map(({ tradeId }) => tradeId))).toEqual(
      new Set(whole.fills.map(({ tradeId }) => tradeId)),
    );
    for (const fill of paged.fills) expect(whole.fills).toContainEqual(fill);
  });

  test('row 72: has the cost of each of seven small fills, and their sum is below the reserved amount', async () => {
    await using venue = await member();
    const { ref, there } = await resting(venue, {
      limitPrice: '0.07',
      amount: '7',
      tokenId: 'KXBTC15M-26NOV220715-15:yes',
    });
    const rest = new Decimal(7).minus(stateOf(there).filled);
    for (let left = rest; left.greaterThan(0); left = left.minus(1))
      venue.exchange.fillResting(there, Decimal.min(1, left));
    const { fills } = found(await venue.broker.find(ref));
    const feeTotal = Decimal.sum(...fills.map(({ fee }) => fee));
    expect(feeTotal.toFixed()).toBe(Decimal.sum(...there.fills.map(({ fee }) => fee)).toFixed());
    const worst = new Decimal('0.07').times(7).times('0.07').times('0.93');
    expect(feeTotal.lessThanOrEqualTo(worst.plus(new Decimal('0.01').times(fills.length)))).toBe(true);
  });

  test('row 73: of a foreign purchase of the other side is a smaller position, and a dollar for each pair', async () => {
    await using venue = await member();
    const bought = await venue.place({ limitPrice: '0.99', amount: '3', timeInForce: 'ioc' });
    taken(await bought.answer);
    const before = venue.account.holds('USD/0');
    venue.exchange.place({
      account: venue.account,
      clientOrderId: 'by-hand',
      instrument: MARS,
      side: 'sell',
      price: new Decimal('0.01'),
      amount: new Decimal(2),
      timeInForce: 'IOC',
    });
    expect(await venue.broker.positions()).toEqual([{ tokenId: `${MARS}:yes`, amount: '1' }]);
    const [, ...sold] = venue.exchange.fills;
    const paid = sold.reduce(
      (sum, { price, amount, fee }) => sum.plus(price.times(amount)).minus(fee),
      new Decimal(0),
    );
    const [usd] = await venue.broker.balances();
    expect(usd?.total).toBe(before.plus(paid).toFixed());
  });

  test('an order that fills whole or not at all is refused where the offers do not suffice', async () => {
    await using venue = await member();
    const killed = await venue.place({ limitPrice: '0.99', amount: '500', timeInForce: 'fok' });
    expect(await killed.answer).toMatchObject({
      kind: 'refused',
      code: 'fill_or_kill_insufficient_resting_volume',
    });
    taken(await (await venue.place({ limitPrice: '0.99', amount: '3', timeInForce: 'fok' })).answer);
    expect(await venue.broker.positions()).toMatchObject([{ amount: '3' }]);
  });

  test('an order that would take an offer, and must not, is refused', async () => {
    await using venue = await member();
    const crossing = await venue.place({ limitPrice: '0.99', amount: '3', timeInForce: 'gtx' });
    expect(await crossing.answer).toMatchObject({ kind: 'refused', code: 'post_only_cross' });
    expect(await venue.broker.positions()).toEqual([]);
  });

  test('row 88: shows another client’s order, as one without our id', async () => {
    await using venue = await member();
    const byHand = { account: venue.account, clientOrderId: '', instrument: MARS, side: 'buy' } as const;
    venue.exchange.place({
      ...byHand,
      price: new Decimal('0.01'),
      amount: new Decimal(2),
      timeInForce: 'GTC',
    });
    expect(await venue.broker.listOpen()).toMatchObject([
      { clientOrderId: null, tokenId: `${MARS}:yes`, amount: '2' },
    ]);
  });

  test('of a no side is reported in its own prices', async () => {
    await using venue = await member();
    const { ref, answer } = await venue.place({ tokenId: `${MARS}:no`, limitPrice: '0.99', amount: '2' });
    taken(await answer);
    const { fills } = found(await venue.broker.find(ref));
    const there = venue.exchange.fills[0];
    expect(fills[0]?.price).toBe(new Decimal(1).minus(there?.price ?? 0).toFixed());
    expect(await venue.broker.positions()).toEqual([{ tokenId: `${MARS}:no`, amount: '2' }]);
  });

  test('of fills continues where it stopped, with some of them repeated', async () => {
    await using venue = await member();
    const { there } = await resting(venue);
    venue.exchange.fillResting(there, new Decimal(1));
    const first = await venue.broker.fillsSince(null);
    expect(first.fills).toHaveLength(1);
    venue.simulator.clock.advance(600);
    expect((await venue.broker.fillsSince(first.cursor)).fills).toHaveLength(1);
    expect((await venue.broker.fillsSince(String(Number(first.cursor) + 300_000))).fills).toEqual([]);
  });

  test('of fills does not wait for a time in the future', async () => {
    await using venue = await member();
    const fill = {
      fill_id: 'f',
      trade_id: 'f',
      order_id: 'o',
      ticker: MARS,
      book_side: 'bid',
      yes_price_dollars: '0.0100',
      no_price_dollars: '0.9900',
      count_fp: '1.00',
      is_taker: false,
      fee_cost: '0.000000',
      created_time: '2090-01-01T00:00:00Z',
    };
    venue.simulatedVenue.faults.add({
      path: 'trade-api/v2/portfolio/fills',
      answer: { status: 200, body: { fills: [fill], cursor: '' } },
    });
    const { fills, cursor } = await venue.broker.fillsSince(null);
    expect(fills).toHaveLength(1);
    expect(Number(cursor)).toBe(venue.simulator.clock.now());
  });
});
