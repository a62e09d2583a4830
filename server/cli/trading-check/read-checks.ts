/** Checks of an environment that place no orders. */
import type { Broker } from '../../../venues/broker.ts';
import type { FeedClock } from '../../../venues/clock.ts';
import { type OnceAnswer, sendOnce } from '../../../venues/http/send-once.ts';
import type { CheckTarget, PublicEndpoint } from './check-targets.ts';
import { type Finding, networkErrorOf } from './rows.ts';

const TIMEOUT_MS = 10_000;
const SAMPLES = 3;
/** Beyond this offset a connection does not become ready. */
const OFFSET_MAX_MS = 1_000;

export type CheckContext = { readonly clock: FeedClock; readonly signal: AbortSignal };

export async function get(url: string, { clock, signal }: CheckContext): Promise<OnceAnswer> {
  const answer = await sendOnce({
    method: 'GET',
    url: new URL(url),
    headers: { accept: 'application/json', 'user-agent': 'trading-strategy-service/1.0' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  clock.observe(answer.headers);
  return answer;
}

/** Measures how far the venue's clock is ahead, by the fastest sample: a slow one is less accurate. */
export async function checkClock({ time }: CheckTarget, context: CheckContext): Promise<Finding> {
  const samples: { offsetMs: number; tookMs: number }[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const sentMs = context.clock.now();
    const startedMs = performance.now();
    const { body, headers } = await get(time.url, context);
    const tookMs = performance.now() - startedMs;
    const venueMs = time.read(body, headers);
    if (venueMs === null) return { result: 'not ok', note: 'it does not state the time' };
    samples.push({ offsetMs: Math.round(venueMs + time.cutMs - (sentMs + tookMs / 2)), tookMs });
  }
  const best = samples.toSorted((a, b) => a.tookMs - b.tookMs)[0]?.offsetMs ?? 0;
  const note = `${samples.map(({ offsetMs }) => `${offsetMs} ms`).join(', ')}; best ${best} ms`;
  if (Math.abs(best) <= OFFSET_MAX_MS + time.cutMs) return { result: 'ok', note };
  return { result: 'not ok', note: `${note}: set the clock of this machine` };
}

export async function checkPublicEndpoint(
  { url, answer }: PublicEndpoint,
  context: CheckContext,
): Promise<Finding> {
  const { status, body } = await get(url, context);
  if (status !== 200) return { result: 'not ok', note: `status ${status}` };
  const parsed = answer.safeParse(body);
  if (parsed.success) return { result: 'ok', note: '' };
  const [issue] = parsed.error.issues;
  return { result: 'not ok', note: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as expected'}` };
}

/** Checks a signed read, and the rights of the key. */
export async function checkSignedRead(broker: Broker): Promise<Finding> {
  const { permissions, isTrading } = await broker.status();
  if (permissions.length === 0) return { result: 'not ok', note: 'the venue refuses the key' };
  const balances = await broker.balances();
  const money =
    balances.map(({ currency, available }) => `${available} ${currency}`).join(', ') || 'no money';
  const tooMuch = permissions.filter((right) => right === 'withdraw' || right === 'transfer');
  const note = `may ${permissions.join(', ')}; ${money}${isTrading ? '' : '; it does not trade now'}`;
  if (tooMuch.length > 0)
    return { result: 'not ok', note: `${note}: make a key that may not ${tooMuch.join(' or ')}` };
  return permissions.includes('trade')
    ? { result: 'ok', note }
    : { result: 'not ok', note: `${note}: the key may not trade` };
}

/** Checks that a wrong secret, or an unknown key, is refused. A venue that cannot be reached proves nothing. */
export async function checkRefusal(broker: Broker): Promise<Finding> {
  try {
    const { permissions } = await broker.status();
    if (permissions.length === 0) return { result: 'ok', note: 'refused' };
    return { result: 'not ok', note: 'it was accepted' };
  } catch (error) {
    if (networkErrorOf(error) !== null) throw error;
    return { result: 'ok', note: 'refused' };
  }
}
