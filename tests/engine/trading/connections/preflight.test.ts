import { describe, expect, test } from 'vitest';
import { CredentialError } from '../../../../engine/trading/connections/credentials/credential-error.ts';
import {
  type KnownConnection,
  type PreflightFacts,
  preflightChecksOf,
  preflightFindingOf,
} from '../../../../engine/trading/connections/preflight.ts';
import { type Check, parseChecks } from '../../../../engine/trading/connections/preflight-checks.ts';
import type { VenueStatus } from '../../../../venues/broker.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const known = <T>(value: T) => ({ isKnown: true, value }) as const;
const unknown = { isKnown: false, reason: 'The venue did not answer.' } as const;

const STATUS: VenueStatus = {
  clockOffsetMs: 12,
  isTrading: true,
  resumesAt: null,
  permissions: ['read', 'trade'],
  fingerprint: 'account 1',
  keyExpiresAt: null,
};
const status = (terms: Partial<VenueStatus> = {}) => known([{ ...STATUS, ...terms }]);
const usd = (available: string, terms: object = {}) => ({
  currency: 'USD',
  available,
  total: available,
  ...terms,
});
const balances = (first: readonly object[], second = first) => known([first, second] as unknown as [[], []]);

/** A connection without problems. */
const SOUND: PreflightFacts = {
  keyExpiresAt: null,
  statuses: status(),
  isSpoiledRefused: known(true),
  balances: balances([usd('100')]),
  terms: known({ nets: true, takerRate: '0.001' }),
  reservedTakerRate: '0.001',
  openOrders: known([]),
  foreignOrders: 0,
  positions: known([]),
  isStreamUp: true,
  cancelAll: known(null),
  rehearsal: known(null),
  isTaken: false,
  isSecond: false,
};
const NOT_VERIFIED =
  'Whether this account at the venue is connected already cannot be verified now. The check is repeated.';
const UNVERIFIED: KnownConnection = { state: 'unverified', isHeldByPerson: false, fingerprint: null };

const rowsOf = (
  facts: Partial<PreflightFacts> = {},
  standing: Partial<KnownConnection> = {},
): readonly Check[] => preflightChecksOf({ ...SOUND, ...facts }, { ...UNVERIFIED, ...standing }, NOW);
/** State, value and reason of one row; nothing if it is missing. */
const row = (name: string, facts: Partial<PreflightFacts> = {}, standing: Partial<KnownConnection> = {}) =>
  rowsOf(facts, standing)
    .filter((each) => each.name === name)
    .flatMap(({ state, value, reason }) => [state, value, reason]);

