/**
 * Do the connectors still fit the venues? `npm run venues:check` asks each live venue one cheap question per mode and
 * prints what came back; `-- --simulator` asks the simulated ones. Exits with 1 if anything is not ok.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type MarketData, openMarketData, VenueError } from '../../venues/index.ts';

interface Check {
  venue: string;
  mode: string;
  ask: () => Promise<unknown>;
}

interface Row {
  venue: string;
  mode: string;
  result: 'ok' | 'shape mismatch' | 'unreachable' | 'empty' | 'refused';
  ms: number;
  note: string;
}

/** A market of 2025 to 2026, for when the list cannot be had. */
const EXAMPLE_TOKEN = '32338220190071351435772801779725302244575775216413325951443816017994629993401';

const { values } = parseArgs({ options: { simulator: { type: 'boolean', default: false } } });
await using market = await openMarketData({ mode: values.simulator ? 'simulator' : 'live' });

const rows: Row[] = [];
for (const check of await checksOf(market)) rows.push(await run(check));
console.table(rows);
const bad = rows.filter(({ result }) => result !== 'ok').length;
console.log(bad === 0 ? 'The connectors fit the venues.' : `${bad} of ${rows.length} checks are not ok.`);
process.exitCode = bad === 0 ? 0 : 1;

/** One question per mode, about whatever the venues list now; a long-lived example where they list nothing. */
async function checksOf({ venueA, venueB, crypto, ...port }: MarketData): Promise<Check[]> {
  const ticker = (await firstOf(() => venueA.top(1)))?.ticker ?? 'KXELONMARS-99';
  const top = await firstOf(() => venueB.top(1));
  const token = top?.outcomes[0]?.tokenId ?? EXAMPLE_TOKEN;
  const slug = top?.event?.slug ?? 'presidential-election-winner-2028';
  const a = (mode: string, ask: Check['ask']): Check => ({ venue: 'venue A', mode, ask });
  const b = (mode: string, ask: Check['ask']): Check => ({ venue: 'venue B', mode, ask });
  const c = (mode: string, ask: Check['ask']): Check => ({ venue: 'crypto', mode, ask });
  return [
    a('search', () => venueA.search('fed', 3)),
    a('top', () => venueA.top(3)),
    a('ticker', () => venueA.market(ticker)),
    a('ref, interval', () => venueA.history(ticker, '1w')),
    a('quote', () => port.quotes([`${ticker}:yes`])),
    a('order book', () => port.orderBook(`${ticker}:yes`)),
    a('instrument', () => port.instrument(`${ticker}:yes`)),
    b('search', () => venueB.search('fed', 3)),
    b('slug', () => venueB.slug(slug)),
    b('token', () => venueB.token(token)),
    b('raw', () => venueB.raw(token)),
    b('book', () => venueB.book(token)),
    b('trending', () => venueB.trending(3)),
    b('top', () => venueB.top(3)),
    b('ref, interval', () => venueB.history(token, '1w')),
    b('ref, all', () => venueB.history(token, 'all')),
    b('quote', () => port.quotes([token])),
    b('instrument', () => port.instrument(token)),
    c('summary', () => crypto.summary('BTCUSDT')),
    c('trades', () => crypto.trades('BTCUSDT', 3)),
    c('klines', () => crypto.klines('BTCUSDT', '1h', 3)),
    c('symbols', () => crypto.symbols('BTC', 3)),
    c('quote', () => port.quotes(['BTCUSDT', 'ETHUSDT'])),
    c('order book', () => port.orderBook('BTCUSDT')),
    c('instrument', () => port.instrument('BTCUSDT')),
    c('closed candles', () => port.closedCandles('BTCUSDT', '1m', { limit: 10 })),
  ];
}

/** The first market of a list; null where the list cannot be had, which its own check then tells. */
async function firstOf<T>(list: () => Promise<{ markets: T[] }>): Promise<T | null> {
  try {
    return (await list()).markets[0] ?? null;
  } catch (error) {
    if (error instanceof VenueError) return null;
    throw error;
  }
}

async function run({ venue, mode, ask }: Check): Promise<Row> {
  const startedAt = performance.now();
  const row = (result: Row['result'], note: string): Row => ({
    venue,
    mode,
    result,
    ms: Math.round(performance.now() - startedAt),
    note,
  });
  try {
    const answer = await ask();
    return isEmpty(answer) ? row('empty', 'an answer without anything in it') : row('ok', '');
  } catch (error) {
    if (!(error instanceof VenueError)) throw error;
    if (error.cause instanceof z.ZodError) return row('shape mismatch', whereOf(error.cause));
    return row(error.kind === 'unavailable' ? 'unreachable' : 'refused', error.message);
  }
}

const whereOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 2)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ');

/** Nothing, or a list of nothing: connectors answer so where a venue has changed what it means. */
function isEmpty(answer: unknown): boolean {
  if (answer === null || answer === undefined) return true;
  if (Array.isArray(answer)) return answer.length === 0;
  const lists = Object.entries(answer).filter(
    ([name, value]) => name !== 'priceRanges' && Array.isArray(value),
  );
  return lists.some(([, value]) => value.length === 0);
}
