/** Records of a real connector, behind a venue that can be damaged: what one account watches must not hold another's exit. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { VenueFeed } from '../../server/workers/trading/market/feed.ts';
import type { Runner } from '../../server/workers/trading/runner.ts';
import { VenueError } from '../../venues/port.ts';
import { API, type Fields, MARKETS } from '../venues/support/kalshi.ts';
import { replaying } from '../venues/support/replay.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, openRunnerWorld, type RunnerWorld } from './support.ts';

const [HELD, WATCHED] = ['KXFEDDECISION-26SEP-H25', 'KXFEDDECISION-26SEP-H0'];
const HELD_YES = `${HELD}:yes`;

let world: RunnerWorld;
let venue: Awaited<ReturnType<typeof replaying>>;
let feed: VenueFeed;
let runner: Runner;
let nowMs: number;
let markets: Fields[];

beforeEach(async () => {
  nowMs = Date.now();
  markets = MARKETS.map((record) => ({ ...record, close_time: '2099-01-01T00:00:00Z' }));
  world = await openRunnerWorld({ clock: async () => new Date(nowMs) });
  venue = await replaying({
    [`${API}/markets`]: () => ({
      status: 200,
      body: { markets },
      headers: { 'x-simulator-clock': `${nowMs};speed=0` },
    }),
  });
  for (const ticker of [HELD, WATCHED]) {
    const terms = { venue: 'venue-a', market: ticker, outcome: 'yes', minNotional: null } as const;
    world.market.list(`${ticker}:yes`, { ...terms, tickSize: '0.01', stepSize: '0.01', minSize: '0.01' });
  }
  const options = world.options({ market: venue.market, quotePeriodMs: 60_000 });
  feed = new VenueFeed('venue-a', contextOf(options), new LogOnce(options.log));
  runner = world.runner({ market: venue.market });
});
afterEach(async () => {
  await feed.stop();
  await world.close();
  await venue[Symbol.asyncDispose]();
});

const change = (ticker: string, fields: Fields) => {
  markets = markets.map((record) => (record['ticker'] === ticker ? { ...record, ...fields } : record));
};

async function tickAfter(seconds: number): Promise<void> {
  nowMs += seconds * 1_000;
  await feed.poll();
  await runner.tick(nowMs, nowMs);
}

describe('a record that cannot be read', () => {
  test.each([
    ['a field that no price needs', { volume_24h_fp: null }],
    ['a price', { yes_bid_dollars: null }],
    ['its name', { ticker: null }],
  ])(
    'of a market that one account watches does not hold the stop loss of another: %s',
    { tags: ['long'] },
    async (_, broken) => {
      const holder = await world.deploy({
        price: { type: 'market.price', config: { instrument: HELD_YES, field: 'ask' } },
        level: { type: 'constant', config: { value: 0.1 } },
        above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: 'level' } },
        amount: { type: 'constant', config: { value: 10 } },
        buy: {
          type: 'order',
          config: { instrument: HELD_YES, side: 'buy', type: 'market' },
          inputs: { when: 'above', amount: 'amount' },
        },
        exit: { type: 'exit', config: { instrument: HELD_YES, stopLoss: 0.2 } },
      });
      const watcher = await world.deploy({
        price: { type: 'market.price', config: { instrument: `${WATCHED}:yes`, field: 'bid' } },
        level: { type: 'constant', config: { value: 2 } },
        above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: 'level' } },
        say: { type: 'notify', config: { text: 'above' }, inputs: { when: 'above' } },
      });
      await tickAfter(0);
      await world.fillQueued();
      await tickAfter(2);
      const exits = async () => (await world.orders(holder)).filter(({ origin }) => origin === 'exit');
      expect(await exits()).toEqual([]);

      change(WATCHED, broken);
      await tickAfter(40);
      change(HELD, { yes_bid_dollars: '0.1000', yes_ask_dollars: '0.1100' });
      await tickAfter(2);
      expect(await exits()).toHaveLength(1);
      expect((await world.blueprint(watcher)).status).toBe('running');
      const states = JSON.stringify((await world.state(watcher)).node_states);
      if ('volume_24h_fp' in broken) expect(states).not.toContain('stale');
      else expect(states).toContain('stale');
      expect(JSON.stringify((await world.state(holder)).node_states)).not.toContain('stale');
    },
  );

  test('of a new instrument does not stop the quotes of others', async () => {
    world.market.list('ETHUSDT');
    await world.deploy({ ...buyAbove(100), other: { type: 'crypto.price', config: { symbol: 'ETHUSDT' } } });
    await world.db.deleteFrom('instrument').where('token_id', '=', BTC).execute();
    const { instrument } = world.market;
    world.market.instrument = (tokenId) =>
      tokenId === BTC
        ? Promise.reject(VenueError.unavailable('sent records of another shape'))
        : instrument.call(world.market, tokenId);
    await world.pollOnce();
    const quotes = await world.db.selectFrom('quote').select('token_id').execute();
    expect(quotes).toEqual([{ token_id: 'ETHUSDT' }]);
  });
});
