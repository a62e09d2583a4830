import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOOK_UPS_MAX } from '../../engine/usecases/blueprints/running/look-up.ts';
import { validateBlueprint } from '../../engine/usecases/blueprints/running/validate.ts';
import type { MarketData } from '../../venues/port.ts';
import { openRunnerWorld, type RunnerWorld } from '../runner/support.ts';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { openWorld } from '../support/world.ts';

/** A graph that reads this number of instruments that no venue has. */
const madeUp = (count: number, from = 0) => ({
  nodes: Array.from({ length: count }, (_, n) => ({
    id: `n${n}`,
    type: 'market.price',
    data: { config: { instrument: `KXNOPE-${from + n}:yes`, field: 'mid' } },
  })),
  edges: [],
});

describe('a graph with unknown instruments', () => {
  let world: RunnerWorld;
  beforeEach(async () => {
    world = await openRunnerWorld();
  });
  afterEach(() => world.close());

  /** A market that records each request with its priority. */
  function watched() {
    const requests: { tokenId: string; priority: string | undefined }[] = [];
    const market: MarketData = Object.assign(Object.create(world.market) as MarketData, {
      instrument: (tokenId: string, options?: { priority?: string }) => {
        requests.push({ tokenId, priority: options?.priority });
        return world.market.instrument(tokenId);
      },
    });
    return { requests, market };
  }

  async function checker(market: MarketData) {
    const accountId = await world.account();
    const blueprintId = await world.draft(accountId, {});
    return (visual: ReturnType<typeof madeUp>, admit?: () => Promise<void>) =>
      validateBlueprint(world.workOf(accountId), market, blueprintId, visual, admit);
  }

  test('with more than 32 of them no venue is called, and one issue says so', {
    tags: ['long'],
  }, async () => {
    const { requests, market } = watched();
    const check = await checker(market);
    const { valid, issues } = await check(madeUp(LOOK_UPS_MAX + 1));
    expect(valid).toBe(false);
    expect(issues.filter(({ code }) => code === 'too_many_unknown_instruments')).toHaveLength(1);
    expect(requests).toEqual([]);
  });

  test('each is looked up once a minute at most, for all callers together, after every other request', {
    tags: ['long'],
  }, async () => {
    const { requests, market } = watched();
    const [one, other] = [await checker(market), await checker(market)];
    for (const check of [one, one, other]) {
      const { issues } = await check(madeUp(LOOK_UPS_MAX));
      expect(issues.filter(({ code }) => code === 'unknown_instrument')).toHaveLength(LOOK_UPS_MAX);
    }
    expect(requests).toHaveLength(LOOK_UPS_MAX);
    expect(new Set(requests.map(({ priority }) => priority))).toEqual(new Set(['background']));
  });

  test('each look-up needs admission, and found instruments are not looked up again', async () => {
    const { requests, market } = watched();
    const check = await checker(market);
    let left = 10;
    const admit = async () => {
      if (left === 0) throw new Error('enough');
      left -= 1;
    };
    await expect(check(madeUp(30), admit)).rejects.toThrow('enough');
    expect(requests).toHaveLength(10);
    left = 100;
    await check(madeUp(30), admit);
    expect(requests).toHaveLength(30);
  });
});

test('429: look-ups of a graph count as market data of their caller, and stop-all is not affected', async () => {
  const limits = { market_data: { points: 5, windowSec: 600 } };
  await using world = await openWorld({ settings: { RATE_LIMITS: JSON.stringify(limits) } });
  const { http, key } = await world.account();
  const { id } = expectOk(await http('POST', '/api/blueprints', { name: 'x' })) as { id: string };
  const validate = (visual: object) => http('POST', `/api/blueprints/${id}/validate`, { visual });
  expectOk(await validate(madeUp(5)));
  expectOk(await validate(madeUp(5)));
  expectRefusal(await validate(madeUp(5, 100)), 429, 'rate_limited');
  expectRefusal(await world.send('GET', '/api/crypto?symbol=BTCUSDT', { headers: bearer(key) }), 429);
  expectOk(await validate(madeUp(0)));
  expectOk(await http('POST', '/api/blueprints/stop'));
});
