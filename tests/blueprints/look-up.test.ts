import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOOK_UPS_MAX } from '../../engine/usecases/blueprints/running/look-up.ts';
import { validateBlueprint } from '../../engine/usecases/blueprints/running/validate.ts';
import type { MarketData } from '../../venues/port.ts';
import { openRunnerWorld, type RunnerWorld } from '../runner/support.ts';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { openWorld } from '../support/world.ts';

/** A drawing that looks at so many instruments that no venue has. */
const madeUp = (count: number, from = 0) => ({
  nodes: Array.from({ length: count }, (_, n) => ({
    id: `n${n}`,
    type: 'market.price',
    data: { config: { instrument: `KXNOPE-${from + n}:yes`, field: 'mid' } },
  })),
  edges: [],
});

describe('a drawing with instruments nobody knows', () => {
  let world: RunnerWorld;
  beforeEach(async () => {
    world = await openRunnerWorld();
  });
  afterEach(() => world.close());

  /** The market, and what it was asked with which priority. */
  function watched() {
    const asked: { tokenId: string; priority: string | undefined }[] = [];
    const market: MarketData = Object.assign(Object.create(world.market) as MarketData, {
      instrument: (tokenId: string, options?: { priority?: string }) => {
        asked.push({ tokenId, priority: options?.priority });
        return world.market.instrument(tokenId);
      },
    });
    return { asked, market };
  }

  async function checker(market: MarketData) {
    const accountId = await world.account();
    const blueprintId = await world.draft(accountId, {});
    return (visual: ReturnType<typeof madeUp>, admit?: () => Promise<void>) =>
      validateBlueprint(world.workOf(accountId), market, blueprintId, visual, admit);
  }

  test('past 32 of them no venue is asked at all, and one issue says so', { tags: ['long'] }, async () => {
    const { asked, market } = watched();
    const check = await checker(market);
    const { valid, issues } = await check(madeUp(LOOK_UPS_MAX + 1));
    expect(valid).toBe(false);
    expect(issues.filter(({ code }) => code === 'too_many_unknown_instruments')).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  test('each is asked about once a minute, whoever names it, after all that others wait for', {
    tags: ['long'],
  }, async () => {
    const { asked, market } = watched();
    const [one, other] = [await checker(market), await checker(market)];
    for (const check of [one, one, other]) {
      const { issues } = await check(madeUp(LOOK_UPS_MAX));
      expect(issues.filter(({ code }) => code === 'unknown_instrument')).toHaveLength(LOOK_UPS_MAX);
    }
    expect(asked).toHaveLength(LOOK_UPS_MAX);
    expect(new Set(asked.map(({ priority }) => priority))).toEqual(new Set(['background']));
  });

  test('asking has to be admitted each time, and what was found until then is not asked again', async () => {
    const { asked, market } = watched();
    const check = await checker(market);
    let left = 10;
    const admit = async () => {
      if (left === 0) throw new Error('enough');
      left -= 1;
    };
    await expect(check(madeUp(30), admit)).rejects.toThrow('enough');
    expect(asked).toHaveLength(10);
    left = 100;
    await check(madeUp(30), admit);
    expect(asked).toHaveLength(30);
  });
});

test('429: look-ups of a drawing count as market data of their caller, and the brake is not touched', async () => {
  const limits = { market_data: { points: 5, windowSec: 600 } };
  const world = await openWorld({ settings: { RATE_LIMITS: JSON.stringify(limits) } });
  try {
    const { http, key } = await world.account();
    const { id } = expectOk(await http('POST', '/api/blueprints', { name: 'x' })) as { id: string };
    const validate = (visual: object) => http('POST', `/api/blueprints/${id}/validate`, { visual });
    expectOk(await validate(madeUp(5)));
    expectOk(await validate(madeUp(5)));
    expectRefusal(await validate(madeUp(5, 100)), 429, 'rate_limited');
    expectRefusal(await world.send('GET', '/api/crypto?symbol=BTCUSDT', { headers: bearer(key) }), 429);
    expectOk(await validate(madeUp(0)));
    expectOk(await http('POST', '/api/blueprints/stop'));
  } finally {
    await world.close();
  }
});
