import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BreakerFacts,
  breakerFindingOf,
  worstFinding,
} from '../../../../engine/trading/connections/breakers.ts';
import { afterFinding, type Finding } from '../../../../engine/trading/connections/states.ts';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const MINUTE_MS = 60_000;

const SOUND: BreakerFacts = {
  lastSeenAt: NOW,
  unansweredSince: null,
  isUnreadable: false,
  clockOffsetMs: 12,
  limitedCalls: 0,
  keyRefusals: 0,
  contestedBeats: 0,
  refusals: [],
  openFateSince: null,
  fillsMissingSince: null,
  reconciledAt: NOW,
  isDayLost: false,
  isDrawnDown: false,
  isLedgerWrong: false,
  keyExpiresAt: null,
  cameBack: 0,
  groupLimited: 0,
};
const found = (facts: Partial<BreakerFacts>) => breakerFindingOf({ ...SOUND, ...facts }, NOW);
const refused = (code: string, orders: number) => found({ refusals: [{ code, orders }] });
const said = (finding: Finding) => ('code' in finding ? `${finding.kind} ${finding.code}` : finding.kind);

describe('causes that stop entries of a connection, and pass when they end', () => {
  test.each<[what: string, just: Partial<BreakerFacts>, beyond: Partial<BreakerFacts>, code: string]>([
    [
      'row 81: neither an answer nor a word for 30 s',
      { unansweredSince: ago(30_000), lastSeenAt: ago(30_000) },
      { unansweredSince: ago(30_001), lastSeenAt: ago(30_001) },
      'venue_silent',
    ],
    [
      'row 83: responses that cannot be parsed for 30 s, whatever the stream reports',
      { unansweredSince: ago(30_000), isUnreadable: true, lastSeenAt: NOW },
      { unansweredSince: ago(30_001), isUnreadable: true, lastSeenAt: NOW },
      'venue_unreadable',
    ],
    [
      'row 40: clocks more than 2 s apart',
      { clockOffsetMs: 2_000 },
      { clockOffsetMs: 2_001 },
      'clock_offset',
    ],
    ['row 40: in the other direction', { clockOffsetMs: -2_000 }, { clockOffsetMs: -2_001 }, 'clock_offset'],
    [
      'row 37: three calls in a minute asked for less',
      { limitedCalls: 2 },
      { limitedCalls: 3 },
      'rate_limited',
    ],
    [
      'row 96: another client sends heartbeats with the same key',
      { contestedBeats: 1 },
      { contestedBeats: 2 },
      'heartbeat_contested',
    ],
    [
      'row 37: three orders refused for the rate',
      { refusals: [{ code: 'rate_limited', orders: 2 }] },
      { refusals: [{ code: 'rate_limited', orders: 3 }] },
      'rate_limited',
    ],
    [
      'three definite refusals of one kind in a minute',
      { refusals: [{ code: 'insufficient_balance', orders: 2 }] },
      { refusals: [{ code: 'insufficient_balance', orders: 3 }] },
      'orders_refused',
    ],
    [
      'row 42: the state of an order is still unknown one minute after its latest possible arrival',
      { openFateSince: ago(MINUTE_MS) },
      { openFateSince: ago(MINUTE_MS + 1) },
      'order_fate_open',
    ],
    [
      'row 20: fills that are reported and not listed for a minute',
      { fillsMissingSince: ago(MINUTE_MS) },
      { fillsMissingSince: ago(MINUTE_MS + 1) },
      'fills_missing',
    ],
    ['the loss of the day', {}, { isDayLost: true }, 'daily_loss'],
    ['a ledger that does not agree with itself', {}, { isLedgerWrong: true }, 'ledger_differs'],
    ['a drawdown that has stopped the account', {}, { isDrawnDown: true }, 'drawdown'],
    [
      'books that were not compared for ten minutes',
      { reconciledAt: ago(10 * MINUTE_MS) },
      { reconciledAt: ago(10 * MINUTE_MS + 1) },
      'not_reconciled',
    ],
  ])('%s', (_what, just, beyond, code) => {
    expect(found(just)).toEqual({ kind: 'sound' });
    expect(said(found(beyond))).toBe(`impaired ${code}`);
  });

  test.each([
    [
      'rows 54 and 55: trading pauses at venue A',
      ['trading_is_paused', 'exchange_is_paused'],
      'venue_paused',
    ],
    ['row 58: venue B restarts', ['venue_restarting', 'post_only_mode'], 'venue_paused'],
    ['row 59: venue B takes cancels only, or nothing', ['cancel_only', 'trading_disabled'], 'venue_paused'],
    ['row 51: venue B lets the account only close', ['close_only'], 'close_only'],
  ])('%s: one refusal is enough', (_what, codes, code) => {
    for (const each of codes) expect(said(refused(each, 1))).toBe(`impaired ${code}`);
  });

  test('a venue that responds, or whose stream reports, is not silent', () => {
    expect(found({ unansweredSince: ago(MINUTE_MS), lastSeenAt: ago(1_000) })).toEqual({ kind: 'sound' });
    expect(found({ unansweredSince: null, lastSeenAt: null })).toEqual({ kind: 'sound' });
    expect(said(found({ unansweredSince: ago(MINUTE_MS), lastSeenAt: null }))).toBe('impaired venue_silent');
  });

  test('row 41: a venue that does not state the time, and books never compared, stop nothing on their own', () => {
    expect(found({ clockOffsetMs: null, reconciledAt: null })).toEqual({ kind: 'sound' });
  });

  test.each([
    'no_match',
    'post_only_cross',
    'fill_or_kill_insufficient_resting_volume',
    'never_arrived',
    'lease_lost',
  ])('however many orders end as %s, that tells nothing of the connection', (code) => {
    expect(refused(code, 50)).toEqual({ kind: 'sound' });
  });

  test('refusals of different kinds are not added up', () => {
    const refusals = ['insufficient_balance', 'off_tick', 'too_small'].map((code) => ({ code, orders: 2 }));
    expect(found({ refusals })).toEqual({ kind: 'sound' });
  });

  test('its reason names the subject, in words for the owner', () => {
    const words = (finding: Finding) => ('reason' in finding ? finding.reason : '');
    expect(words(refused('off_tick', 4))).toContain(
      'refused 4 orders within a minute for the same reason: off_tick',
    );
    expect(words(found({ clockOffsetMs: 70_000 }))).toContain('70000 ms');
    expect(words(found({ limitedCalls: 9 }))).toBe(words(refused('rate_limited', 9)));
    for (const facts of [
      { cameBack: 1 },
      { groupLimited: 1 },
      { keyExpiresAt: NOW },
      { isDayLost: true },
      { openFateSince: ago(2 * MINUTE_MS) },
      { fillsMissingSince: ago(2 * MINUTE_MS) },
      { reconciledAt: ago(20 * MINUTE_MS) },
      { unansweredSince: ago(2 * MINUTE_MS), lastSeenAt: null },
      { unansweredSince: ago(2 * MINUTE_MS), isUnreadable: true },
      { limitedCalls: 3 },
      ...['unauthorized', 'banned', 'trading_is_paused', 'close_only'].map((code) => ({
        refusals: [{ code, orders: 1 }],
      })),
    ])
      expect(words(found(facts))).toMatch(/^The [a-zA-Z0-9:,.' -]{20,}\.$/);
  });
});

describe('causes that halt a connection until a person has checked it', () => {
  test.each(['unauthorized', 'forbidden', 'bad_signature', 'invalid_signature'])(
    'row 48: one order refused as %s: the venue does not take the key any more',
    (code) => {
      expect(said(refused(code, 1))).toBe('broken credentials_not_accepted');
    },
  );
  test('row 48: a key that is refused twice within a minute, whatever the request', () => {
    expect(found({ keyRefusals: 1 })).toEqual({ kind: 'sound' });
    expect(said(found({ keyRefusals: 2 }))).toBe('broken credentials_not_accepted');
  });
  test.each(['banned', 'not_permitted', 'restricted_location'])(
    'one order refused as %s: not this account',
    (code) => {
      expect(said(refused(code, 1))).toBe('broken account_not_permitted');
    },
  );
  test('a fill of an order that was recorded as never received', () => {
    expect(said(found({ cameBack: 1 }))).toBe('broken order_came_back');
  });
  test('row 98: the limit of an order group', () => {
    expect(said(found({ groupLimited: 1 }))).toBe('broken order_group_limit');
  });
  test('row 50: a key past its end is expired, to the moment', () => {
    expect(found({ keyExpiresAt: new Date(NOW.getTime() + 1) })).toEqual({ kind: 'sound' });
    expect(found({ keyExpiresAt: NOW })).toMatchObject({ kind: 'expired' });
  });
  test('row 50: a refusal of a key past its end has that end as its cause', () => {
    const refusals = [{ code: 'unauthorized', orders: 1 }];
    expect(found({ keyExpiresAt: NOW, keyRefusals: 5, refusals })).toMatchObject({ kind: 'expired' });
    const later = new Date(NOW.getTime() + 1);
    expect(said(found({ keyExpiresAt: later, keyRefusals: 5 }))).toBe('broken credentials_not_accepted');
    expect(said(found({ keyExpiresAt: NOW, cameBack: 1 }))).toBe('broken order_came_back');
  });
});

const someFacts: fc.Arbitrary<BreakerFacts> = fc.record({
  lastSeenAt: fc.option(fc.nat(120_000).map(ago)),
  unansweredSince: fc.option(fc.nat(120_000).map(ago)),
  isUnreadable: fc.boolean(),
  clockOffsetMs: fc.option(fc.integer({ min: -5_000, max: 5_000 })),
  limitedCalls: fc.nat(5),
  contestedBeats: fc.nat(3),
  keyRefusals: fc.nat(3),
  refusals: fc.uniqueArray(
    fc.record({
      code: fc.constantFrom('unauthorized', 'banned', 'rate_limited', 'cancel_only', 'off_tick', 'no_match'),
      orders: fc.integer({ min: 1, max: 5 }),
    }),
    { selector: ({ code }) => code },
  ),
  openFateSince: fc.option(fc.nat(120_000).map(ago)),
  fillsMissingSince: fc.option(fc.nat(120_000).map(ago)),
  reconciledAt: fc.option(fc.nat(1_200_000).map(ago)),
  isDayLost: fc.boolean(),
  isDrawnDown: fc.boolean(),
  isLedgerWrong: fc.boolean(),
  keyExpiresAt: fc.option(fc.integer({ min: -10_000, max: 10_000 }).map(ago)),
  cameBack: fc.nat(1),
  groupLimited: fc.nat(1),
});
const RANK = ['sound', 'impaired', 'unproven', 'expired', 'broken'];
const RANK_EXPIRED = RANK.indexOf('expired');
const rankOf = ({ kind }: Finding) => RANK.indexOf(kind);

describe('several causes at once', () => {
  test('a further cause never improves the state, and causes for a person go before those that pass', () => {
    fc.assert(
      fc.property(
        someFacts,
        fc.constantFrom(...(Object.keys(SOUND) as (keyof BreakerFacts)[])),
        (facts, name) => {
          const without = breakerFindingOf({ ...facts, [name]: SOUND[name] }, NOW);
          // Only silence depends on two facts at once.
          if (name in ({ lastSeenAt: NOW } satisfies Partial<BreakerFacts>)) return;
          // A key that is refused since its stated end is expired, not broken: a person has to fix both.
          const least = name === 'keyExpiresAt' ? Math.min(rankOf(without), RANK_EXPIRED) : rankOf(without);
          expect(rankOf(breakerFindingOf(facts, NOW))).toBeGreaterThanOrEqual(least);
        },
      ),
    );
  });

  test('each cause alone gives one of the findings of all together, worst first', () => {
    expect(said(found({ isDayLost: true, keyExpiresAt: NOW }))).toBe('expired');
    expect(said(found({ cameBack: 1, keyExpiresAt: NOW, isDayLost: true }))).toBe('broken order_came_back');
    expect(said(found({ isDayLost: true, openFateSince: ago(2 * MINUTE_MS) }))).toBe(
      'impaired order_fate_open',
    );
  });
});

describe('several checks of one connection', () => {
  const impaired: Finding = { kind: 'impaired', code: 'a', reason: 'A.' };
  const later: Finding = { kind: 'impaired', code: 'b', reason: 'B.' };
  const unproven: Finding = { kind: 'unproven', code: 'c', reason: 'C.' };
  const expired: Finding = { kind: 'expired', reason: 'D.' };
  const broken: Finding = { kind: 'broken', code: 'e', reason: 'E.' };
  const sound: Finding = { kind: 'sound' };

  test('the worst of them counts, the earlier one among equals', () => {
    expect(worstFinding([sound, impaired, later])).toBe(impaired);
    expect(worstFinding([impaired, unproven])).toBe(unproven);
    expect(worstFinding([unproven, expired, impaired])).toBe(expired);
    expect(worstFinding([expired, sound, broken])).toBe(broken);
    expect(worstFinding([sound, sound])).toEqual(sound);
  });

  test('a missing check prevents the finding "sound", and hides no problem', () => {
    expect(worstFinding([sound, null])).toBeNull();
    expect(worstFinding([null])).toBeNull();
    expect(worstFinding([null, impaired])).toBe(impaired);
  });

  test('entries resume automatically when the last cause is over, and never out of a halt', () => {
    const at = (state: 'ready' | 'reduce_only' | 'halted', finding: Finding | null) =>
      finding === null ? null : (afterFinding({ state, isHeldByPerson: false }, finding)?.to ?? null);
    expect(at('ready', worstFinding([sound, impaired]))).toBe('reduce_only');
    expect(at('reduce_only', worstFinding([sound, null]))).toBeNull();
    expect(at('reduce_only', worstFinding([sound, sound]))).toBe('ready');
    expect(at('halted', worstFinding([sound, sound]))).toBeNull();
    expect(at('reduce_only', worstFinding([sound, broken]))).toBe('halted');
  });
});
