/** Venue A's answers, word for word: the parts without recordings. */
import { describe, expect, test } from 'vitest';
import type { AccountFill, BrokerOrder, TradedInstrument } from '../../venues/broker.ts';
import {
  accountFillOf,
  balancesOf,
  canceledOf,
  codeOf,
  hasPossibleMatch,
  inTermsOf,
  openOf,
  orderOf,
  parseBody,
  parseFrame,
  placedOf,
  recordWithId,
} from '../../venues/kalshi/trading/answer.ts';
import * as requests from '../../venues/kalshi/trading/request.ts';
import * as wire from '../../venues/kalshi/trading/wire.ts';
import {
  AT,
  type Body,
  FILL,
  ID,
  RECORDED,
  REQUEST,
  TICKER,
  VENUE_ID,
  WANTED,
} from './support/kalshi-records.ts';

const failure = (code: string) => ({ error: { code, message: 'x' } });

describe('an answer to a read', () => {
  const status = (answer: { status: number; body: unknown }) => parseBody(answer, wire.AsOfTime, 'the time');

  test('is good with 200 and 201 only; else the error names the read, with a code if it is a word', () => {
    const at = { as_of_time: new Date(String(RECORDED.asOf['as_of_time'])) };
    for (const good of [200, 201]) expect(status({ status: good, body: RECORDED.asOf })).toEqual(at);
    const failing = (body: unknown) => () => status({ status: 503, body });
    expect(failing(RECORDED.asOf)).toThrow(/did not return the time: status 503$/);
    expect(failing(failure('exchange_is_paused'))).toThrow(/status 503 \(exchange_is_paused\)$/);
    expect(failing({ error: 'too many requests' })).toThrow(/status 503$/);
    expect(failing(failure('Two words'))).toThrow(/status 503$/);
    expect(() => status({ status: 200, body: {} })).toThrow('venue A sent the time of unexpected shape');
  });

  test('has a code only where it is a word', () => {
    expect(codeOf(failure('ORDER_GONE'))).toBe('order_gone');
    for (const none of ['7x', 'two words', '', 'x'.repeat(61), 'a-b'])
      expect(codeOf(failure(none)), none).toBe('');
    expect(codeOf({ msg: 'x' })).toBe('');
    expect(codeOf('text')).toBeNull();
  });
});

describe('an answer to a create', () => {
  const placed = (status: number, body: unknown) => placedOf({ status, body }, REQUEST);

  test('may come with 200, and without or with an empty client order id', () => {
    const { client_order_id: _, ...nameless } = RECORDED.created.resting;
    const taken = { kind: 'taken', order: { venueOrderId: VENUE_ID, status: 'open' } };
    for (const body of [RECORDED.created.resting, nameless, { ...nameless, client_order_id: '' }])
      expect(placed(200, body)).toMatchObject(taken);
    expect(() => placed(201, { ...nameless, client_order_id: 'other' })).toThrow('venue A');
    expect(() => placed(201, {})).toThrow('venue A sent an order of unexpected shape');
    const more = { ...RECORDED.created.filled, fill_count: '2.01' };
    expect(() => placed(201, more)).toThrow('venue A sent an order of unexpected shape');
  });

  test('is a repeat, or killed, or late by one status each', () => {
    expect(placed(409, failure('order_already_exists'))).toEqual({ kind: 'exists' });
    expect(placed(400, failure('order_already_exists'))).toMatchObject({ kind: 'refused' });
    expect(placed(401, failure('header_timestamp_expired'))).toEqual({
      kind: 'refused',
      code: 'arrived_late',
      reason: 'The request arrived outside the time window of its signature.',
    });
    expect(placed(400, failure('header_timestamp_expired'))).toMatchObject({
      code: 'header_timestamp_expired',
    });
    const killed = 'fill_or_kill_insufficient_resting_volume';
    expect(placed(409, failure(killed))).toMatchObject({ kind: 'refused', code: killed });
    expect(() => placed(500, failure(killed))).toThrow('neither confirmed nor refused the order');
  });

  test('refuses with a reason, even if the venue states only a code', () => {
    const [kind, reason] = ['refused', 'Venue A refuses the order.'];
    expect(placed(400, failure('something_new'))).toEqual({ kind, code: 'something_new', reason });
    expect(placed(400, { msg: 'no' })).toEqual({ kind, code: 'refused', reason });
    expect(placed(400, failure('market_closed'))).toMatchObject({ reason: 'The market is closed.' });
  });
});

