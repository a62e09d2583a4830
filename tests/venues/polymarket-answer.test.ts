import { describe, expect, test } from 'vitest';
import { readCancelAnswer, readPlaceAnswer, retryAfterSec } from '../../venues/polymarket/trading/answer.ts';
import { DAMAGES, damaged } from './support/damage.ts';
import { acceptedOf, type Body, OTHER_ID, refusedWith } from './support/polymarket-bodies.ts';
import { prepared } from './support/polymarket-trading.ts';

const RESTING = prepared();
const TAKING = prepared({ timeInForce: 'ioc' });
const SELLING = prepared({ timeInForce: 'ioc', side: 'sell' });

const placed = (status: number, body: unknown, { request, id } = RESTING) =>
  readPlaceAnswer({ status, body }, request, id);

describe('an order that venue B takes', () => {
  test('rests, and has nothing filled', () => {
    expect(placed(200, acceptedOf(RESTING.id))).toEqual({
      kind: 'taken',
      order: {
        venueOrderId: RESTING.id,
        status: 'open',
        filledAmount: '0',
        fills: [],
        reasonCode: null,
        reason: null,
      },
    });
  });

  test('row 64: and that waits to be matched is open, with nothing filled', () => {
    expect(placed(200, acceptedOf(TAKING.id, { status: 'delayed' }), TAKING)).toMatchObject({
      kind: 'taken',
      order: { status: 'open', filledAmount: '0' },
    });
  });

  test.each([
    ['a buy that got all', TAKING, '6', '10', 'filled', '10'],
    ['row 61: a buy that got more than it asked for', TAKING, '6', '12', 'filled', '12'],
    ['a buy that got a part, the rest of which is given up', TAKING, '2.4', '4', 'canceled', '4'],
    ['a buy that got a part and rests with the rest', RESTING, '2.4', '4', 'open', '4'],
    ['a sell that sold all', SELLING, '10', '6.2', 'filled', '10'],
    ['row 62: a sell that sold all but dust', SELLING, '9.995', '6.2', 'filled', '9.995'],
    ['a sell that sold a part', SELLING, '3', '1.8', 'canceled', '3'],
  ] as const)('matched: %s', (_, order, makingAmount, takingAmount, status, filledAmount) => {
    const answer = placed(
      200,
      acceptedOf(order.id, { status: 'matched', makingAmount, takingAmount }),
      order,
    );
    expect(answer).toMatchObject({ kind: 'taken', order: { status, filledAmount } });
  });

  test.each([
    ['', ''],
    ['6000000', '10000000'],
  ])(
    'and matched by amounts that tell nothing (%s) is open until its trades tell',
    (makingAmount, takingAmount) => {
      const answer = placed(
        200,
        acceptedOf(TAKING.id, { status: 'matched', makingAmount, takingAmount }),
        TAKING,
      );
      expect(answer).toMatchObject({ kind: 'taken', order: { status: 'open', filledAmount: null } });
    },
  );

  test('is known by its id in either case of letters', () => {
    expect(placed(200, acceptedOf(RESTING.id.toUpperCase().replace('0X', '0x')))).toMatchObject({
      kind: 'taken',
    });
  });
});

