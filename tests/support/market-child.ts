/**
 * A process that asks market data without rest, as many impatient clients would, and tells its parent every second how it
 * went: `node --expose-gc market-child.ts <simulator origin>`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openMarketData, type Venue, VenueError } from '../../venues/index.ts';

export interface Report {
  rssMb: number;
  calls: number;
  /** Per venue: answers, stale ones among them, refusals with a kind, and the longest call. */
  venues: Record<
    Venue,
    { fine: number; stale: number; unavailable: number; other: number; longestMs: number }
  >;
}

const CLIENTS = 12;
/** V8 collects old garbage when it likes, which may be after minutes: what stays is seen after a collection. */
const COLLECT_EVERY_SEC = 10;
const PAUSE_MS = 20;

const market = await openMarketData({ mode: 'simulator', simulatorUrl: process.argv[2] ?? '' });
const { venueA, venueB, crypto } = market;
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
  process.send?.({ ...report, rssMb: process.memoryUsage().rss / 1e6 });
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
  const counts = report.venues[venue];
  const startedAt = performance.now();
  report.calls += 1;
  try {
    const answer = (await ask()) as { source?: string } | null;
    counts.fine += 1;
    if (answer?.source === 'stale') counts.stale += 1;
  } catch (error) {
    if (error instanceof VenueError && error.kind === 'unavailable') counts.unavailable += 1;
    else if (error instanceof VenueError) counts.fine += 1;
    else counts.other += 1;
  }
  counts.longestMs = Math.max(counts.longestMs, performance.now() - startedAt);
}

function emptyReport(): Report {
  const none = () => ({ fine: 0, stale: 0, unavailable: 0, other: 0, longestMs: 0 });
  return { rssMb: 0, calls: 0, venues: { 'venue-a': none(), 'venue-b': none(), crypto: none() } };
}
