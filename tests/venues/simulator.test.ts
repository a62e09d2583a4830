import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { exact } from '../../engine/platform/decimal.ts';
import { isOnLadder } from '../../engine/platform/instruments/price-ladder.ts';
import { gammaCatalogue } from '../../simulator/gamma-catalogue.ts';
import { type Simulator, startSimulator, TICK_MS } from '../../simulator/index.ts';
import { tokenOf } from '../../simulator/world/tokens.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ seed: 'a' });
  simulator.clock.pin(NOON / TICK_MS);
});
afterAll(() => simulator.close());

const get = async (path: string, origin = simulator.url) => {
  const response = await fetch(origin + path);
  return { status: response.status, text: await response.text(), headers: response.headers };
};
const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(JSON.parse((await get(path)).text));

const PATHS = [
  '/kalshi/trade-api/v2/markets?limit=200',
  '/kalshi/trade-api/v2/markets/KXELONMARS-99/orderbook',
  '/kalshi/v1/search/series?query=fed',
  '/gamma/events/keyset?closed=false&order=volume24hr&ascending=false&limit=100',
  '/binance/api/v3/ticker/24hr',
  '/binance/api/v3/klines?symbol=ETHUSDT&interval=1d&limit=100',
  '/binance/api/v3/aggTrades?symbol=BTCUSDT&limit=50',
  '/binance/api/v3/depth?symbol=BTCUSDT&limit=20',
];