describe('an order that venue B refuses', () => {
  test.each([
    ['not enough balance / allowance: the balance is not enough', 'insufficient_balance'],
    [
      'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
      'no_match',
    ],
    ["order couldn't be fully filled. FOK orders are fully filled or killed.", 'no_match'],
    ['invalid post-only order: order crosses book', 'post_only_cross'],
    ['the market is not yet ready to process new orders', 'market_not_ready'],
    ['invalid expiration', 'invalid_expiration'],
    ['order 0xab is invalid. Price (0.605) breaks minimum tick size rule: 0.01', 'tick_changed'],
    ['order 0xab is invalid. Size (4) lower than the minimum: 5', 'min_size'],
  ])('row 63: is rejected, with or without success: %s', (text, code) => {
    expect(placed(400, { error: text })).toMatchObject({ kind: 'refused', code });
    for (const success of [true, false])
      expect(placed(200, refusedWith(text, { success }))).toMatchObject({ kind: 'refused', code });
  });

  test.each([
    [400, { error: 'something new' }, 'bad_request'],
    [400, undefined, 'bad_request'],
    [401, { error: 'Unauthorized/Invalid api key' }, 'unauthorized'],
    [403, undefined, 'forbidden'],
    [425, { error: 'service not ready' }, 'venue_restarting'],
    [503, { error: 'post-only mode', code: 'post_only_mode', retry_after_seconds: 90 }, 'post_only_mode'],
    [
      503,
      { error: 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.' },
      'cancel_only',
    ],
    [503, { error: 'Trading is currently disabled. Check polymarket.com for updates' }, 'trading_disabled'],
  ])('rows 58 and 59: by status %s of %j for certain', (status, body, code) => {
    expect(placed(status, body)).toMatchObject({ kind: 'refused', code });
  });

  test('says how long the venue will not take orders, where it says so', () => {
    expect(retryAfterSec({ retry_after_seconds: 90 })).toBe(90);
    for (const body of [{}, undefined, { retry_after_seconds: -1 }, { retry_after_seconds: 1e9 }])
      expect(retryAfterSec(body)).toBeNull();
  });

  test('repeats no text of the venue', () => {
    const refused = placed(400, { error: 'invalid nonce <script>' });
    expect(JSON.stringify(refused)).not.toContain('script');
  });
});

test.each([
  [400, { error: `order ${OTHER_ID} is invalid. Duplicated.` }],
  [200, refusedWith(`order ${OTHER_ID} is invalid. Duplicated.`)],
])('row 13: an order that venue B has already is found, not placed again (%s)', (status, body) => {
  expect(placed(status, body)).toEqual({ kind: 'exists' });
});

describe('an answer of venue B that proves nothing', () => {
  test.each([
    ['rows 10 and 11: an outage', 500, { error: 'Internal server error' }],
    ['a gateway', 502, undefined],
    ['an outage that says it is one', 503, { error: 'upstream connect error' }],
    ['row 37: too many requests', 429, { error: 'Too Many Requests' }],
    ['a redirect', 302, undefined],
    ['row 8: half of an answer', 200, undefined],
    ['an order that may be there all the same', 400, { error: 'could not insert order' }],
    ['an order whose fate is open', 500, { error: 'order timed out' }],
    ['an unknown refusal', 200, refusedWith('the moon is in the seventh house')],
    ['another order', 200, acceptedOf(OTHER_ID)],
    ['no id and no error', 200, acceptedOf('')],
    ['an id and an error', 200, acceptedOf(RESTING.id, { errorMsg: 'not enough balance / allowance' })],
    ['no success and no error', 200, acceptedOf(RESTING.id, { success: false })],
    ['an unknown status', 200, acceptedOf(RESTING.id, { status: 'unmatched' })],
  ])('throws: %s', (_, status, body) => {
    expect(() => placed(status, body)).toThrow(expect.objectContaining({ name: 'VenueError' }));
  });

  /** The valid meanings of a damaged answer: the same, an unknown filled amount, or nothing at all. */
  test.each([
    ['of an order that rests', acceptedOf(RESTING.id), RESTING],
    [
      'of one that was matched',
      acceptedOf(TAKING.id, { status: 'matched', makingAmount: '6', takingAmount: '10' }),
      TAKING,
    ],
    ['of one that is refused', refusedWith('not enough balance / allowance'), RESTING],
  ])('with one field damaged never moves an order wrongly: %s', (_, body, order) => {
    const result = placed(200, body, order);
    for (const field of Object.keys(body)) {
      for (const [damage, value] of DAMAGES) {
        let now: unknown;
        try {
          now = placed(200, damaged(body as Body, [field], value), order);
        } catch {
          continue;
        }
        const carefully = { kind: 'taken', order: { status: 'open', filledAmount: null } };
        const isSame = JSON.stringify(now) === JSON.stringify(result);
        if (!isSame) expect(now, `${field} ${damage}`).toMatchObject(carefully);
      }
    }
  });
});

describe('a cancel at venue B', () => {
  const canceled = (body: unknown, status = 200) => readCancelAnswer({ status, body }, RESTING.id);

  test('is confirmed by the id of the order', () => {
    expect(canceled({ canceled: [RESTING.id], not_canceled: {} })).toEqual({
      kind: 'asked',
      isConfirmed: true,
    });
  });

  test.each(['already canceled or matched', 'order not found'])(
    'row 32: that finds nothing (%s) proves nothing: find decides',
    (reason) => {
      expect(canceled({ canceled: [], not_canceled: { [RESTING.id]: reason } })).toEqual({
        kind: 'gone',
        isConfirmed: false,
      });
    },
  );

  test('row 31: of an order that waits to be matched leaves the wish', () => {
    const reason = 'the order is delayed and cannot be canceled';
    expect(canceled({ canceled: [], not_canceled: { [RESTING.id]: reason } })).toEqual({
      kind: 'asked',
      isConfirmed: false,
    });
  });

  test.each([
    ['row 30: is about another order', 200, { canceled: [OTHER_ID], not_canceled: {} }],
    ['row 35: is lost', 502, undefined],
    ['is cut', 200, undefined],
    ['is of another shape', 200, { canceled: RESTING.id }],
    ['is refused', 401, { error: 'Unauthorized/Invalid api key' }],
  ])('whose answer %s throws', (_, status, body) => {
    expect(() => canceled(body, status)).toThrow(expect.objectContaining({ name: 'VenueError' }));
  });
});
