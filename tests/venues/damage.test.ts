/**
 * One record of many is damaged, field by field. The other records must be unaffected. The damaged one must show no wrong
 * value. The recordings are those of the venues.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { WireMarket as KalshiMarket } from '../../venues/kalshi/wire.ts';
import { RecordParser } from '../../venues/parse/record-parser.ts';
import { ParseErrorLog } from '../../venues/parse-error-log.ts';
import { WireMarket as GammaMarket } from '../../venues/polymarket/wire.ts';
import type { Market, Quote } from '../../venues/port.ts';
import { DAMAGES, damaged, type Path, still } from './support/damage.ts';
import { EVENTS, type Fields, API as KALSHI, MARKETS } from './support/kalshi.ts';
import { BOOKS, EVENT } from './support/polymarket.ts';
import { failureOf, fixture, replaying } from './support/replay.ts';

const BINANCE = '/binance/api/v3';
const fieldsOf = (shape: Fields): Path[] => Object.keys(shape).map((name) => [name]);

type Venue = Awaited<ReturnType<typeof replaying>>;
type Routes = Record<string, unknown>;

type Question<Answer> = {
  routes: (records: readonly unknown[]) => Routes;
  records: readonly Fields[];
  fields: readonly Path[];
  ask: (venue: Venue) => Promise<Answer[]>;
  /** The field that identifies an answer: another value there is another record. */
  naming: string;
  /** The part of the answer that comes from a record. */
  isOf: (answer: Answer, record: Fields) => boolean;
  /** Checks the answer of the damaged record against the undamaged one. */
  check: (now: Answer, before: Answer, path: Path) => void;
};

/** Damages each field of the second record in each way. */
async function damageAll<Answer>(question: Question<Answer>): Promise<void> {
  const routes: Routes = {};
  const answerTo = (records: readonly unknown[]) => {
    for (const [path, body] of Object.entries(question.routes(records))) routes[path] = still(body);
  };
  answerTo(question.records);
  await using venue = await replaying(routes);
  const [, victim = {}] = question.records;
  const before = undated(await question.ask(venue));
  const own = before.filter((answer) => question.isOf(answer, victim));
  expect(own.length).toBeGreaterThan(0);
  const others = before.filter((answer) => !question.isOf(answer, victim));
  for (const path of question.fields) {
    for (const [name, value] of DAMAGES) {
      const what = `${path.join('.')}: ${name}`;
      answerTo(question.records.with(1, damaged(victim, path, value)));
      const now = undated(await question.ask(venue));
      expect(
        now.filter((answer) => others.some((other) => sameThing(other, answer))),
        what,
      ).toEqual(others);
      for (const answer of now) {
        const was = own.find((one) => sameThing(one, answer));
        if (path[0] === question.naming) continue;
        if (was !== undefined) question.check(answer, was, path);
        else
          expect(
            others.some((other) => sameThing(other, answer)),
            what,
          ).toBe(true);
      }
    }
  }
}

const nameOf = (answer: unknown): unknown => {
  const { tokenId, id, symbol } = answer as Fields;
  return tokenId ?? id ?? symbol;
};
const sameThing = (a: unknown, b: unknown): boolean => nameOf(a) === nameOf(b);
const undated = <T>(answers: T[]): T[] => answers.map((answer) => ({ ...answer, asOf: '' }));

const PRICES = ['bid', 'bidSize', 'ask', 'askSize'] as const;
const FACTS = ['last', 'volume24h', 'openInterest', 'change24h'] as const;

/**
 * Prices must be unchanged. Fields that no price depends on must be unchanged or unknown. An unknown status is no open market.
 */
function expectHonest(now: Quote, before: Quote): void {
  for (const name of PRICES) expect(now[name], name).toBe(before[name]);
  for (const name of FACTS) expect([before[name], null]).toContain(now[name]);
  if (now.marketStatus !== before.marketStatus) expect(now.marketStatus).not.toBe('open');
  expect([before.settlementValue, null]).toContain(now.settlementValue);
}

