/**
 * Circuit breakers of a connection. Pure: the facts of one moment give one finding. `impaired` ends with its cause; `broken`
 * needs a person. The live trading manual states the remedy for each code.
 */
import type { HealthFacts } from './connection-health.ts';
import type { Finding } from './states.ts';
import { PAUSE_REFUSALS, VENUE_PAUSED } from './venue-pause.ts';

/** Number of orders refused with one code within the last minute; for a pause code, within the last seconds. */
export type Refusals = { readonly code: string; readonly orders: number };

export type BreakerFacts = HealthFacts & {
  /** Last measured lead of the venue's clock over ours, ms; null if the venue does not report its time. */
  readonly clockOffsetMs: number | null;

  readonly refusals: readonly Refusals[];
  /** Latest possible arrival of the order whose state has been unknown longest; null if there is none. */
  readonly openFateSince: Date | null;
  /** Since when the venue lists fewer fills than it reports as filled; null if it lists all. */
  readonly fillsMissingSince: Date | null;
  /** Last reconciliation with the venue; null if never, and then entries are blocked. */
  readonly reconciledAt: Date | null;
  readonly isDayLost: boolean;
  /** Whether the drawdown stop has stopped the account. */
  readonly isDrawnDown: boolean;
  /** Whether the last verification of the account's live ledger found differences. */
  readonly isLedgerWrong: boolean;
  readonly keyExpiresAt: Date | null;
  /** Orders since the last resume that filled after they were refused, or given up as never received. */
  readonly cameBack: number;
  /** Orders since the last resume that the venue ended because their group exceeded its limit. */
  readonly groupLimited: number;
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const SILENT_MS = 30 * SECOND_MS;
const CLOCK_OFFSET_MAX_MS = 2 * SECOND_MS;
/** Refusals with the same code within a minute that trip; below, rate limit responses that trip. */
const REFUSED_ALIKE = 3;
const LIMITED_CALLS = 3;
/** Two, because requests are retried, and one refusal may be a fault of the venue. */
const KEY_REFUSALS = 2;
/** Two, because one may come from a process that has just ended. */
const CONTESTED_BEATS = 2;
const FATE_OPEN_MS = MINUTE_MS;
const FILLS_MISSING_MS = MINUTE_MS;
const RECONCILED_MAX_AGE_MS = 10 * MINUTE_MS;

/** Codes of which one refusal proves that the venue rejects these credentials, or requests from this location. */
const CREDENTIALS_REFUSED: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'bad_signature',
  'invalid_signature',
]);
const ACCOUNT_REFUSED: ReadonlySet<string> = new Set(['banned', 'not_permitted', 'restricted_location']);
/** Ordinary ends of orders, or ends that no venue reported: no evidence about the connection or the strategy. */
export const ORDINARY_ENDS: ReadonlySet<string> = new Set([
  'no_match',
  'post_only_cross',
  'fill_or_kill_insufficient_resting_volume',
  'never_arrived',
  'lease_lost',
]);

/** Returns the finding for a connection's facts: first `broken`, then `expired`, then `impaired`, else `sound`. */
export function breakerFindingOf(facts: BreakerFacts, now: Date): Finding {
  const expired = expiredBy(facts, now);
  // An expired key is refused because it has expired.
  return brokenBy(facts) ?? expired ?? refusedBy(facts) ?? impairedBy(facts, now) ?? { kind: 'sound' };
}

function brokenBy(facts: BreakerFacts): Finding | null {
  if (facts.cameBack > 0)
    return broken(
      'order_came_back',
      'The venue filled an order that it had refused or reported as not received. Compare its orders with ours.',
    );
  if (facts.groupLimited > 0)
    return broken(
      'order_group_limit',
      'The order group filled more within seconds than its limit: the venue canceled the rest.',
    );
  if (isRefusedFor(facts, ACCOUNT_REFUSED))
    return broken(
      'account_not_permitted',
      'The venue does not permit this account to trade, or not from this location.',
    );
  return null;
}

function refusedBy(facts: BreakerFacts): Finding | null {
  if (facts.keyRefusals < KEY_REFUSALS && !isRefusedFor(facts, CREDENTIALS_REFUSED)) return null;
  return broken(
    'credentials_not_accepted',
    'The venue no longer accepts the key: the state of open orders there is unknown. Enter a new key.',
  );
}

