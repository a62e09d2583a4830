import type {
  AccountTerms,
  OpenAtVenue,
  VenueBalance,
  VenuePosition,
  VenueStatus,
} from '../../../venues/broker.ts';
import { exact } from '../../platform/decimal.ts';
import type { Check } from './checks.ts';
import { VENUE_PAUSED } from './pause.ts';
import type { Finding, Standing } from './states.ts';

/** What came of a question; a failed one says why, in words that hold nothing secret. */
export type Asked<T> =
  | { readonly isKnown: true; readonly value: T }
  | {
      readonly isKnown: false;
      readonly reason: string;
      /** The venue answered, and does not take the key, whatever is asked with it. */
      readonly isKeyRefused?: boolean;
    };

/** What was found out about a connection, each part asked by itself. Null: not asked. */
export type PreflightFacts = {
  /** As the venue stated it in an earlier check. */
  readonly keyExpiresAt: Date | null;
  /** Several in a row, for the clock. */
  readonly statuses: Asked<readonly VenueStatus[]>;
  /** Whether the venue refused what another key had signed. */
  readonly isSpoiledRefused: Asked<boolean>;
  /** Read twice. */
  readonly balances: Asked<readonly [readonly VenueBalance[], readonly VenueBalance[]]>;
  /** Null where the venue is not asked: nothing of the books depends on it there. */
  readonly terms: Asked<AccountTerms> | null;
  /** What orders reserve for the fee of a taker, a share of the notional; null: not known. */
  readonly reservedTakerRate: string | null;
  readonly openOrders: Asked<readonly OpenAtVenue[]>;
  /** Of those, how many were not placed here. */
  readonly foreignOrders: number;
  readonly positions: Asked<readonly VenuePosition[]>;
  readonly isStreamUp: boolean;
  /** Of an empty book. */
  readonly cancelAll: Asked<null> | null;
  /** What the venue would refuse a small order for; null where it would take it. */
  readonly rehearsal: Asked<string | null> | null;
  /** Whether another connection, of whatever account, is of the same venue account. */
  readonly isTaken: boolean;
  /** Whether an older connection of the account trades at this venue. */
  readonly isSecond: boolean;
};

export type Known = Standing & {
  /** Of the venue account it was first found to be of. */
  readonly fingerprint: string | null;
};

export const CLOCK_OFFSET_MAX_MS = 1_000;
const DAY_MS = 86_400_000;
/** A key or an attestation that ends within so long is warned of. */
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

/** The newest of the statuses, or null where the venue was not heard. */
const statusIn = ({ statuses }: PreflightFacts): VenueStatus | null =>
  statuses.isKnown ? (statuses.value.at(-1) ?? null) : null;

const isKeyRefused = ({ statuses }: PreflightFacts): boolean =>
  statuses.isKnown
    ? statuses.value.at(-1)?.fingerprint === '' && !isFarOff(statuses.value.at(-1))
    : statuses.isKeyRefused === true;

/** Venues take requests of ten seconds away: what is refused beyond that need not be the key. */
const SIGNED_OFFSET_MAX_MS = 10_000;
const isFarOff = (status: VenueStatus | null | undefined): boolean =>
  status?.clockOffsetMs != null && Math.abs(status.clockOffsetMs) > SIGNED_OFFSET_MAX_MS;

/** The rows of a check, in the order in which a person reads them. Pure. */
export function checksOf(facts: PreflightFacts, known: Known, now: Date): readonly Check[] {
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
          ...asked('cancel_all', facts.cancelAll, 'works on an empty book'),
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
    'What another key had signed was accepted: this is not the venue.',
  );
}

function clock({ statuses }: PreflightFacts): Row {
  const offsets = statuses.isKnown ? statuses.value.map(({ clockOffsetMs }) => clockOffsetMs) : [];
  const told = offsets.filter((offset) => offset !== null).sort((a, b) => Math.abs(a) - Math.abs(b));
  const [offset] = told;
  if (offset === undefined) return grey('clock', null, 'The venue does not tell the time.');
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
  if (rights.includes('close')) return grey('permissions', value, 'The venue lets this account only reduce.');
  return red('permissions', value, 'The key may not trade, or not from this region.');
}

function account(
  { isTaken }: PreflightFacts,
  { fingerprint: before }: Known,
  { fingerprint }: VenueStatus,
): Row {
  if (before !== null && before !== fingerprint)
    return red(
      'account',
      null,
      'The credentials are those of another account at the venue: connect that one by itself.',
    );
  if (isTaken) return red('account', null, 'This account at the venue is connected already.');
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
  return grey('balance', second ?? null, 'Two readings differ: something moves the money meanwhile.');
}