describe('the simulated world', () => {
  test('is a pure function of seed and time: another process with both serves the same bytes', async () => {
    const script = `
      import { startSimulator } from '${new URL('../../simulator/index.ts', import.meta.url).href}';
      const simulator = await startSimulator({ seed: 'a' });
      simulator.clock.pin(${NOON / TICK_MS});
      for (const path of ${JSON.stringify(PATHS)}) console.log(await (await fetch(simulator.url + path)).text());
      await simulator.close();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      maxBuffer: 50_000_000,
    });
    const here = await Promise.all(PATHS.map(async (path) => (await get(path)).text));
    expect(stdout.trimEnd().split('\n')).toEqual(here);
  });

  test('of another seed has the same names and other prices', async () => {
    await using other = await startSimulator({ seed: 'b' });
    other.clock.pin(NOON / TICK_MS);
    const names = (text: string) => text.match(/"(clobTokenIds|slug)":"[^"]*[a-z-]{12,}[^"]*"/g)?.sort();
    const path = '/gamma/events/slug/which-party-wins-the-2028-us-presidential-election';
    const [a, b] = [(await get(path)).text, (await get(path, other.url)).text];
    expect(names(a)).toEqual(names(b));
    expect(a).not.toBe(b);
  });

  test('changes with each tick, and is the same again at the same tick', async () => {
    const path = '/binance/api/v3/ticker/24hr?symbol=BTCUSDT';
    const at = async (tick: number) => {
      simulator.clock.pin(tick);
      return (await get(path)).text;
    };
    const first = await at(NOON / TICK_MS);
    expect(await at(NOON / TICK_MS + 1)).not.toBe(first);
    expect(await at(NOON / TICK_MS)).toBe(first);
  });

  test('starts in under 300 ms of the processor', async () => {
    const before = process.cpuUsage();
    await using _ = await startSimulator();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(300);
  });
});

describe('the simulator speaks as the venues do', () => {
  test.each([
    ['/kalshi/trade-api/v2/markets?status=finalized', 400, 'invalid status filter'],
    ['/kalshi/trade-api/v2/markets/NOPE', 404, 'not_found'],
    ['/kalshi/trade-api/v2/markets/candlesticks?market_tickers=KXELONMARS-99', 400, 'invalid parameters'],
    [
      '/kalshi/trade-api/v2/markets/candlesticks?market_tickers=KXELONMARS-99&start_ts=1&end_ts=2&period_interval=7',
      400,
      'invalid',
    ],
    ['/gamma/events/keyset?order=volume_24hr', 422, 'order fields are not valid'],
    ['/gamma/markets/keyset?offset=5', 422, 'offset is not allowed'],
    ['/gamma/markets/keyset?clob_token_ids=1,2', 422, 'invalid clob token ids'],
    ['/gamma/events/slug/nope', 404, 'slug not found'],
    ['/clob/book?token_id=abc', 400, 'Invalid token id'],
    ['/clob/book?token_id=123456', 404, 'No orderbook exists'],
    ['/clob/prices-history?market=1&interval=1m&fidelity=5', 400, "minimum 'fidelity' for '1m' range is 10"],
    ['/clob/prices-history?market=1&interval=1w&fidelity=1', 400, "minimum 'fidelity' for '1w' range is 5"],
    ['/clob/prices-history?market=1&startTs=1&endTs=1296002&fidelity=1', 400, 'interval is too long'],
    ['/clob/prices-history?interval=1d&fidelity=5', 400, "'market' is required"],
    ['/binance/api/v3/klines?symbol=NOPE&interval=1h', 400, '-1121'],
    ['/binance/api/v3/klines?symbol=BTCUSDT&interval=2y', 400, '-1120'],
    ['/binance/api/v3/klines?symbol=b!&interval=1h', 400, '-1100'],
    ['/binance/api/v3/klines?interval=1h', 400, '-1102'],
    ['/binance/api/v3/klines?symbol=BTCUSDT&interval=1h&limit=2000', 400, '-1130'],
  ])('%s is refused with %i (%s)', async (path, status, text) => {
    const got = await get(path);
    expect(got.status).toBe(status);
    expect(got.text).toContain(text);
  });

  const Side = z.array(z.tuple([z.string(), z.string()]));

  test('Kalshi books have bids only, as strings, worst first', async () => {
    const Book = z.strictObject({ orderbook_fp: z.strictObject({ yes_dollars: Side, no_dollars: Side }) });
    const { orderbook_fp } = await read(
      '/kalshi/trade-api/v2/markets/KXPRESPARTY-2028-D/orderbook?depth=5',
      Book,
    );
    for (const side of Object.values(orderbook_fp)) {
      expect(side).toHaveLength(5);
      expect(side.map(([price]) => price)).toEqual(side.map(([price]) => price).sort());
    }
  });

  test('Kalshi events hold their markets when nested, and have them beside when not', async () => {
    const Answer = z.object({
      event: z.object({ markets: z.array(z.unknown()).optional() }),
      markets: z.array(z.unknown()),
    });
    const path = '/kalshi/trade-api/v2/events/KXPRESPARTY-2028';
    expect(await read(`${path}?with_nested_markets=true`, Answer)).toMatchObject({
      event: { markets: { length: 3 } },
      markets: [],
    });
    expect(await read(path, Answer)).toMatchObject({ event: {}, markets: { length: 3 } });
  });

  test('Kalshi markets have no integer cents, and settle into the archive after three months', async () => {
    const { text } = await get('/kalshi/trade-api/v2/markets/KXELONMARS-99');
    expect(text).not.toMatch(/"(yes_bid|yes_ask|last_price|volume|open_interest)":/);
    const old = 'KXBTC15M-26JAN011200-00';
    expect((await get(`/kalshi/trade-api/v2/markets/${old}`)).status).toBe(404);
    expect((await get(`/kalshi/trade-api/v2/historical/markets/${old}`)).text).toContain(
      '"status":"finalized"',
    );
  });

  test('Gamma puts arrays into strings, leaves fields out, and hides placeholders badly', async () => {
    const { text } = await get('/gamma/events/slug/which-party-wins-the-2028-us-presidential-election');
    expect(text).toContain('"outcomes":"[\\"Yes\\",\\"No\\"]"');
    const Answer = z.object({
      markets: z.array(z.looseObject({ active: z.boolean(), acceptingOrders: z.boolean() })),
    });
    const { markets } = Answer.parse(JSON.parse(text));
    const placeholders = markets.filter(({ active }) => !active);
    expect(placeholders).toHaveLength(2);
    for (const place of placeholders) {
      expect(place.acceptingOrders).toBe(true);
      expect(place).not.toHaveProperty('outcomePrices');
    }
  });

  test('Kalshi markets near 0 and 1 move in finer steps, and every price they show is on their own ladder', async () => {
    const Range = z.object({ start: z.string(), end: z.string(), step: z.string() });
    const { market } = await read(
      '/kalshi/trade-api/v2/markets/KXPRESPARTY-2028-O',
      z.object({
        market: z.looseObject({ price_level_structure: z.string(), price_ranges: z.array(Range) }),
      }),
    );
    expect(market.price_level_structure).toBe('tapered_deci_cent');
    expect(market.price_ranges.map(({ step }) => step)).toEqual(['0.0010', '0.0100', '0.0010']);
    const Book = z.object({ orderbook_fp: z.object({ yes_dollars: Side, no_dollars: Side }) });
    const book = await read('/kalshi/trade-api/v2/markets/KXPRESPARTY-2028-O/orderbook', Book);
    const prices = Object.values(book.orderbook_fp).flatMap((side) => side.map(([price]) => exact(price)));
    const ladder = { tickSize: '0.01', priceRanges: market.price_ranges };
    expect(prices.filter((price) => !isOnLadder(price, ladder))).toEqual([]);
    expect(prices.some((price) => !isOnLadder(price, { tickSize: '0.01', priceRanges: [] }))).toBe(true);
  });

  test('CLOB books are worst first on both sides', async () => {
    const token = tokenOf(...partyToken());
    const Levels = z.array(z.object({ price: z.string(), size: z.string() }));
    const { bids, asks } = await read(
      `/clob/book?token_id=${token}`,
      z.object({ bids: Levels, asks: Levels }),
    );
    const prices = (levels: { price: string }[]) => levels.map(({ price }) => Number(price));
    expect(prices(bids)).toEqual(prices(bids).sort((a, b) => a - b));
    expect(prices(asks)).toEqual(prices(asks).sort((a, b) => b - a));
    expect(Math.max(...prices(bids))).toBeLessThan(Math.min(...prices(asks)));
  });

  test('CLOB windows end with a point stamped now, outside the window', async () => {
    const token = tokenOf(...partyToken());
    const start = NOON / 1_000 - 40 * 86_400;
    const path = `/clob/prices-history?market=${token}&startTs=${start}&endTs=${start + 86_400}&fidelity=1`;
    const { history } = await read(
      path,
      z.object({ history: z.array(z.object({ t: z.number(), p: z.number() })) }),
    );
    expect(history.at(-1)?.t).toBe(NOON / 1_000);
    expect(history.length).toBeGreaterThan(100);
  });

  function partyToken(): Parameters<typeof tokenOf> {
    const catalogue = gammaCatalogue('a', () => expect.unreachable());
    const market = catalogue.market('which-party-wins-the-2028-us-presidential-election-democratic');
    return [catalogue, market ?? expect.unreachable(), 0];
  }

  test('Binance answers say how much weight was used in this minute', async () => {
    const used = async (path: string) =>
      Number((await get(`/binance/api/v3/${path}`)).headers.get('x-mbx-used-weight-1m'));
    const before = await used('klines?symbol=BTCUSDT&interval=1h');
    expect(await used('exchangeInfo')).toBe(before + 20);
    expect(await used('ticker/24hr')).toBe(before + 100);
    expect(await used('ticker/24hr?symbols=["BTCUSDT","ETHUSDT"]')).toBe(before + 102);
  });

  test('answers carry the world’s time', async () => {
    expect((await get('/binance/api/v3/depth?symbol=BTCUSDT')).headers.get('x-simulator-clock')).toBe(
      `${NOON};speed=0`,
    );
  });
});

describe('the simulator accepts commands', () => {
  const tell = (path: string, body: unknown) =>
    fetch(`${simulator.url}/simulator/${path}`, { method: 'POST', body: JSON.stringify(body) });

  test('for faults, by path, and for their end', async () => {
    await tell('faults', { prefix: '/kalshi', fault: { kind: 'status', status: 429, retryAfterSec: 7 } });
    const refused = await get('/kalshi/trade-api/v2/markets');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
    expect((await get('/gamma/events/keyset')).status).toBe(200);
    await tell('faults', { prefix: '/kalshi', fault: null });
    expect((await get('/kalshi/trade-api/v2/markets')).status).toBe(200);
  });

  test('for its clock', async () => {
    await tell('clock', { advance: 60 });
    expect(simulator.clock.now()).toBe(NOON + 60_000);
    await tell('clock', { pin: NOON / TICK_MS });
    expect(simulator.clock.now()).toBe(NOON);
  });

  test('and answers a malformed URL with 400, rather than not at all', async () => {
    for (const path of ['/kalshi/%zz', '/%ff/x'])
      expect((await fetch(simulator.url + path)).status).toBe(400);
  });

  test('and refuses unknown commands', async () => {
    expect((await tell('faults', { prefix: 'kalshi', fault: { kind: 'explode' } })).status).toBe(400);
    expect((await tell('clock', { pin: -1 })).status).toBe(400);
    expect((await tell('weather', {})).status).toBe(404);
  });
});