/** Numbers must be unchanged, or unknown. */
function expectHonestView(now: Market, before: Market): void {
  const numbers = ({ outcomes, lastPrice, volume, volume24h, openInterest, tickSize, minSize }: Market) =>
    [...outcomes.flatMap(({ price, bid, ask }) => [price, bid, ask]), lastPrice, volume, volume24h].concat([
      openInterest,
      tickSize,
      minSize,
    ]);
  const were = numbers(before);
  numbers(now).forEach((value, index) => {
    expect([were[index], null]).toContain(value);
  });
}

const isOfTicker = ({ tokenId }: Quote, { ticker }: Fields) => tokenId.startsWith(`${ticker}:`);
const tokensOf = (record: Fields): string[] => JSON.parse(String(record['clobTokenIds'])) as string[];

describe('one malformed field of one record of venue A affects no other record', () => {
  const fields: Path[] = [
    ...fieldsOf(KalshiMarket.shape),
    ['price_ranges', 0, 'step'],
    ['price_ranges', 0, 'start'],
  ];
  const tokens = MARKETS.flatMap(({ ticker }) => [`${ticker}:yes`, `${ticker}:no`]);

  test('of quotes', async () => {
    await damageAll<Quote>({
      routes: (markets) => ({ [`${KALSHI}/markets`]: { markets, cursor: '' } }),
      naming: 'ticker',
      records: MARKETS,
      fields,
      ask: ({ market }) => market.quotes(tokens),
      isOf: isOfTicker,
      check: expectHonest,
    });
  });

  test('of a search', { tags: ['long'] }, async () => {
    const page = [{ markets: MARKETS.map(({ ticker }) => ({ ticker })) }];
    await damageAll<Market>({
      routes: (markets) => ({
        '/kalshi/v1/search/series': { current_page: page },
        [`${KALSHI}/markets`]: { markets, cursor: '' },
        [`${KALSHI}/events`]: EVENTS,
      }),
      naming: 'ticker',
      records: MARKETS,
      fields,
      ask: async ({ market }) => (await market.at('venue-a').search('fed', 50)).markets,
      isOf: ({ id }, { ticker }) => id === ticker,
      check: expectHonestView,
    });
  });

  test('of the search that names tickers', async () => {
    const found = MARKETS.map(({ ticker }) => ({ markets: [{ ticker }] }));
    await damageAll<Market>({
      routes: (current_page) => ({
        '/kalshi/v1/search/series': { current_page },
        [`${KALSHI}/markets`]: { markets: MARKETS, cursor: '' },
        [`${KALSHI}/events`]: EVENTS,
      }),
      naming: 'markets',
      records: found,
      fields: [['markets'], ['markets', 0], ['markets', 0, 'ticker']],
      ask: async ({ market }) => (await market.at('venue-a').search('fed', 50)).markets,
      isOf: ({ id }) => id === MARKETS[1]?.['ticker'],
      check: expectHonestView,
    });
  });
});

