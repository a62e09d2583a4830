import type {
  AccountTerms,
  OpenVenueOrder,
  VenueBalance,
  VenuePosition,
  VenueStatus,
} from '../../../venues/broker.ts';
import { exact } from '../../platform/decimal.ts';
import type { Check } from './preflight-checks.ts';
import type { Finding, HeldState } from './states.ts';
import { VENUE_PAUSED } from './venue-pause.ts';

/** Result of a request; a failed one states the reason, in words without secrets. */
export type RequestResult<T> =
  | { readonly isKnown: true; readonly value: T }
  | {
      readonly isKnown: false;
      readonly reason: string;
      /** The venue responded and rejects the key for every request. */
      readonly isKeyRefused?: boolean;
    };

/** Results of the preflight requests of a connection, each requested separately. Null: not requested. */
export type PreflightFacts = {
  /** Expiry that the venue stated in an earlier check. */
  readonly keyExpiresAt: Date | null;
  /** Several in a row, to measure the clock offset. */
  readonly statuses: RequestResult<readonly VenueStatus[]>;
  /** Whether the venue refused a request signed with another key. */
  readonly isSpoiledRefused: RequestResult<boolean>;
  /** Read twice. */
  readonly balances: RequestResult<readonly [readonly VenueBalance[], readonly VenueBalance[]]>;
  /** Null if not requested, because the books do not depend on it at this venue. */
  readonly terms: RequestResult<AccountTerms> | null;
  /** Taker fee rate that orders reserve, a fraction of the notional; null if unknown. */
  readonly reservedTakerRate: string | null;
  readonly openOrders: RequestResult<readonly OpenVenueOrder[]>;
  /** Number of open orders placed outside this service. */
  readonly foreignOrders: number;
  readonly positions: RequestResult<readonly VenuePosition[]>;
  readonly isStreamUp: boolean;
  /** Result of a cancel-all without open orders. */
  readonly cancelAll: RequestResult<null> | null;
  /** Reason for which the venue would refuse a small order; null if it would accept it. */
  readonly rehearsal: RequestResult<string | null> | null;
  /** Whether another connection, of any account, uses the same venue account; null if unknown. */
  readonly isTaken: boolean | null;
  /** Whether an older connection of the account trades at this venue. */
  readonly isSecond: boolean;
};

export type KnownConnection = HeldState & {
  /** Fingerprint of the venue account found at the first check. */
  readonly fingerprint: string | null;
};

export const CLOCK_OFFSET_MAX_MS = 1_000;
const DAY_MS = 86_400_000;
/** A key or an attestation that ends within this time gets a warning. */
const WARN_MS = 7 * DAY_MS;

type Row = Omit<Check, 'at'>;
const green = (name: string, value: string): Row => ({ name, state: 'green', value, reason: null });
const red = (name: string, value: string | null, reason: string): Row => ({
  name,
  state: 'red',
  value,
  reason,
});
const grey = (name: string, value: string | null, reason: string): Row => ({
  name,
  state: 'grey',
  value,
  reason,
});

/** Returns the newest status, or null if the venue did not respond. */
const statusIn = ({ statuses }: PreflightFacts): VenueStatus | null =>
  statuses.isKnown ? (statuses.value.at(-1) ?? null) : null;

const isKeyRefused = ({ statuses }: PreflightFacts): boolean =>
  statuses.isKnown
    ? statuses.value.at(-1)?.fingerprint === '' && !isFarOff(statuses.value.at(-1))
    : statuses.isKeyRefused === true;

/** Venues accept timestamps up to ten seconds off. A refusal beyond that is not evidence against the key. */
const SIGNED_OFFSET_MAX_MS = 10_000;
const isFarOff = (status: VenueStatus | null | undefined): boolean =>
  status?.clockOffsetMs != null && Math.abs(status.clockOffsetMs) > SIGNED_OFFSET_MAX_MS;

/** Builds the rows of a check, in display order. Pure. */
export function preflightChecksOf(
  facts: PreflightFacts,
  known: KnownConnection,
  now: Date,
): readonly Check[] {
  const status = statusIn(facts);
  const rows =
    status === null || status.fingerprint === ''
      ? [signedRead(facts, status), ...(isFarOff(status) ? [clock(facts)] : [])]
      : [
          signedRead(facts, status),
          spoiled(facts),
          clock(facts),
          permissions(status),
          account(facts, known, status),
          keyEnd('key_expiry', 'The key', status.keyExpiresAt, now),
          ...(status.attestedUntil === undefined
            ? []
            : [keyEnd('region', "The attestation of the key's region", status.attestedUntil, now)]),
          trading(status),
          balance(facts),
          ...allowances(facts),
          ...netting(facts),
          ...fees(facts),
          counted('open_orders', facts.openOrders, 'open orders', facts.foreignOrders),
          counted('positions', facts.positions, 'positions', 0),
          stream(facts),
          ...requested('cancel_all', facts.cancelAll, 'works on an empty book'),
          ...rehearsal(facts),
        ];
  const only = facts.isSecond
    ? [
        red(
          'only_connection',
          null,
          'An older connection of this account trades at the venue: remove that one first.',
        ),
      ]
    : [];
  return [...rows, ...only].map((row) => ({ ...row, at: now.toISOString() }));
}

