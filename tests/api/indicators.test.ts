import { expect, test } from 'vitest';
import { bearer } from '../support/api.ts';
import { draw } from '../support/draw-graph.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint } from '../support/trading.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const HOUR_MS = 3_600_000;
const SYMBOL = 'BTCUSDT';

test('the indicators of a blueprint have their values at the end of each stretch, of its own instrument and account only', async () => {
  const account = await world.account();
  const clientOf = (key: string) => trpcClient(world, bearer(key)).console;
  const id = await addBlueprint(
    account,
    'Average',
    draw({
      close: { type: 'crypto.candle', config: { symbol: SYMBOL, interval: '1h' } },
      average: { type: 'indicator', config: { kind: 'sma', period: 3 }, inputs: { in: 'close' } },
    }),
  );
  const closed = await world.market.closedCandles(SYMBOL, '1h', { limit: 10 });
  const of = {
    id,
    tokenId: SYMBOL,
    from: new Date(closed[5]?.openTimeMs ?? 0).toISOString(),
    stepSec: 3_600,
  };
  const console = clientOf(account.key);

  const [line, ...others] = await console.indicators.query({ ...of, count: 4 });
  expect(others).toEqual([]);
  expect(line).toMatchObject({ nodeId: 'average', name: 'sma 3', isPrice: true });
  const means = [5, 6, 7, 8].map((last) => ({
    at: new Date(Date.parse(of.from) + (last - 5) * HOUR_MS).toISOString(),
    value: expect.closeTo(
      closed.slice(last - 2, last + 1).reduce((sum, { close }) => sum + close / 3, 0),
      6,
    ),
  }));
  expect(line?.points).toEqual(means);

  expect(await console.indicators.query({ ...of, tokenId: 'ETHUSDT', count: 4 })).toEqual([]);
  const years = { ...of, stepSec: 7 * 86_400, count: 200 };
  const [ancient] = await console.indicators.query({ ...years, from: '0001-01-01T00:00:00Z' });
  expect(ancient?.points).toEqual([]);
  await expect(console.indicators.query({ ...years, from: '9999-12-01T00:00:00Z' })).rejects.toMatchObject({
    data: { error: { code: 'validation_failed' } },
  });
  const stranger = clientOf((await world.account()).key);
  await expect(stranger.indicators.query({ ...of, count: 4 })).rejects.toMatchObject({
    data: { error: { code: 'not_found' } },
  });
  const reader = clientOf((await world.account('risk:read')).key);
  await expect(reader.indicators.query({ ...of, count: 4 })).rejects.toMatchObject({
    data: { error: { code: 'insufficient_scope' } },
  });
});