describe('the rows of a check', () => {
  test('are all green without problems, in the order in which a person reads them', () => {
    const rows = rowsOf();
    expect(rows.map(({ name }) => name)).toEqual([
      'signed_read',
      'spoiled_signature',
      'clock',
      'permissions',
      'account',
      'key_expiry',
      'trading',
      'balance',
      'netting',
      'fees',
      'open_orders',
      'positions',
      'stream',
      'cancel_all',
      'rehearsal',
    ]);
    expect(rows.map(({ value }) => value)).toEqual([
      'answered',
      'refused',
      '12 ms',
      'read, trade',
      'connected once',
      'never',
      'open',
      '100 USD',
      'on',
      '0.1 % of what is traded',
      '0 open orders',
      '0 positions',
      'connected',
      'works on an empty book',
      'a small order would be taken',
    ]);
    for (const { state, reason, at } of rows)
      expect([state, reason, at]).toEqual(['green', null, NOW.toISOString()]);
  });

  test('end with the first question if the venue does not respond, or does not accept the key', () => {
    const refused = 'The venue does not accept the key in this environment: check both.';
    for (const [statuses, expected] of [
      [unknown, ['signed_read', 'grey', unknown.reason]],
      [{ ...unknown, isKeyRefused: true }, ['signed_read', 'red', refused]],
      [known([]), ['signed_read', 'red', refused]],
      [status({ fingerprint: '' }), ['signed_read', 'red', refused]],
    ] as const)
      expect(rowsOf({ statuses }).map(({ name, state, reason }) => [name, state, reason])).toEqual([
        expected,
      ]);
  });

  test('use the newest of several responses', () => {
    const statuses = known([{ ...STATUS, isTrading: false }, STATUS]);
    expect(row('trading', { statuses })).toEqual(['green', 'open', null]);
  });

  test('distinguish a venue from a server that accepts any signature', () => {
    expect(row('spoiled_signature', { isSpoiledRefused: known(false) })).toEqual([
      'red',
      'accepted',
      'A request signed with another key was accepted: this is not the venue.',
    ]);
    expect(row('spoiled_signature', { isSpoiledRefused: unknown })).toEqual(['grey', null, unknown.reason]);
  });

  test('measure the clock by the nearest response, up to a second either way', () => {
    const clock = (...offsets: (number | null)[]) =>
      row('clock', { statuses: known(offsets.map((clockOffsetMs) => ({ ...STATUS, clockOffsetMs }))) });
    expect(clock(-5_000, 1_000, null, 2_000)).toEqual(['green', '1000 ms', null]);
    expect(clock(-1_000)).toEqual(['green', '-1000 ms', null]);
    const reason = 'The clocks differ by more than 1000 ms: set that of the database server.';
    expect(clock(-1_001, 3_000)).toEqual(['red', '-1001 ms', reason]);
    expect(clock(1_001)).toEqual(['red', '1001 ms', reason]);
    expect(clock(null)).toEqual(['grey', null, 'The venue does not report its time.']);
  });

  test('state whether both sides of a market are paid out against each other, if the venue states it', () => {
    const netting = (terms: PreflightFacts['terms']) => row('netting', { terms });
    expect(netting(null)).toEqual([]);
    expect(netting(known({}))).toEqual([]);
    expect(netting(unknown)).toEqual(['grey', null, unknown.reason]);
    expect(netting(known({ nets: false }))).toEqual([
      'grey',
      'off',
      'The venue does not net both sides of a market: trade one side only.',
    ]);
  });

  test("compare the taker's fee with the amount that orders set aside", () => {
    const fees = (takerRate: string, reservedTakerRate: string | null = '0.001') =>
      row('fees', { terms: known({ takerRate }), reservedTakerRate });
    expect(fees('0.00075')).toEqual(['green', '0.075 % of what is traded', null]);
    expect(fees('0.0011')).toEqual([
      'grey',
      '0.11 % of what is traded',
      'Orders reserve 0.1 % for the fee: they can cost more than is displayed.',
    ]);
    expect(fees('0.001', null)).toEqual([]);
    expect(row('fees', { terms: unknown })).toEqual([]);
    expect(row('fees', { terms: null })).toEqual([]);
  });

  test('require a key that may trade and may not withdraw money', () => {
    const rights = (...permissions: string[]) => row('permissions', { statuses: status({ permissions }) });
    expect(rights('trade', 'withdraw')).toEqual([
      'red',
      'trade, withdraw',
      'The key may withdraw: make one that may only trade.',
    ]);
    expect(rights('transfer', 'withdraw')[2]).toBe(
      'The key may transfer and withdraw: make one that may only trade.',
    );
    expect(rights('read', 'close')).toEqual([
      'grey',
      'read, close',
      'The venue permits this account to reduce only.',
    ]);
    expect(rights('read')).toEqual(['red', 'read', 'The key may not trade, or not from this region.']);
  });

  test('connect one account at a venue once, and bind the connection to that account', () => {
    expect(row('account', {}, { fingerprint: 'account 1' })[0]).toBe('green');
    expect(row('account', { isTaken: true })).toEqual([
      'red',
      null,
      'This account at the venue is connected already.',
    ]);
    expect(row('account', { isTaken: null })).toEqual(['grey', null, NOT_VERIFIED]);
    expect(row('account', {}, { fingerprint: 'account 2' })).toEqual([
      'red',
      null,
      'The credentials are those of another account at the venue: create a separate connection for it.',
    ]);
  });

  test('name an older connection of the account at the venue, after all else', () => {
    expect(rowsOf({ isSecond: true }).at(-1)).toMatchObject({ name: 'only_connection' });
    expect(row('only_connection', { isSecond: true })).toEqual([
      'red',
      null,
      'An older connection of this account trades at the venue: remove that one first.',
    ]);
    expect(row('only_connection')).toEqual([]);
  });

  test('warn a week before a key ends, and refuse one that has ended', () => {
    const ending = (keyExpiresAt: Date) => row('key_expiry', { statuses: status({ keyExpiresAt }) });
    const iso = (days: number) => inDays(days).toISOString();
    expect(ending(inDays(7.5))).toEqual(['green', iso(7.5), null]);
    expect(ending(inDays(7))).toEqual(['grey', iso(7), 'The key ends in 7 days: renew it at the venue.']);
    expect(ending(inDays(0.1))[2]).toBe('The key ends in 1 days: renew it at the venue.');
    expect(ending(NOW)).toEqual(['red', iso(0), 'The key has ended: renew it at the venue.']);
  });

  test('state when the attestation of a region ends, where there is one', () => {
    expect(row('region')).toEqual([]);
    expect(row('region', { statuses: status({ attestedUntil: inDays(-1) }) })).toEqual([
      'red',
      inDays(-1).toISOString(),
      "The attestation of the key's region has ended: renew it at the venue.",
    ]);
  });

  test('state when a venue that accepts no orders will accept them', () => {
    const paused = (resumesAt: Date | null) =>
      row('trading', { statuses: status({ isTrading: false, resumesAt }) });
    const reason = 'The venue takes no orders at the moment.';
    expect(paused(inDays(1))).toEqual(['grey', inDays(1).toISOString(), reason]);
    expect(paused(null)).toEqual(['grey', null, reason]);
  });

  test('show the balance of two readings, and each shard of it', () => {
    const money = (...of: Parameters<typeof balances>) => row('balance', { balances: balances(...of) });
    expect(money([usd('1'), usd('2', { shard: 'b' })])).toEqual(['green', '1 USD, 2 USD in b', null]);
    expect(money([])).toEqual(['green', 'empty', null]);
    expect(money([usd('1')], [usd('2')])).toEqual([
      'grey',
      '2 USD',
      'Two readings differ: the balance is changing.',
    ]);
    const many = Array.from({ length: 21 }, (_, index) => usd(String(index)));
    expect(money(many)[1]?.split(', ')).toHaveLength(20);
    expect(row('balance', { balances: unknown })).toEqual(['grey', null, unknown.reason]);
  });

  test('require a balance at venue B that its exchanges may take', () => {
    const held = (available: string, total: string) =>
      row('allowances', {
        balances: balances([], [usd('5'), { currency: 'pUSD', available, total }]),
      });
    expect(held('3', '5')).toEqual(['green', '3', null]);
    expect(held('0', '5')).toEqual([
      'red',
      '0',
      "The venue's contracts have no allowance on the wallet: set the allowances at the venue.",
    ]);
    expect(held('0', '0')).toEqual([]);
    expect(row('allowances')).toEqual([]);
    expect(row('allowances', { balances: unknown })).toEqual([]);
  });

  test('count open orders and holdings, and do not touch foreign ones', () => {
    const openOrders = known([{}, {}, {}] as unknown as []);
    expect(row('open_orders', { openOrders })).toEqual(['green', '3 open orders', null]);
    expect(row('open_orders', { openOrders, foreignOrders: 2 })).toEqual([
      'grey',
      '3 open orders',
      '2 of them were not placed by this service: they are not changed.',
    ]);
    expect(row('positions', { positions: unknown })).toEqual(['grey', null, unknown.reason]);
  });

  test('show the trials: the stream, a cancel of nothing, an order that is not sent', () => {
    expect(row('stream', { isStreamUp: false })).toEqual([
      'grey',
      null,
      'The stream of the venue is not connected yet.',
    ]);
    expect(row('cancel_all', { cancelAll: null })).toEqual([]);
    expect(row('cancel_all', { cancelAll: unknown })).toEqual(['red', null, unknown.reason]);
    expect(row('rehearsal', { rehearsal: null })).toEqual([]);
    expect(row('rehearsal', { rehearsal: unknown })).toEqual(['grey', null, unknown.reason]);
    expect(row('rehearsal', { rehearsal: known('no money') })).toEqual([
      'red',
      null,
      'The venue would refuse a small order: no money.',
    ]);
  });
});