describe('one malformed field of one record of venue B affects no other record', () => {
  const books = BOOKS;
  const records = EVENT.markets.filter((record) =>
    books.some(({ asset_id }) => tokensOf(record).includes(String(asset_id))),
  );
  const fields: Path[] = [
    ...fieldsOf(GammaMarket.shape),
    ['feeSchedule', 'rate'],
    ['feeSchedule', 'exponent'],
  ];
  const tokens = books.map(({ asset_id }) => String(asset_id));
  /** The recorded books belong to one market each: a second market gets a copy of the first's. */
  const second = { ...EVENT.markets.find((record) => !records.includes(record)) };
  const [bookOfSecond = ''] = tokensOf(second);
  const allBooks: Fields[] = [...books, { ...books[0], asset_id: bookOfSecond }];
  const pair: Fields[] = [records[0] ?? {}, second];
  const wanted = [...tokens, bookOfSecond];

  test('of quotes, in its record', { tags: ['long'] }, async () => {
    await damageAll<Quote>({
      routes: (markets) => ({ '/gamma/markets/keyset': { markets }, '/clob/books': allBooks }),
      naming: 'clobTokenIds',
      records: pair,
      fields,
      ask: ({ market }) => market.quotes(wanted),
      isOf: ({ tokenId }) => tokenId === bookOfSecond,
      check: expectHonest,
    });
  });

  test('of quotes, in its book: a malformed book is not a market without offers', async () => {
    await damageAll<Quote>({
      routes: (sent) => ({ '/gamma/markets/keyset': { markets: pair }, '/clob/books': sent }),
      naming: 'asset_id',
      records: [allBooks[0] ?? {}, allBooks.at(-1) ?? {}, ...allBooks.slice(1, -1)],
      fields: [
        ['asset_id'],
        ['bids', 0],
        ['bids', 0, 'price'],
        ['bids', 0, 'size'],
        ['asks', 1, 'price'],
        ['asks', 1, 'size'],
        ['last_trade_price'],
      ],
      ask: ({ market }) => market.quotes(wanted),
      isOf: ({ tokenId }) => tokenId === bookOfSecond,
      check: expectHonest,
    });
  });

  test.each([
    ['the top', '/gamma/markets/keyset', (markets: readonly unknown[]) => ({ markets })],
    ['an event', '/gamma/events/slug/x', (markets: readonly unknown[]) => ({ ...EVENT, markets })],
    [
      'a search',
      '/gamma/public-search',
      (markets: readonly unknown[]) => ({ events: [{ ...EVENT, markets }] }),
    ],
    [
      'what trends',
      '/gamma/events/keyset',
      (markets: readonly unknown[]) => ({ events: [{ ...EVENT, markets }] }),
    ],
  ])('of %s', { tags: ['long'] }, async (_, path, body) => {
    const ask = async ({ market }: Venue): Promise<Market[]> => {
      const venueB = market.at('venue-b');
      if (path.endsWith('/x')) return (await venueB.slug('x', 'markets')).markets;
      if (path.endsWith('search')) return (await venueB.search('x', 50, 'markets')).markets;
      if (path.includes('events')) return (await venueB.trending(50, 'markets')).markets;
      return (await venueB.top(50)).markets;
    };
    await damageAll<Market>({
      routes: (markets) => ({ [path]: body(markets) }),
      naming: 'id',
      records: EVENT.markets.slice(0, 3),
      fields,
      ask,
      isOf: ({ id }) => id === EVENT.markets[1]?.['id'],
      check: expectHonestView,
    });
  });

  test('of a list of events', async () => {
    const events = ['a', 'b', 'c'].map((slug) => ({
      ...EVENT,
      id: slug,
      slug,
      markets: EVENT.markets.slice(0, 1),
    }));
    await damageAll<{ id: string; volume: number | null }>({
      routes: (sent) => ({ '/gamma/events/keyset': { events: sent } }),
      naming: 'slug',
      records: events,
      fields: fieldsOf({
        id: 0,
        slug: 0,
        title: 0,
        negRisk: 0,
        volume: 0,
        volume24hr: 0,
        liquidity: 0,
        endDate: 0,
        markets: 0,
      }).filter(([name]) => name !== 'id'),
      ask: async ({ market }) => (await market.at('venue-b').trending(50)).events,
      isOf: ({ id }) => id === 'b',
      check: (now, before) => expect([before.volume, null]).toContain(now.volume),
    });
  });

  test('and an instrument with a malformed record is not unknown', async () => {
    await using venue = await replaying({
      '/gamma/markets/keyset': { markets: [{ ...pair[0], outcomes: 7 }] },
    });
    expect(await failureOf(venue.market.instrument(wanted[0] ?? ''))).toMatchObject({ kind: 'unavailable' });
  });
});

