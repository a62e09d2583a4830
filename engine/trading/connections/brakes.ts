/**
 * What stops a connection by itself. Pure: facts of one moment lead to one finding. `impaired` passes with its cause; `broken` is
 * what only a person mends. See live trading for what each code asks of a person.
 */
import { PAUSE_REFUSALS, VENUE_PAUSED } from './pause.ts';
import type { Finding } from './states.ts';

/** A code of definite refusals, and how many orders were refused with it within the last minute; of a pause, within seconds. */
export type Refusals = { readonly code: string; readonly orders: number };

export type BrakeFacts = {
  /** Last time the user stream told anything; null where it has not yet. */
  readonly heardAt: Date | null;
  /** Since when no question was answered in a way that could be read; null while such answers come. */
  readonly unansweredSince: Date | null;
  /** Whether the last of these came after all, in a shape that nobody here knows. */
  readonly isUnreadable: boolean;
  /** How far the venue's clock is ahead of ours, ms, as last measured; null where it does not tell the time. */
  readonly clockOffsetMs: number | null;
  /** How often the venue asked for fewer requests within the last minute. */
  readonly limitedCalls: number;
  /** How often it refused the key within the last minute, whatever was asked. */
  readonly keyRefusals: number;
  /** How often it told within the last minute that somebody else gives signs of life with the same key. */
  readonly contestedBeats: number;
  readonly refusals: readonly Refusals[];
  /** Last arrival of the order whose fate is open longest; null: none is open. */
  readonly openFateSince: Date | null;
  /** Since when the venue shows less fills than it says there are; null: it shows all. */
  readonly fillsMissingSince: Date | null;
  /** When the books were last compared with the venue; null: never, and nothing enters before. */
  readonly reconciledAt: Date | null;
  readonly isDayLost: boolean;
  /** Whether the drawdown stop has stopped the account. */
  readonly isDrawnDown: boolean;
  /** Whether the ledger of the account's real money did not agree with itself when it was last verified. */
  readonly isLedgerWrong: boolean;
  readonly keyExpiresAt: Date | null;
  /** Since a person last let it go on: orders filled after all that had been given up as never received. */
  readonly cameBack: number;
  /** Since then: orders ended because their group had filled more than it may. */
  readonly groupLimited: number;
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const SILENT_MS = 30 * SECOND_MS;
const CLOCK_OFFSET_MAX_MS = 2 * SECOND_MS;
/** Refusals of one kind within a minute, and requests to be asked for less. */
const REFUSED_ALIKE = 3;
const LIMITED_CALLS = 3;
/** Questions are asked again, so that one refusal may be a venue's own trouble. */
const KEY_REFUSALS = 2;
/** Once may be a process that ended just now. */
const CONTESTED_BEATS = 2;
const FATE_OPEN_MS = MINUTE_MS;
const FILLS_MISSING_MS = MINUTE_MS;
const RECONCILED_MAX_AGE_MS = 10 * MINUTE_MS;

/** One refusal of these says that the venue takes nothing with these credentials, or from here. */
const CREDENTIALS_REFUSED: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'bad_signature',
  'invalid_signature',
]);
const ACCOUNT_REFUSED: ReadonlySet<string> = new Set(['banned', 'not_permitted', 'restricted_location']);
/** Ends that orders have every day, or that no venue said: they tell nothing about the connection. */
const ORDINARY: ReadonlySet<string> = new Set([
  'no_match',
  'post_only_cross',
  'fill_or_kill_insufficient_resting_volume',
  'never_arrived',
  'lease_lost',
]);

/** What a connection's facts lead to: what only a person mends, then what passes, then nothing. */
export function brakesOf(facts: BrakeFacts, now: Date): Finding {
  const expired = expiredBy(facts, now);
  // A key whose end has passed is refused because of it.
  return brokenBy(facts) ?? expired ?? refusedBy(facts) ?? impairedBy(facts, now) ?? { kind: 'sound' };
}

function brokenBy(facts: BrakeFacts): Finding | null {
  if (facts.cameBack > 0)
    return broken(
      'order_came_back',
      'The venue filled an order that it had shown not to have: look at its orders and at ours.',
    );
  if (facts.groupLimited > 0)
    return broken(
      'order_group_limit',
      'More was filled within seconds than the order group may: the venue ended the rest of it.',
    );
  if (isRefusedFor(facts, ACCOUNT_REFUSED))
    return broken('account_not_permitted', 'The venue does not let this account trade, or not from here.');
  return null;
}

