/**
 * Do the connectors still fit the venues? `npm run venues:check` asks each live venue one cheap question per mode and
 * prints what came back: `ok`, `shape mismatch` and the field, `unreachable` and the reason, `empty` or `refused`. The
 * settings that name other addresses for the venues count here too; `-- --simulator` asks the simulated ones. Exits with
 * 1 if anything is not ok.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { LIVE_URLS, type MarketData, openMarketData, VenueError } from '../../venues/index.ts';
import { readConfig } from '../config.ts';

interface Row {
  venue: string;
  mode: string;
  result: 'ok' | 'shape mismatch' | 'unreachable' | 'empty' | 'refused';
  ms: number;
  note: string;
}

/** What to ask about where a list cannot be had. */
const EXAMPLE = {
  ticker: 'KXELONMARS-99',
  token: '32338220190071351435772801779725302244575775216413325951443816017994629993401',
  slug: 'presidential-election-winner-2028',
};

const { values } = parseArgs({ options: { simulator: { type: 'boolean', default: false } } });
// Where the venues are is all that is asked of the settings: what production demands besides does not matter here.
const { venueUrls } = readConfig({ ...process.env, NODE_ENV: undefined });
const market = await openMarketData({ mode: values.simulator ? 'simulator' : 'live', baseUrls: venueUrls });

const addresses = values.simulator ? venueUrls : { ...LIVE_URLS, ...venueUrls };
for (const [api, address] of Object.entries(addresses)) console.log(`${api.padEnd(14)} ${address}`);
const rows: Row[] = [];
await check(market);
console.table(rows);
const bad = rows.filter(({ result }) => result !== 'ok').length;
console.log(bad === 0 ? 'The connectors fit the venues.' : `${bad} of ${rows.length} checks are not ok.`);
await market.close();
// Not waiting for what goes on behind an answer, such as the index that stands in for a missing search.
process.exit(bad === 0 ? 0 : 1);

/** One question per mode, about whatever the venues list now; about a long-lived example where they list nothing. */
async function check({ venueA, venueB, crypto, ...port }: MarketData): Promise<void> {
  const listedA = await ask('venue A', 'top', () => venueA.top(3));
  const ticker = listedA?.markets[0]?.ticker ?? EXAMPLE.ticker;
  await ask('venue A', 'search', () => venueA.search('fed', 3));
  await ask('venue A', 'ticker', () => venueA.market(ticker));
  await ask('venue A', 'ref, interval', () => venueA.history(ticker, '1w'));
  await ask('venue A', 'quote', () => port.quotes([`${ticker}:yes`]));
  await ask('venue A', 'order book', () => port.orderBook(`${ticker}:yes`));
  await ask('venue A', 'instrument', () => port.instrument(`${ticker}:yes`));

  const listedB = (await ask('venue B', 'top', () => venueB.top(3)))?.markets[0];
  const token = listedB?.outcomes[0]?.tokenId ?? EXAMPLE.token;
  await ask('venue B', 'search', () => venueB.search('fed', 3));
  await ask('venue B', 'slug', () => venueB.slug(listedB?.event?.slug ?? EXAMPLE.slug));
  await ask('venue B', 'token', () => venueB.token(token));
  await ask('venue B', 'raw', () => venueB.raw(token));
  await ask('venue B', 'book', () => venueB.book(token));
  await ask('venue B', 'trending', () => venueB.trending(3));
  await ask('venue B', 'ref, interval', () => venueB.history(token, '1w'));
  await ask('venue B', 'ref, all', () => venueB.history(token, 'all'));
  await ask('venue B', 'quote', () => port.quotes([token]));
  await ask('venue B', 'instrument', () => port.instrument(token));

  await ask('crypto', 'summary', () => crypto.summary('BTCUSDT'));
  await ask('crypto', 'trades', () => crypto.trades('BTCUSDT', 3));
  await ask('crypto', 'klines', () => crypto.klines('BTCUSDT', '1h', 3));
  await ask('crypto', 'symbols', () => crypto.symbols('BTC', 3));
  await ask('crypto', 'quote', () => port.quotes(['BTCUSDT', 'ETHUSDT']));
  await ask('crypto', 'order book', () => port.orderBook('BTCUSDT'));
  await ask('crypto', 'instrument', () => port.instrument('BTCUSDT'));
  await ask('crypto', 'closed candles', () => port.closedCandles('BTCUSDT', '1m', { limit: 10 }));
}

/** Asks, adds a row about what came back, and returns it; null where nothing did. */
async function ask<T>(venue: string, mode: string, question: () => Promise<T>): Promise<T | null> {
  const startedAt = performance.now();
  const note = (result: Row['result'], text: string): void => {
    rows.push({ venue, mode, result, ms: Math.round(performance.now() - startedAt), note: text });
  };
  try {
    const answer = await question();
    if (isEmpty(answer)) note('empty', 'an answer without anything in it');
    else note('ok', '');
    return answer;
  } catch (error) {
    if (!(error instanceof VenueError)) throw error;
    note(...verdictOn(error));
    return null;
  }
}

function verdictOn(error: VenueError): [Row['result'], string] {
  const causes = causesOf(error);
  const shape = causes.find((cause) => cause instanceof z.ZodError);
  if (shape !== undefined) return ['shape mismatch', whereOf(shape)];
  const code = causes.map((cause) => ('code' in cause ? cause.code : undefined)).find(Boolean);
  const reason = code === undefined ? error.message : `${error.message} (${code})`;
  return [error.kind === 'unavailable' ? 'unreachable' : 'refused', reason];
}

/** What is behind an error, nearest first: the failed request, the failed connection, the fields that do not fit. */
function causesOf({ cause }: { cause?: unknown }): object[] {
  return typeof cause === 'object' && cause !== null ? [cause, ...causesOf(cause)] : [];
}

function whereOf(error: z.ZodError): string {
  const issues = error.issues.slice(0, 2).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return issues.join('; ');
}

/** Nothing, or lists of nothing: connectors answer so where a venue has changed what it means. One side of a book may be. */
function isEmpty(answer: unknown): boolean {
  if (answer === null || answer === undefined) return true;
  if (Array.isArray(answer)) return answer.length === 0;
  const lists = Object.entries(answer).filter(
    ([name, value]) => name !== 'priceRanges' && Array.isArray(value),
  );
  return lists.length > 0 && lists.every(([, value]) => value.length === 0);
}
