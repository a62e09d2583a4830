/**
 * Checks that the connectors still fit the venues. `npm run venues:check` sends each live venue one cheap request per mode. It
 * prints `ok`, `shape mismatch` and the field, `unreachable` and the reason, `empty` or `refused`. Settings with other
 * addresses of the venues apply; `-- --simulator` uses the simulated ones. Exits with 1 if anything is not ok.
 *
 * `-- --trading` checks, at the demo and test hosts, whether orders could be sent from here, and places none. `--credentials
 * <file>` gives it keys of demo accounts. `--measure` lets it place their smallest orders to measure undocumented behaviour.
 */
import { z } from 'zod';
import { VENUE_IDS, type Venue } from '../../db/vocabulary.ts';
import { LIVE_URLS, openMarketData } from '../../simulator/market-data.ts';
import type { Driver, Probe } from '../../venues/define-driver.ts';
import { type AtVenue, isOfKind, type MarketData, VENUES, VenueError } from '../../venues/port.ts';
import { DRIVERS } from '../../venues/trading-access.ts';
import { readConfig } from '../kernel/config.ts';
import { readCommandLine } from './command-line.ts';
import { runTradingCheck } from './trading-check/run-trading-check.ts';

type Row = {
  venue: string;
  mode: string;
  result: 'ok' | 'shape mismatch' | 'unreachable' | 'empty' | 'refused';
  ms: number;
  note: string;
};

const USAGE =
  'Usage: npm run venues:check -- [--simulator] | npm run venues:check -- --trading [--credentials <file>] [--measure]';

const { values } = readCommandLine(USAGE, {
  simulator: { type: 'boolean', default: false },
  trading: { type: 'boolean', default: false },
  credentials: { type: 'string' },
  measure: { type: 'boolean', default: false },
});
if (values.trading) process.exit(await runTradingCheck(values));
// Only the addresses of the venues are needed: production's checks of other settings do not apply.
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
// Does not wait for background work, such as the index that replaces a missing search.
process.exit(bad === 0 ? 0 : 1);

async function check(port: MarketData): Promise<void> {
  for (const venue of VENUE_IDS) await checkVenue(port, venue);
}

/** Uses an instrument the venue lists now, or a long-lived example if it lists none. */
async function checkVenue<V extends Venue>(port: MarketData, venue: V): Promise<void> {
  const ask: Probe = (mode, question) => checkRequest(VENUES[venue].title, mode, question);
  const driver = DRIVERS[venue] as Driver<V, AtVenue<V>>;
  const tokenId = await driver.check(port.at(venue), ask);
  await ask('quote', () => port.quotes([tokenId]));
  await ask('order book', () => port.orderBook(tokenId));
  await ask('instrument', () => port.instrument(tokenId));
  if (!isOfKind(venue, 'spot')) return;
  await ask('closed candles', () => port.closedCandles(tokenId, '1m', { limit: 10 }));
}

/** Sends a request, adds a row about the answer, and returns it; null without one. */
async function checkRequest<T>(venue: string, mode: string, question: () => Promise<T>): Promise<T | null> {
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

/** Returns the causes of an error, nearest first: the failed request, the failed connection, the mismatching fields. */
function causesOf({ cause }: { cause?: unknown }): object[] {
  return typeof cause === 'object' && cause !== null ? [cause, ...causesOf(cause)] : [];
}

function whereOf(error: z.ZodError): string {
  const issues = error.issues.slice(0, 2).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return issues.join('; ');
}

/**
 * Nothing, or empty lists: connectors answer so if the meaning of a venue's fields has changed. One side of a book may be
 * empty.
 */
function isEmpty(answer: unknown): boolean {
  if (answer === null || answer === undefined) return true;
  if (Array.isArray(answer)) return answer.length === 0;
  const lists = Object.entries(answer).filter(
    ([name, value]) => name !== 'priceRanges' && Array.isArray(value),
  );
  return lists.length > 0 && lists.every(([, value]) => value.length === 0);
}
