import { describe, expect, test } from 'vitest';
import { startSimulator } from '../../simulator/index.ts';
import { ObservedClock } from '../../venues/clock.ts';
import { Upstream } from '../../venues/http/upstream.ts';
import { Kalshi } from '../../venues/kalshi/index.ts';
import { ParseErrorLog } from '../../venues/parse-error-log.ts';
import { failureOf } from './support/replay.ts';

describe('a venue that is asked for more than its limit allows', () => {
  test('serves quotes and books for trading first, before views', {
    tags: ['long'],
  }, async () => {
    await using simulator = await startSimulator();
    const clock = new ObservedClock();
    const upstream = (baseUrl: string) =>
      new Upstream({ name: 'venue A', baseUrl, ratePerSec: 3, concurrency: 2, clock });
    const kalshi = new Kalshi({
      api: upstream(`${simulator.url}/kalshi/trade-api/v2`),
      search: upstream(`${simulator.url}/kalshi/v1`),
      clock,
      source: 'simulator',
      parseErrors: new ParseErrorLog(null),
    });
    const views = Array.from({ length: 60 }, (_, index) => kalshi.market(`KXNOPE-${index}`));
    const looked = Promise.all(views.map(failureOf));
    for (let poll = 0; poll < 3; poll += 1) {
      const [quote] = await kalshi.quotes(['KXELONMARS-99:yes']);
      expect(quote?.marketStatus).toBe('open');
      await kalshi.orderBook('KXPRESPARTY-2028-D:yes');
    }
    const kinds = (await looked).map(({ kind }) => kind);
    // Calls that could not be answered in time were refused, rather than queued.
    expect(kinds.filter((kind) => kind === 'unavailable').length).toBeGreaterThan(40);
  });
});