function signedRead(facts: PreflightFacts, status: VenueStatus | null): Row {
  const { statuses } = facts;
  if (!statuses.isKnown && !isKeyRefused(facts)) return grey('signed_read', null, statuses.reason);
  if (status === null || isKeyRefused(facts))
    return red(
      'signed_read',
      statuses.isKnown ? null : statuses.reason,
      'The venue does not accept the key in this environment: check both.',
    );
  if (status.fingerprint === '')
    return grey('signed_read', null, 'The venue does not accept the time that requests are signed for.');
  return green('signed_read', 'answered');
}

function spoiled({ isSpoiledRefused: spoiled }: PreflightFacts): Row {
  if (!spoiled.isKnown) return grey('spoiled_signature', null, spoiled.reason);
  if (spoiled.value) return green('spoiled_signature', 'refused');
  return red(
    'spoiled_signature',
    'accepted',
    'A request signed with another key was accepted: this is not the venue.',
  );
}

function clock({ statuses }: PreflightFacts): Row {
  const offsets = statuses.isKnown ? statuses.value.map(({ clockOffsetMs }) => clockOffsetMs) : [];
  const measured = offsets.filter((offset) => offset !== null).sort((a, b) => Math.abs(a) - Math.abs(b));
  const [offset] = measured;
  if (offset === undefined) return grey('clock', null, 'The venue does not report its time.');
  const value = `${offset} ms`;
  if (Math.abs(offset) <= CLOCK_OFFSET_MAX_MS) return green('clock', value);
  return red(
    'clock',
    value,
    `The clocks differ by more than ${CLOCK_OFFSET_MAX_MS} ms: set that of the database server.`,
  );
}

function permissions({ permissions: rights }: VenueStatus): Row {
  const value = rights.join(', ');
  const excess = rights.filter((right) => right === 'withdraw' || right === 'transfer');
  if (excess.length > 0)
    return red('permissions', value, `The key may ${excess.join(' and ')}: make one that may only trade.`);
  if (rights.includes('trade')) return green('permissions', value);
  if (rights.includes('close'))
    return grey('permissions', value, 'The venue permits this account to reduce only.');
  return red('permissions', value, 'The key may not trade, or not from this region.');
}

const OWNER_UNKNOWN =
  'Whether this account at the venue is connected already cannot be verified now. The check is repeated.';

function account(
  { isTaken }: PreflightFacts,
  { fingerprint: before }: KnownConnection,
  { fingerprint }: VenueStatus,
): Row {
  if (before !== null && before !== fingerprint)
    return red(
      'account',
      null,
      'The credentials are those of another account at the venue: create a separate connection for it.',
    );
  if (isTaken) return red('account', null, 'This account at the venue is connected already.');
  if (isTaken === null) return grey('account', null, OWNER_UNKNOWN);
  return green('account', 'connected once');
}

function keyEnd(name: string, what: string, at: Date | null, now: Date): Row {
  if (at === null) return green(name, 'never');
  const value = at.toISOString();
  const leftMs = at.getTime() - now.getTime();
  if (leftMs <= 0) return red(name, value, `${what} has ended: renew it at the venue.`);
  if (leftMs > WARN_MS) return green(name, value);
  return grey(name, value, `${what} ends in ${Math.ceil(leftMs / DAY_MS)} days: renew it at the venue.`);
}

function trading({ isTrading, resumesAt }: VenueStatus): Row {
  if (isTrading) return green('trading', 'open');
  return grey('trading', resumesAt?.toISOString() ?? null, 'The venue takes no orders at the moment.');
}

function balance({ balances }: PreflightFacts): Row {
  if (!balances.isKnown) return grey('balance', null, balances.reason);
  const [first, second] = balances.value.map(inWords);
  if (first === second) return green('balance', first || 'empty');
  return grey('balance', second ?? null, 'Two readings differ: the balance is changing.');
}

const inWords = (balances: readonly VenueBalance[]): string =>
  balances
    .map(
      ({ currency, shard, available }) =>
        `${available} ${currency}${shard === undefined ? '' : ` in ${shard}`}`,
    )
    .slice(0, 20)
    .join(', ');

