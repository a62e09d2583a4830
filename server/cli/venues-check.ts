/**
 * Do the connectors still fit the venues? `npm run venues:check` asks each live venue one cheap question per mode and
 * prints what came back: `ok`, `shape mismatch` and the field, `unreachable` and the reason, `empty` or `refused`. The
 * settings that name other addresses for the venues count here too; `-- --simulator` asks the simulated ones. Exits with
 * 1 if anything is not ok.
 *
 * `-- --trading` asks the demo and test hosts whether orders could be sent from here, and places none. `--credentials <file>` gives
 * it keys of demo accounts, and `--measure` lets it place their smallest orders, to find out what no document says.
 */
import { z } from 'zod';
import { VENUE_IDS, type Venue } from '../../db/vocabulary.ts';
import { LIVE_URLS, openMarketData } from '../../simulator/market-data.ts';
import { type Ask, askVenue } from '../../venues/check-reads.ts';
import { isOfKind, type MarketData, VENUES, VenueError } from '../../venues/port.ts';
import { readConfig } from '../kernel/config.ts';
import { readCommandLine } from './command-line.ts';
import { askAboutTrading } from './trading-check/program.ts';

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
if (values.trading) process.exit(await askAboutTrading(values));
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

async function check(port: MarketData): Promise<void> {
  for (const venue of VENUE_IDS) await checkVenue(port, venue);
}

/** About whatever the venue lists now; about a long-lived example where it lists nothing. */
async function checkVenue<V extends Venue>(port: MarketData, venue: V): Promise<void> {
  const ask: Ask = (mode, question) => askOf(VENUES[venue].title, mode, question);
  const tokenId = await askVenue(port, venue, ask);
  await ask('quote', () => port.quotes([tokenId]));
  await ask('order book', () => port.orderBook(tokenId));
  await ask('instrument', () => port.instrument(tokenId));
  if (!isOfKind(venue, 'spot')) return;
  await ask('closed candles', () => port.closedCandles(tokenId, '1m', { limit: 10 }));
}

/** Asks, adds a row about what came back, and returns it; null where nothing did. */
async function askOf<T>(venue: string, mode: string, question: () => Promise<T>): Promise<T | null> {
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