function refusedBy(facts: BrakeFacts): Finding | null {
  if (facts.keyRefusals < KEY_REFUSALS && !isRefusedFor(facts, CREDENTIALS_REFUSED)) return null;
  return broken(
    'credentials_not_accepted',
    'The venue does not accept the key any more: open orders there are in a state nobody knows. Enter a new key.',
  );
}

function expiredBy({ keyExpiresAt }: BrakeFacts, now: Date): Finding | null {
  if (keyExpiresAt === null || keyExpiresAt > now) return null;
  return { kind: 'expired', reason: 'The key has expired at the venue: enter a new one.' };
}

function impairedBy(facts: BrakeFacts, now: Date): Finding | null {
  const isLonger = (since: Date | null, ms: number) => since !== null && now.getTime() - since.getTime() > ms;
  const { unansweredSince, heardAt, clockOffsetMs, refusals } = facts;
  if (isLonger(unansweredSince, SILENT_MS) && facts.isUnreadable)
    return impaired(
      'venue_unreadable',
      'The venue answers in a way that nobody here can read: look there what it shows, and for a newer version of this service.',
    );
  if (isLonger(unansweredSince, SILENT_MS) && (heardAt === null || isLonger(heardAt, SILENT_MS)))
    return impaired('venue_silent', 'The venue neither answers nor tells anything.');
  if (clockOffsetMs !== null && Math.abs(clockOffsetMs) > CLOCK_OFFSET_MAX_MS)
    return impaired(
      'clock_offset',
      `The clocks differ by ${clockOffsetMs} ms, which is too much to sign by.`,
    );
  if (isRefusedFor(facts, PAUSE_REFUSALS)) return VENUE_PAUSED;
  if (isRefusedFor(facts, CLOSE_ONLY))
    return impaired('close_only', 'The venue lets this account only reduce.');
  if (facts.limitedCalls >= LIMITED_CALLS) return impaired('rate_limited', LIMITED);
  if (facts.contestedBeats >= CONTESTED_BEATS)
    return impaired(
      'heartbeat_contested',
      'Another program gives signs of life with the same key: end it, or enter a key that only this service has.',
    );
  const alike = refusals.find(({ code, orders }) => orders >= REFUSED_ALIKE && !ORDINARY.has(code));
  if (alike?.code === 'rate_limited') return impaired('rate_limited', LIMITED);
  if (alike !== undefined)
    return impaired(
      'orders_refused',
      `The venue refused ${alike.orders} orders within a minute for the same reason: ${alike.code}.`,
    );
  if (isLonger(facts.openFateSince, FATE_OPEN_MS))
    return impaired(
      'order_fate_open',
      'Nobody can tell what became of an order, a minute after its last arrival.',
    );
  if (isLonger(facts.fillsMissingSince, FILLS_MISSING_MS))
    return impaired(
      'fills_missing',
      'The venue says for a minute that more is filled than it shows fills of.',
    );
  if (facts.isLedgerWrong)
    return impaired('ledger_differs', 'The ledger does not agree with itself: find out why first.');
  if (facts.isDayLost) return impaired('daily_loss', 'The loss of the day has reached its limit.');
  if (facts.isDrawnDown)
    return impaired('drawdown', 'The account has fallen from its highest as far as it may.');
  if (isLonger(facts.reconciledAt, RECONCILED_MAX_AGE_MS))
    return impaired('not_reconciled', 'The books were not compared with the venue for ten minutes.');
  return null;
}

const CLOSE_ONLY: ReadonlySet<string> = new Set(['close_only']);
const LIMITED = 'The venue asks for fewer requests.';

const isRefusedFor = ({ refusals }: BrakeFacts, codes: ReadonlySet<string>): boolean =>
  refusals.some(({ code }) => codes.has(code));

const impaired = (code: string, reason: string): Finding => ({ kind: 'impaired', code, reason });
const broken = (code: string, reason: string): Finding => ({ kind: 'broken', code, reason });

/** From what nobody overrules to what holds only while all else is silent. */
const WORST_FIRST: readonly Finding['kind'][] = ['broken', 'expired', 'unproven', 'impaired', 'sound'];

/**
 * What several looks at a connection come to together: the worst of them, the earlier one among equals. Null stands for a look
 * that was not made yet, which lets through whatever is wrong and nothing that is sound.
 */
export function worstOf(findings: readonly (Finding | null)[]): Finding | null {
  const known = findings.filter((finding) => finding !== null);
  const worst = WORST_FIRST.flatMap((kind) => known.filter((finding) => finding.kind === kind))[0] ?? null;
  return worst?.kind === 'sound' && known.length < findings.length ? null : worst;
}