describe('one malformed field of one record of crypto affects no other record', () => {
  const ticker = fixture<Fields>('binance-ticker.json');
  const info = fixture<{ symbols: Fields[] }>('binance-exchange-info.json');
  const symbols = info.symbols.map(({ symbol }) => String(symbol));
  const tickers: Fields[] = symbols.map((symbol) => ({ ...ticker, symbol }));
  const rules: Path[] = [['symbol'], ['status'], ['baseAsset'], ['quoteAsset'], ['filters']];

  test.each(['in its prices', 'in its rules'])('of quotes, %s', async (where) => {
    const inRules = where === 'in its rules';
    await damageAll<Quote>({
      routes: (records) => ({
        [`${BINANCE}/exchangeInfo`]: inRules ? { symbols: records } : info,
        [`${BINANCE}/ticker/24hr`]: inRules ? tickers : records,
      }),
      naming: 'symbol',
      records: inRules ? info.symbols : tickers,
      fields: inRules
        ? [...rules, ['filters', 0], ['filters', 0, 'tickSize']]
        : fieldsOf(ticker).filter(([name]) => name !== 'priceChangePercent'),
      ask: ({ market }) => market.quotes(symbols),
      isOf: ({ tokenId }) => tokenId === symbols[1],
      check: expectHonest,
    });
  });

  test('of a search for symbols', async () => {
    await damageAll<{ symbol: string; tickSize: number }>({
      routes: (records) => ({
        [`${BINANCE}/exchangeInfo`]: { symbols: records },
        [`${BINANCE}/ticker/24hr`]: tickers,
      }),
      naming: 'symbol',
      records: info.symbols,
      fields: [...rules, ['filters', 0, 'tickSize']],
      ask: async ({ market }) => (await market.at('crypto').symbols(null, 100)).symbols,
      isOf: ({ symbol }) => symbol === symbols[1],
      check: (now, before) => expect(now.tickSize).toBe(before.tickSize),
    });
  });

  test('and an instrument with malformed rules is not unknown', async () => {
    const [first = {}] = info.symbols;
    await using venue = await replaying({
      [`${BINANCE}/exchangeInfo`]: { symbols: [{ ...first, filters: null }] },
    });
    expect(await failureOf(venue.market.instrument(symbols[0] ?? ''))).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a record that cannot be parsed', () => {
  test('makes the venue unavailable if it is one of all: then the format has changed', async () => {
    const markets = MARKETS.map((record) => ({ ...record, yes_bid_dollars: undefined }));
    await using venue = await replaying({ [`${KALSHI}/markets`]: { markets } });
    const tokens = MARKETS.map(({ ticker }) => `${ticker}:yes`);
    expect(await failureOf(venue.market.quotes(tokens))).toMatchObject({ kind: 'unavailable' });
  });

  test('is logged by instrument and field, once, and without its content', async () => {
    const lines: object[] = [];
    const parseErrors = new ParseErrorLog({ warn: (fields) => lines.push(fields) });
    for (let poll = 0; poll < 5; poll += 1) {
      new RecordParser('venue A', parseErrors).all(
        z.object({ ticker: z.string(), price: z.number() }),
        [{ ticker: 'T-1', price: 'secret' }, { ticker: 'two\nlines', price: 'secret' }, 'secret'],
        'ticker',
      );
    }
    expect(lines).toEqual([
      { venue: 'venue A', record: 'T-1', field: 'price' },
      { venue: 'venue A', record: 'unnamed', field: 'price' },
      { venue: 'venue A', record: 'unnamed', field: '' },
    ]);
  });

  test('is logged in a bounded number of lines, for any number of records', () => {
    let lines = 0;
    const parseErrors = new ParseErrorLog({ warn: () => (lines += 1) });
    for (let record = 0; record < 5_000; record += 1)
      parseErrors.unreadable('venue A', `T-${record}`, 'price');
    expect(lines).toBeGreaterThan(0);
    // A minute may end in between.
    expect(lines).toBeLessThanOrEqual(40);
  });
});