describe('an answer to a cancel', () => {
  const canceled = (status: number, body: unknown) => canceledOf({ status, body }, VENUE_ID);

  test('is about that order, or refused', () => {
    expect(canceled(200, RECORDED.canceled)).toEqual({ kind: 'asked' });
    expect(() => canceled(200, { ...RECORDED.canceled, order_id: 'other' })).toThrow(/a cancel/);
    expect(() => canceled(200, {})).toThrow('venue A sent a cancel of unexpected shape');
  });

  test('finds nothing to cancel where the order is unknown, or its market over', () => {
    expect(canceled(404, failure('not_found'))).toEqual({ kind: 'gone' });
    expect(canceled(400, failure('market_inactive'))).toEqual({ kind: 'gone' });
    expect(() => canceled(404, '<html>')).toThrow('did not confirm the cancel');
    expect(() => canceled(400, failure('invalid_order'))).toThrow(/status 400 \(invalid_order\)/);
    expect(() => canceled(503, failure('market_inactive'))).toThrow('did not confirm the cancel');
  });
});

describe('a record of an order', () => {
  const resting = (changes: Body = {}): Body => ({ ...RECORDED.orders.resting, ...changes });
  const order = (changes: Body, wanted = WANTED) =>
    orderOf({ ...RECORDED.orders.executed, ...changes }, [], wanted);

  test('is parsed without its request, if none was stored', () => {
    const unkept = { ...WANTED, prepared: null };
    expect(orderOf(RECORDED.orders.resting, [FILL], unkept)).toMatchObject({ status: 'open', fills: [{}] });
    expect(orderOf({ ...RECORDED.orders.executed, initial_count_fp: '5.00' }, [], unkept)).toMatchObject({
      status: 'canceled',
      filledAmount: '2',
    });
    expect(() => orderOf({}, [], WANTED)).toThrow('venue A sent an order of unexpected shape');
  });

  test('of more than the whole, or that contradicts itself, is refused', () => {
    const shape = 'venue A sent an order of unexpected shape';
    expect(() => order({ fill_count_fp: '2.01' })).toThrow(shape);
    expect(() => order({ fill_count_fp: '1.00', remaining_count_fp: '1.50', status: 'resting' })).toThrow(
      shape,
    );
    expect(() => order({ fill_count_fp: '1.00', remaining_count_fp: '1.00' })).toThrow(shape);
    expect(() => order({ status: 'resting' })).toThrow(shape);
  });

  test('has expired where it ended at its time or later', () => {
    const ended = { fill_count_fp: '1.00', status: 'canceled', last_update_reason: 'CanceledByUser' };
    const at = '2026-06-11T06:29:24Z';
    const due = (expiration_time: unknown, last_update_time: unknown) =>
      order({ ...ended, expiration_time, last_update_time });
    expect(due(at, at)).toMatchObject({ status: 'expired', reasonCode: null });
    expect(due(at, '2026-06-11T06:29:23Z')).toMatchObject({
      status: 'canceled',
      reasonCode: 'canceled_by_user',
    });
    expect(due(at, null)).toMatchObject({ status: 'canceled' });
    expect(due(null, at)).toMatchObject({ status: 'canceled' });
    expect(order({ ...ended, last_update_reason: null })).toMatchObject({
      status: 'canceled',
      reasonCode: 'at_venue',
      reason: 'The order was canceled at the venue.',
    });
    expect(order({ last_update_reason: 'Filled' })).toMatchObject({ status: 'filled', reasonCode: null });
  });

  test('is found by its id', () => {
    const named = (order_id: string) => ({ order_id, client_order_id: ID });
    expect(recordWithId([named('a'), named('a')], ID)).toEqual(named('a'));
    expect(() => recordWithId([named('a'), named('b')], ID)).toThrow('two orders of one id');
  });

  test('without an id of ours may be the wanted one, unless its terms differ', () => {
    const garbled = (changes: Body = {}) => [
      wire.NamedOrder.parse(resting({ client_order_id: 'x', ...changes })),
    ];
    expect(hasPossibleMatch(garbled(), WANTED)).toBe(true);
    for (const other of [{ ticker: 'OTHER' }, { book_side: 'ask' }, { initial_count_fp: '3.00' }])
      expect(hasPossibleMatch(garbled(other), WANTED), JSON.stringify(other)).toBe(false);
    const priced = garbled({ yes_price_dollars: '0.5300', no_price_dollars: '0.4700' });
    expect(hasPossibleMatch(priced, WANTED)).toBe(false);
    const ours = wire.NamedOrder.parse(resting());
    expect(hasPossibleMatch([ours, ...garbled()], WANTED)).toBe(true);
    expect(hasPossibleMatch([ours], WANTED)).toBe(false);
    expect(hasPossibleMatch(garbled({ ticker: 'OTHER' }), { ...WANTED, prepared: null })).toBe(true);
    expect(hasPossibleMatch(garbled({ status: 'odd', ticker: 'OTHER' }), WANTED)).toBe(true);
  });

  test('that rests is listed as of yes, with its given id', () => {
    const open = (changes: Body = {}) => openOf(wire.WireOrder.parse(resting(changes)));
    expect(open()).toEqual({
      venueOrderId: VENUE_ID,
      clientOrderId: ID,
      tokenId: `${TICKER}:yes`,
      side: 'buy',
      amount: '2',
      limitPrice: '0.52',
      filledAmount: '0',
      placedAt: new Date('2026-06-11T06:29:20.866Z'),
    });
    expect(open({ client_order_id: '', book_side: 'ask' })).toMatchObject({
      clientOrderId: null,
      side: 'sell',
    });
  });
});