/** Checks allowances: a balance that the venue's contracts may not transfer (venue B) cannot buy. */
function allowances({ balances }: PreflightFacts): Row[] {
  const held = balances.isKnown ? balances.value[1].find(({ currency }) => currency === 'pUSD') : undefined;
  if (held === undefined || Number(held.total) === 0) return [];
  if (Number(held.available) > 0) return [green('allowances', held.available)];
  return [
    red(
      'allowances',
      '0',
      "The venue's contracts have no allowance on the wallet: set the allowances at the venue.",
    ),
  ];
}

/** Checks netting, if the venue reports it: holdings of both sides of a market depend on it. */
function netting({ terms }: PreflightFacts): Row[] {
  if (terms === null) return [];
  if (!terms.isKnown) return [grey('netting', null, terms.reason)];
  const { nets } = terms.value;
  if (nets === undefined) return [];
  if (nets) return [green('netting', 'on')];
  return [grey('netting', 'off', 'The venue does not net both sides of a market: trade one side only.')];
}

/** Compares the fee rate that the venue charges this account with the rate that orders reserve. */
function fees({ terms, reservedTakerRate: reserved }: PreflightFacts): Row[] {
  const charged = terms?.isKnown ? terms.value.takerRate : undefined;
  if (charged === undefined || reserved === null) return [];
  const value = `${inPercent(charged)} of what is traded`;
  if (exact(charged).lte(reserved)) return [green('fees', value)];
  const reason = `Orders reserve ${inPercent(reserved)} for the fee: they can cost more than is displayed.`;
  return [grey('fees', value, reason)];
}

const inPercent = (share: string): string => `${exact(share).times(100).toFixed()} %`;

function counted(
  name: string,
  listed: RequestResult<readonly unknown[]>,
  what: string,
  foreign: number,
): Row {
  if (!listed.isKnown) return grey(name, null, listed.reason);
  const value = `${listed.value.length} ${what}`;
  if (foreign === 0) return green(name, value);
  return grey(name, value, `${foreign} of them were not placed by this service: they are not changed.`);
}

const stream = ({ isStreamUp }: PreflightFacts): Row =>
  isStreamUp
    ? green('stream', 'connected')
    : grey('stream', null, 'The stream of the venue is not connected yet.');

function requested(name: string, result: RequestResult<null> | null, value: string): Row[] {
  if (result === null) return [];
  return [result.isKnown ? green(name, value) : red(name, null, result.reason)];
}

function rehearsal({ rehearsal: result }: PreflightFacts): Row[] {
  if (result === null) return [];
  if (!result.isKnown) return [grey('rehearsal', null, result.reason)];
  if (result.value === null) return [green('rehearsal', 'a small order would be taken')];
  return [red('rehearsal', null, `The venue would refuse a small order: ${result.value}.`)];
}

/** Returns the finding of the rows, most severe first. Pure. */
export function preflightFindingOf(
  facts: PreflightFacts,
  rows: readonly Check[],
  { state }: HeldState,
  now: Date,
): Finding {
  const status = statusIn(facts);
  // An expired key is refused because it has expired. A venue that refuses it may not state when it expired.
  const endedAt = status?.keyExpiresAt ?? (isKeyRefused(facts) ? facts.keyExpiresAt : null);
  if (endedAt !== null && endedAt <= now)
    return { kind: 'expired', reason: 'The key has expired at the venue: enter a new one.' };
  if (isKeyRefused(facts)) {
    const refusal = { code: 'credentials_not_accepted', reason: firstReason(rows, 'red') };
    return { kind: state === 'unverified' ? 'unproven' : 'broken', ...refusal };
  }
  if (status === null) {
    const reason = firstReason(rows, 'grey');
    // The key has never been proven valid.
    if (state === 'unverified') return { kind: 'unproven', code: 'venue_unreachable', reason };
    return impaired('venue_unreachable', reason);
  }
  const wrong = rows.find((row) => row.state === 'red');
  if (wrong !== undefined)
    return { kind: 'unproven', code: `check_${wrong.name}`, reason: wrong.reason ?? wrong.name };
  if (facts.isTaken === null)
    return { kind: 'unproven', code: 'account_not_verified', reason: OWNER_UNKNOWN };
  if (!status.permissions.includes('trade'))
    return impaired('close_only', 'The venue permits this account to reduce only.');
  if (!status.isTrading) return VENUE_PAUSED;
  return { kind: 'sound' };
}

const impaired = (code: string, reason: string): Finding => ({ kind: 'impaired', code, reason });

const firstReason = (rows: readonly Check[], state: Check['state']): string =>
  rows.find((row) => row.state === state)?.reason ?? 'The venue cannot be reached.';