function expiredBy({ keyExpiresAt }: BreakerFacts, now: Date): Finding | null {
  if (keyExpiresAt === null || keyExpiresAt > now) return null;
  return { kind: 'expired', reason: 'The key has expired at the venue: enter a new one.' };
}

function impairedBy(facts: BreakerFacts, now: Date): Finding | null {
  const isLonger = (since: Date | null, ms: number) => since !== null && now.getTime() - since.getTime() > ms;
  const { unansweredSince, lastSeenAt, clockOffsetMs, refusals } = facts;
  if (isLonger(unansweredSince, SILENT_MS) && facts.isUnreadable)
    return impaired(
      'venue_unreadable',
      "The venue's response could not be parsed. Check the account at the venue, and upgrade this service.",
    );
  if (isLonger(unansweredSince, SILENT_MS) && (lastSeenAt === null || isLonger(lastSeenAt, SILENT_MS)))
    return impaired('venue_silent', 'The venue did not respond for 30 seconds, and its stream is silent.');
  if (clockOffsetMs !== null && Math.abs(clockOffsetMs) > CLOCK_OFFSET_MAX_MS)
    return impaired(
      'clock_offset',
      `The clocks differ by ${clockOffsetMs} ms, too much for signed requests.`,
    );
  if (isRefusedFor(facts, PAUSE_REFUSALS)) return VENUE_PAUSED;
  if (isRefusedFor(facts, CLOSE_ONLY))
    return impaired('close_only', 'The venue permits this account to reduce only.');
  if (facts.limitedCalls >= LIMITED_CALLS) return impaired('rate_limited', LIMITED);
  if (facts.contestedBeats >= CONTESTED_BEATS)
    return impaired(
      'heartbeat_contested',
      'Another program sends heartbeats with the same key. Stop it, or enter a key that only this service has.',
    );
  const alike = refusals.find(({ code, orders }) => orders >= REFUSED_ALIKE && !ORDINARY_ENDS.has(code));
  if (alike?.code === 'rate_limited') return impaired('rate_limited', LIMITED);
  if (alike !== undefined)
    return impaired(
      'orders_refused',
      `The venue refused ${alike.orders} orders within a minute for the same reason: ${alike.code}.`,
    );
  if (isLonger(facts.openFateSince, FATE_OPEN_MS))
    return impaired(
      'order_fate_open',
      'The state of an order is still unknown one minute after its latest possible arrival.',
    );
  if (isLonger(facts.fillsMissingSince, FILLS_MISSING_MS))
    return impaired(
      'fills_missing',
      'The venue has reported more filled than it lists fills for, for over a minute.',
    );
  if (facts.isLedgerWrong)
    return impaired('ledger_differs', 'The ledger is inconsistent. Find the cause first.');
  if (facts.isDayLost) return impaired('daily_loss', 'The daily loss has reached its limit.');
  if (facts.isDrawnDown) return impaired('drawdown', 'The drawdown of the account has reached its limit.');
  if (isLonger(facts.reconciledAt, RECONCILED_MAX_AGE_MS))
    return impaired('not_reconciled', 'The books have not been reconciled with the venue for ten minutes.');
  return null;
}

const CLOSE_ONLY: ReadonlySet<string> = new Set(['close_only']);
const LIMITED = 'The venue asks for fewer requests.';

const isRefusedFor = ({ refusals }: BreakerFacts, codes: ReadonlySet<string>): boolean =>
  refusals.some(({ code }) => codes.has(code));

const impaired = (code: string, reason: string): Finding => ({ kind: 'impaired', code, reason });
const broken = (code: string, reason: string): Finding => ({ kind: 'broken', code, reason });

/** Kinds of findings, most severe first. */
const WORST_FIRST: readonly Finding['kind'][] = ['broken', 'expired', 'unproven', 'impaired', 'sound'];

/**
 * Combines several checks of a connection: returns the most severe finding, the earlier one among equals. Null stands for a
 * check not made yet: with one, a severe finding is still returned, but never `sound`.
 */
export function worstFinding(findings: readonly (Finding | null)[]): Finding | null {
  const known = findings.filter((finding) => finding !== null);
  const worst = WORST_FIRST.flatMap((kind) => known.filter((finding) => finding.kind === kind))[0] ?? null;
  return worst?.kind === 'sound' && known.length < findings.length ? null : worst;
}
