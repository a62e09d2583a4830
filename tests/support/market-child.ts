/**
 * A process that requests market data without pause, as many impatient clients would. It reports to its parent every second:
 * `node --expose-gc market-child.ts <simulator origin>`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openMarketData } from '../../simulator/market-data.ts';
import { type Venue, VenueError } from '../../venues/port.ts';

export type Report = {
  rssMb: number;
  /** Used bytes of V8's heap after a collection: a leak would make them grow. */
  heapMb: number;
  calls: number;
  /** Per venue: responses, stale ones among them, errors with a kind, and the longest call. */
  venues: Record<
    Venue,
    { fine: number; stale: number; unavailable: number; other: number; longestMs: number }
  >;
};

const CLIENTS = 12;
/** V8 collects old garbage at any time, perhaps after minutes: only a collection shows what stays. */
const COLLECT_EVERY_SEC = 10;
const PAUSE_MS = 20;

const market = await openMarketData({ mode: 'simulator', simulatorUrl: process.argv[2] ?? '' });
const venueA = market.at('venue-a');
const venueB = market.at('venue-b');
const crypto = market.at('crypto');
const token =
  (await venueB.slug('will-elon-musk-visit-mars-before-august-2099', 'markets')).markets[0]?.ref ?? '';
const WORDS = ['fed', 'btc', 'mars', 'party', 'recession', 'nyc'];
let report = emptyReport();
let turn = 0;

const calls: readonly (readonly [Venue, () => Promise<unknown>])[] = [
  ['venue-a', () => venueA.market('KXELONMARS-99')],
  ['venue-a', () => venueA.market(`KXNOPE-${turn}`)],
  ['venue-a', () => venueA.top(20)],
  ['venue-a', () => venueA.search(WORDS[turn % WORDS.length] ?? '', 10)],
  ['venue-a', () => venueA.history('KXPRESPARTY-2028-D', '1w')],
  ['venue-a', () => market.quotes(['KXELONMARS-99:yes', 'KXPRESPARTY-2028-R:no'])],
  ['venue-b', () => venueB.token(token)],
  ['venue-b', () => venueB.trending(20)],
  ['venue-b', () => venueB.search(WORDS[turn % WORDS.length] ?? '', 10)],
  ['venue-b', () => venueB.book(token)],
  ['venue-b', () => venueB.history(token, '1w')],
  ['venue-b', () => market.quotes([token])],
  ['crypto', () => crypto.summary('BTCUSDT')],
  ['crypto', () => crypto.summary('BTC')],
  ['crypto', () => crypto.klines('ETHUSDT', '1h', 100)],
  ['crypto', () => crypto.symbols(null, 20)],
  ['crypto', () => market.quotes(['BTCUSDT', 'ETHUSDT'])],
  ['crypto', () => market.closedCandles('BTCUSDT', '1m', { limit: 200 })],
];

const clients = Array.from({ length: CLIENTS }, (_, client) => run(client));
let seconds = 0;
setInterval(() => {
  seconds += 1;
  if (seconds % COLLECT_EVERY_SEC === 0) globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ ...report, rssMb: rss / 1e6, heapMb: heapUsed / 1e6 });
  report = emptyReport();
}, 1_000);
await Promise.all(clients);

async function run(client: number): Promise<never> {
  for (let step = client; ; step += 5) {
    turn += 1;
    const [venue, ask] = calls[step % calls.length] ?? [];
    if (venue !== undefined && ask !== undefined) await measure(venue, ask);
    await sleep(PAUSE_MS);
  }
}

async function measure(venue: Venue, ask: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  const outcome = await ask().then(outcomeOf, refusalOf);
  // The current report: a call of more than a second belongs to the second in which it ended.
  const counts = report.venues[venue];
  report.calls += 1;
  counts[outcome] += 1;
  if (outcome === 'stale') counts.fine += 1;
  counts.longestMs = Math.max(counts.longestMs, performance.now() - startedAt);
}

type Outcome = 'fine' | 'stale' | 'unavailable' | 'other';

function outcomeOf(answer: unknown): Outcome {
  return (answer as { source?: string } | null)?.source === 'stale' ? 'stale' : 'fine';
}

function refusalOf(error: unknown): Outcome {
  if (!(error instanceof VenueError)) return 'other';
  return error.kind === 'unavailable' ? 'unavailable' : 'fine';
}

function emptyReport(): Report {
  const none = () => ({ fine: 0, stale: 0, unavailable: 0, other: 0, longestMs: 0 });
  return { rssMb: 0, heapMb: 0, calls: 0, venues: { 'venue-a': none(), 'venue-b': none(), crypto: none() } };
}