describe('money and fills', () => {
  test('a fill is listed as of yes, with its fee in dollars', () => {
    const reported = accountFillOf(FILL);
    expect(reported).toEqual({
      tradeId: FILL.fill_id,
      amount: '2',
      price: '0.52',
      fee: '0.035',
      feeAsset: 'USD',
      feeAmount: '0.035',
      liquidity: 'taker',
      state: 'final',
      at: FILL.created_time,
      tokenId: `${TICKER}:yes`,
      side: 'buy',
      venueOrderId: VENUE_ID,
      clientOrderId: null,
    });
    expect(accountFillOf({ ...FILL, is_taker: false }).liquidity).toBe('maker');
    expect(accountFillOf({ ...FILL, book_side: 'ask' }).side).toBe('sell');
  });

  test('a fill of another market is not one of the order', () => {
    const reported: AccountFill = accountFillOf({ ...FILL, ticker: 'OTHER' });
    expect(() => inTermsOf({ tokenId: `${TICKER}:yes`, side: 'buy' }, reported)).toThrow('a fill');
  });

  test('resting orders reserve dollars on their shard, by the position of their own market', () => {
    const order = wire.WireOrder.parse(RECORDED.orders.resting);
    const balance = wire.Balance.parse({ balance_breakdown: [{ balance: '10.0000', exchange_index: 3 }] });
    const position = (ticker: string) => ({ ticker, position_fp: '-2.00', exchange_index: 3 });
    const free = (positions: wire.WirePosition[]) =>
      balancesOf(balance, [{ ...order, exchange_index: 3 }], positions);
    expect(free([])).toEqual([{ currency: 'USD', total: '10', available: '8.96', shard: '3' }]);
    expect(free([position('OTHER')])[0]?.available).toBe('8.96');
    expect(free([position('OTHER'), position(TICKER)])[0]?.available).toBe('10');
  });

  test('pages end without a cursor, or with an empty one', () => {
    const cursor = (value: unknown) => wire.NamedOrders.parse({ orders: [], cursor: value }).cursor;
    expect([cursor('next'), cursor(''), cursor(null), cursor(undefined)]).toEqual(['next', null, null, null]);
  });

  test('a price is at most 1, and a time is one', () => {
    const fill = (changes: Body) => wire.WireFill.safeParse({ ...RECORDED.fill, ...changes });
    expect(fill({ yes_price_dollars: '1.0000', no_price_dollars: '0' }).success).toBe(true);
    expect(fill({ yes_price_dollars: '1.1000', no_price_dollars: '0' }).success).toBe(false);
    expect(wire.FillMessage.shape.yes_price_dollars.safeParse('1.1').success).toBe(false);
    expect(fill({ created_time: 'yesterday' }).error?.issues).toMatchObject([
      { code: 'custom', message: 'not a timestamp' },
    ]);
  });

  test('a failure has one of the known shapes, and no code if the venue states none', () => {
    const failures = [{ error: { code: 'x' } }, { code: 'y', message: '' }, { error: 'z' }, { msg: 'z' }];
    expect(failures.map((one) => wire.Failure.parse(one))).toEqual(['x', 'y', '', '']);
    expect(wire.Failure.safeParse({ code: 'y' }).success).toBe(false);
  });
});