describe('the result of a check', () => {
  const found = (facts: Partial<PreflightFacts> = {}, state: KnownConnection['state'] = 'unverified') =>
    preflightFindingOf({ ...SOUND, ...facts }, rowsOf(facts), { state, isHeldByPerson: false }, NOW);

  test('all green is sound, even if a row that only warns is grey', () => {
    expect(found()).toEqual({ kind: 'sound' });
    expect(found({ isStreamUp: false })).toEqual({ kind: 'sound' });
  });

  test('a key that has ended goes before all else', () => {
    const ended = { statuses: status({ keyExpiresAt: NOW, fingerprint: '' }) };
    expect(found(ended)).toEqual({
      kind: 'expired',
      reason: 'The key has expired at the venue: enter a new one.',
    });
    expect(found({ statuses: status({ keyExpiresAt: inDays(30) }) })).toEqual({ kind: 'sound' });
  });

  test('row 50: a key that is refused after the end that was stated for it has expired', () => {
    for (const statuses of [{ ...unknown, isKeyRefused: true }, status({ fingerprint: '' })]) {
      expect(found({ statuses, keyExpiresAt: NOW }, 'ready')).toMatchObject({ kind: 'expired' });
      expect(found({ statuses, keyExpiresAt: inDays(1) }, 'ready')).toMatchObject({ kind: 'broken' });
    }
    expect(found({ keyExpiresAt: NOW }, 'ready')).toEqual({ kind: 'sound' });
    expect(found({ statuses: unknown, keyExpiresAt: NOW }, 'ready')).toMatchObject({ kind: 'impaired' });
  });

  test('a key that the venue does not accept breaks a working connection, and proves nothing of a new one', () => {
    const refused = { statuses: { ...unknown, isKeyRefused: true } };
    const why = {
      code: 'credentials_not_accepted',
      reason: 'The venue does not accept the key in this environment: check both.',
    };
    expect(found(refused)).toEqual({ kind: 'unproven', ...why });
    expect(found(refused, 'ready')).toEqual({ kind: 'broken', ...why });
    expect(found({ statuses: status({ fingerprint: '' }) }, 'ready')).toEqual({ kind: 'broken', ...why });
  });

  test('a venue that does not respond is a passing problem, unless the key was never accepted', () => {
    const why = { code: 'venue_unreachable', reason: unknown.reason };
    expect(found({ statuses: unknown })).toEqual({ kind: 'unproven', ...why });
    expect(found({ statuses: unknown }, 'ready')).toEqual({ kind: 'impaired', ...why });
    expect(
      preflightFindingOf({ ...SOUND, statuses: unknown }, [], { ...UNVERIFIED, state: 'ready' }, NOW),
    ).toEqual({
      kind: 'impaired',
      code: 'venue_unreachable',
      reason: 'The venue cannot be reached.',
    });
  });

  test('the first red row names the missing proof', () => {
    expect(found({ isTaken: true, rehearsal: known('no money') })).toEqual({
      kind: 'unproven',
      code: 'check_account',
      reason: 'This account at the venue is connected already.',
    });
  });

  test('an account whose owner is unknown is unproven, also where all else is impaired', () => {
    const why = { kind: 'unproven', code: 'account_not_verified', reason: NOT_VERIFIED };
    expect(found({ isTaken: null })).toEqual(why);
    expect(found({ isTaken: null, statuses: status({ permissions: ['close'] }) })).toEqual(why);
    expect(found({ isTaken: null, statuses: status({ isTrading: false }) })).toEqual(why);
  });

  test('an account that may only reduce, and a venue that is paused, are impaired', () => {
    expect(found({ statuses: status({ permissions: ['close'], isTrading: false }) })).toEqual({
      kind: 'impaired',
      code: 'close_only',
      reason: 'The venue permits this account to reduce only.',
    });
    expect(found({ statuses: status({ isTrading: false }) })).toEqual({
      kind: 'impaired',
      code: 'venue_paused',
      reason: 'The venue takes no orders at the moment.',
    });
  });
});

test('stored rows of a check are read as they were written, or not at all', () => {
  const rows = rowsOf().map((each) => ({ ...each }));
  expect(parseChecks(rows)).toEqual(rows);
  expect(parseChecks(null)).toEqual([]);
  expect(() => parseChecks([{ name: 'clock', state: 'blue', value: null, reason: null, at: '' }])).toThrow();
});

test('credentials that cannot be opened state the reason and the remedy, in words without a secret', () => {
  expect(CredentialError.locked('2026')).toMatchObject({
    name: 'CredentialError',
    code: 'credentials_locked',
    message:
      'The credentials are locked with the key "2026", which CREDENTIAL_KEYS does not have: add it, or enter the credentials again.',
  });
  expect(CredentialError.refused()).toMatchObject({
    name: 'CredentialError',
    code: 'credentials_refused',
    message: 'The stored credentials do not belong to this connection or were changed: enter them again.',
  });
});
