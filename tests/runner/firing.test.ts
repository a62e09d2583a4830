import { describe, expect, test } from 'vitest';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { openedForEachTest } from '../support/opened.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, type Nodes } from './support.ts';
import { openTimedWorld } from './timed.ts';

const world = openedForEachTest(openTimedWorld);

/** As `buyAbove(100)`, with other settings of the order. */
function buying(config: Record<string, string | number>): Nodes {
  const nodes = buyAbove(100);
  const { buy } = nodes;
  return buy ? { ...nodes, buy: { ...buy, config: { ...buy.config, ...config } } } : nodes;
}

describe('"At deploy the edge starts at false"', () => {
  test('"A restart keeps the edge"', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.at('101');
    await world.fill();
    await world.restart();
    await world.at('102');
    expect(await world.made(deployed)).toEqual([['buy', 'filled']]);
    expect(await world.node(deployed, 'buy')).toMatchObject({ status: 'fired', firedCount: 1 });
  });

  test('"a deploy does not"', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.at('101');
    await world.fill();
    await world.stop(deployed);
    const again = await world.redeploy(deployed);
    await world.at('102');
    expect(await world.made(again)).toEqual([['buy', 'queued']]);
    expect(await world.node(again, 'buy')).toMatchObject({ status: 'fired', firedCount: 1 });
  });
});

describe('"on the rising edge, compared with the last known value"', () => {
  test('"No action fires on unknown": a stale quote is none', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.at('99');
    world.market.quote(BTC, { last: '101', bid: '101', ask: '101.01' });
    await world.wait(120_000);
    await world.tick();
    expect(await world.states(deployed)).toMatchObject({
      price: { status: 'stale', value: null, reason: { code: 'stale' } },
      above: { status: 'stale', value: null },
      buy: { status: 'stale' },
    });
    expect(await world.made(deployed)).toEqual([]);
  });
});

describe('"An order node with a live order consumes edges and says order_live"', () => {
  test('and takes the next one once the order has ended', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.at('101');
    await world.at('99');
    await world.at('101');
    expect(await world.node(deployed, 'buy')).toMatchObject({
      status: 'blocked',
      reason: { code: 'order_live' },
      firedCount: 1,
    });
    await world.fill();
    await world.at('102');
    expect(await world.made(deployed)).toEqual([['buy', 'filled']]);
    await world.at('99');
    await world.at('101');
    expect(await world.made(deployed)).toEqual([
      ['buy', 'filled'],
      ['buy', 'queued'],
    ]);
  });

  test('"a partial fill does not re-arm"', async () => {
    const deployed = await world.deploy(buying({ type: 'limit' }));
    await world.at('101');
    await world.fill({ amount: '0.4' });
    expect(await world.made(deployed)).toEqual([['buy', 'partially_filled']]);
    await world.at('99');
    await world.at('101');
    expect(await world.made(deployed)).toHaveLength(1);
    expect(await world.node(deployed, 'buy')).toMatchObject({ reason: { code: 'order_live' } });
  });

  test('"a denial spends the edge and blocks the node for 60 s", with the receipt’s reason', async () => {
    const accountId = await world.account({ maxOrderSize: 50 });
    const deployed = await world.deploy(buyAbove(100), accountId);
    await world.at('101');
    const [denied] = await world.orders(deployed);
    expect(denied?.status).toBe('denied');
    const blocked = { status: 'blocked', reason: { code: 'denied', message: denied?.reason } };
    await world.at('101');
    expect(await world.node(deployed, 'buy')).toMatchObject({ ...blocked, firedCount: 1 });
    await updateRules(world.workOf(accountId), { maxOrderSize: 1_000 });
    await world.at('99');
    await world.at('101');
    expect(await world.node(deployed, 'buy')).toMatchObject(blocked);
    expect(await world.made(deployed)).toHaveLength(1);

    await world.wait(61_000);
    await world.at('99');
    await world.at('101');
    expect(await world.made(deployed)).toEqual([
      ['buy', 'denied'],
      ['buy', 'queued'],
    ]);
  });
});

describe('the output of an order', () => {
  test('"is true for the one step after its order ended with anything filled", never in the step itself', async () => {
    const deployed = await world.deploy({
      ...buyAbove(100),
      say: { type: 'notify', config: { text: 'bought' }, inputs: { when: 'buy' } },
    });
    const said = async () =>
      (await world.events(deployed.accountId)).filter(({ type }) => type === 'notification').length;
    await world.at('101');
    await world.at('101');
    expect(await said()).toBe(0);
    await world.fill({ amount: '0.4' });
    expect(await world.made(deployed)).toEqual([['buy', 'canceled']]);
    await world.at('101');
    expect(await said()).toBe(1);
    expect(await world.node(deployed, 'buy')).toMatchObject({ value: true });
    await world.at('101');
    expect(await world.node(deployed, 'say')).toMatchObject({ status: 'idle', firedCount: 1 });
  });
});

describe('"Buy and sell of one instrument in one step"', () => {
  test('"the sell stays, the buy is blocked: conflict"', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.at('101');
    await world.fill();
    await world.stop(deployed);
    const again = await world.deployOver(deployed, {
      ...buyAbove(100),
      sell: {
        type: 'order',
        config: { instrument: BTC, side: 'sell', type: 'market' },
        inputs: { when: 'above', amount: 'amount' },
      },
    });
    await world.at('102');
    expect(await world.made(again)).toEqual([['sell', 'queued']]);
    expect(await world.node(again, 'buy')).toMatchObject({ status: 'blocked', reason: { code: 'conflict' } });
  });
});
describe('slow facts', () => {
  test('reach the nodes that read them, and are reported as missing where the venue states none', async () => {
    world.market.quote(BTC, { volume24h: '1582392211.11', change24h: '-0.0314' });
    const deployed = await world.deploy({
      volume: { type: 'market.info', config: { instrument: BTC, field: 'volume24h' } },
      interest: { type: 'market.info', config: { instrument: BTC, field: 'openInterest' } },
      change: { type: 'crypto.price', config: { symbol: BTC, field: 'change24h' } },
    });
    await world.at('100');
    expect(await world.states(deployed)).toMatchObject({
      volume: { status: 'ok', value: 1582392211.11 },
      interest: { status: 'waiting', reason: { code: 'no_data' } },
      change: { status: 'ok', value: -0.0314 },
    });
  });
});

describe('node states', () => {
  test('have value, reason, distance, count and times of each node’s actions', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.at('98');
    const before = await world.states(deployed);
    expect(before).toMatchObject({
      price: { status: 'ok', value: 98, firedCount: 0 },
      level: { status: 'ok', value: 100 },
      above: { status: 'ok', value: false, distance: 2 },
      buy: { status: 'idle', firedCount: 0 },
    });
    expect(before['buy']?.lastFiredAt).toBeUndefined();
    await world.at('101');
    const after = await world.states(deployed);
    expect(after).toMatchObject({
      above: { status: 'ok', value: true, distance: 1 },
      buy: { status: 'fired', firedCount: 1, reason: { code: 'triggered' } },
    });
    expect(Math.abs((after['buy']?.lastFiredAt ?? 0) - Date.now())).toBeLessThan(10_000);
    expect(after['price']?.updatedAt).toBeGreaterThanOrEqual(before['price']?.updatedAt ?? 0);
  });
});