describe('a frame of the stream', () => {
  const event = (frame: unknown) => parseFrame(JSON.stringify(frame));
  const { order, fill } = RECORDED.frames;

  test('that cannot be parsed names its subject', () => {
    const unreadable = (about: string) => ({ kind: 'unreadable', about });
    expect(parseFrame('{')).toEqual(unreadable('a frame'));
    expect(event({ msg: {} })).toEqual(unreadable('a frame'));
    expect(event({ type: 'news', msg: {} })).toEqual(unreadable('a frame of an unknown type'));
    expect(event({ ...order, msg: {} })).toEqual(unreadable('an order'));
    expect(event({ ...order, msg: { ...order.msg, fill_count_fp: '9.00' } })).toEqual(unreadable('an order'));
    expect(event({ ...fill, msg: {} })).toEqual(unreadable('a fill'));
    expect(event({ type: 'unsubscribed', msg: {} })).toBeNull();
  });

  test('reports an order without its fills, and no id if it has none', () => {
    expect(event({ ...order, msg: { ...order.msg, client_order_id: '' } })).toEqual({
      kind: 'order',
      clientOrderId: null,
      tokenId: `${TICKER}:yes`,
      order: {
        venueOrderId: VENUE_ID,
        status: 'canceled',
        filledAmount: '1',
        fills: [],
        reasonCode: 'post_only_cross_cancel',
        reason: 'The order was canceled at the venue.',
      },
    });
    const { client_order_id: _, ...nameless } = order.msg;
    expect(event({ ...order, msg: nameless })).toMatchObject({ clientOrderId: null });
    const reported = event({ ...fill, msg: { ...fill.msg, client_order_id: '' } });
    expect(reported).toMatchObject({
      fill: { clientOrderId: null, at: new Date(1_781_159_370_164), liquidity: 'taker' },
    });
  });
});

describe('a request', () => {
  test('names the market and the side of a token', () => {
    expect(['A:yes', 'A:no', 'A', ''].map(requests.parseTokenId)).toEqual([
      { ticker: 'A', outcome: 'yes' },
      { ticker: 'A', outcome: 'no' },
      { ticker: 'A', outcome: 'yes' },
      { ticker: '', outcome: 'yes' },
    ]);
  });

  test('of an order or its end is a path', () => {
    expect(requests.orderOf('a/b')).toEqual({ method: 'GET', path: '/portfolio/orders/a%2Fb' });
    expect(requests.cancelOf('a/b', 'T').path).toMatch(/\/a%2Fb\?market_ticker=T$/);
  });

  const order = (changes: Partial<BrokerOrder> = {}, market: Partial<TradedInstrument> = {}) =>
    requests.prepare({ ...ORDER, ...changes }, { ...MARKET, ...market }, AT, null);

  test('leaves as what rests or takes', () => {
    const request = (timeInForce: BrokerOrder['timeInForce']) => order({ timeInForce });
    expect(request('gtc')).toMatchObject({
      kind: 'prepared',
      prepared: { request: { time_in_force: 'good_till_canceled' } },
    });
    expect(request('ioc')).toMatchObject({ prepared: { request: { time_in_force: 'immediate_or_cancel' } } });
    expect(request('fok')).toMatchObject({ prepared: { request: { time_in_force: 'fill_or_kill' } } });
    expect(request('gtx')).toMatchObject({
      prepared: { request: { time_in_force: 'good_till_canceled', post_only: true } },
    });
    expect(request('gtc')).not.toHaveProperty('prepared.request.post_only');
    expect(order({ id: 'x'.repeat(64) })).toMatchObject({ kind: 'prepared' });
  });

  test('that the venue would not accept is refused with a reason', () => {
    const reason = (...given: Parameters<typeof order>) => {
      const preparation = order(...given);
      return preparation.kind === 'refused' ? preparation.reason : preparation;
    };
    expect(reason({}, { tokenId: 'OTHER:yes' })).toBe(`the order is for ${TICKER}:yes, not for OTHER:yes`);
    expect(reason({ id: 'x'.repeat(65) })).toBe('a client order id has at most 64 characters');
    expect(reason({}, { status: 'paused' })).toBe('the market is paused, not open');
    expect(reason({ amount: '1.5' })).toBe('1.5 is no multiple of 1 from 1 on');
    expect(reason({ limitPrice: '0.505' })).toBe('0.505 is no price between 0 and 1 in steps of 0.01');
  });
});

const ORDER: BrokerOrder = {
  accountId: 'a',
  mode: 'live',
  id: ID,
  tokenId: `${TICKER}:yes`,
  venue: 'venue-a',
  side: 'buy',
  timeInForce: 'gtc',
  amount: '2',
  limitPrice: '0.52',
  validUntil: AT,
  goodTill: null,
};
const MARKET: TradedInstrument = {
  tokenId: `${TICKER}:yes`,
  venue: 'venue-a',
  kind: 'outcome',
  market: TICKER,
  outcome: 'yes',
  tickSize: '0.01',
  priceRanges: [],
  stepSize: '1',
  minSize: '1',
  minNotional: null,
  feeSchedule: null,
  status: 'open',
};