const inWords = (balances: readonly VenueBalance[]): string =>
  balances
    .map(
      ({ currency, shard, available }) =>
        `${available} ${currency}${shard === undefined ? '' : ` in ${shard}`}`,
    )
    .slice(0, 20)
    .join(', ');

/** Money that the venue's contracts may not take (venue B) buys nothing. */
function allowances({ balances }: PreflightFacts): Row[] {
  const held = balances.isKnown ? balances.value[1].find(({ currency }) => currency === 'pUSD') : undefined;
  if (held === undefined || Number(held.total) === 0) return [];
  if (Number(held.available) > 0) return [green('allowances', held.available)];
  return [
    red(
      'allowances',
      '0',
      'The exchanges of the venue may take nothing of the wallet: set its allowances there.',
    ),
  ];
}

/** Of a venue that states it: what is held of both sides of a market depends on it. */
function netting({ terms }: PreflightFacts): Row[] {
  if (terms === null) return [];
  if (!terms.isKnown) return [grey('netting', null, terms.reason)];
  const { nets } = terms.value;
  if (nets === undefined) return [];
  if (nets) return [green('netting', 'on')];
  return [
    grey('netting', 'off', 'Yes and no of a market are kept apart there: trade one side of a market only.'),
  ];
}

/** What the venue charges this account beside what an order sets aside for it. */
function fees({ terms, reservedTakerRate: reserved }: PreflightFacts): Row[] {
  const charged = terms?.isKnown ? terms.value.takerRate : undefined;
  if (charged === undefined || reserved === null) return [];
  const value = `${inPercent(charged)} of what is traded`;
  if (exact(charged).lte(reserved)) return [green('fees', value)];
  const reason = `Orders set ${inPercent(reserved)} aside: they can cost more than is shown.`;
  return [grey('fees', value, reason)];
}

const inPercent = (share: string): string => `${exact(share).times(100).toFixed()} %`;

function counted(name: string, listed: Asked<readonly unknown[]>, what: string, foreign: number): Row {
  if (!listed.isKnown) return grey(name, null, listed.reason);
  const value = `${listed.value.length} ${what}`;
  if (foreign === 0) return green(name, value);
  return grey(name, value, `${foreign} of them were not placed here: they are left alone.`);
}

const stream = ({ isStreamUp }: PreflightFacts): Row =>
  isStreamUp
    ? green('stream', 'connected')
    : grey('stream', null, 'The stream of the venue is not connected yet.');

function asked(name: string, result: Asked<null> | null, value: string): Row[] {
  if (result === null) return [];
  return [result.isKnown ? green(name, value) : red(name, null, result.reason)];
}

function rehearsal({ rehearsal: result }: PreflightFacts): Row[] {
  if (result === null) return [];
  if (!result.isKnown) return [grey('rehearsal', null, result.reason)];
  if (result.value === null) return [green('rehearsal', 'a small order would be taken')];
  return [red('rehearsal', null, `The venue would refuse a small order: ${result.value}.`)];
}

/** Where the rows lead, worst first. Pure. */
export function findingOf(
  facts: PreflightFacts,
  rows: readonly Check[],
  { state }: Standing,
  now: Date,
): Finding {
  const status = statusIn(facts);
  // A key whose end has passed is refused because of it, and a venue that refuses it may not say when that was.
  const endedAt = status?.keyExpiresAt ?? (isKeyRefused(facts) ? facts.keyExpiresAt : null);
  if (endedAt !== null && endedAt <= now)
    return { kind: 'expired', reason: 'The key has expired at the venue: enter a new one.' };
  if (isKeyRefused(facts)) {
    const refusal = { code: 'credentials_not_accepted', reason: firstReason(rows, 'red') };
    return { kind: state === 'unverified' ? 'unproven' : 'broken', ...refusal };
  }
  if (status === null) {
    const reason = firstReason(rows, 'grey');
    // Nobody has seen yet that its key is one.
    if (state === 'unverified') return { kind: 'unproven', code: 'venue_unreachable', reason };
    return impaired('venue_unreachable', reason);
  }
  const wrong = rows.find((row) => row.state === 'red');
  if (wrong !== undefined)
    return { kind: 'unproven', code: `check_${wrong.name}`, reason: wrong.reason ?? wrong.name };
  if (!status.permissions.includes('trade'))
    return impaired('close_only', 'The venue lets this account only reduce.');
  if (!status.isTrading) return VENUE_PAUSED;
  return { kind: 'sound' };
}

const impaired = (code: string, reason: string): Finding => ({ kind: 'impaired', code, reason });

const firstReason = (rows: readonly Check[], state: Check['state']): string =>
  rows.find((row) => row.state === state)?.reason ?? 'The venue cannot be asked.';
