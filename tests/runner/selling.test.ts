import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { RiskRulesPatch } from '../../engine/usecases/risk-rules/rules.ts';
import { openedForEachTest } from '../support/opened.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, type Deployed, type Nodes } from './support.ts';
import { openTimedWorld } from './timed.ts';

const world = openedForEachTest(openTimedWorld);

const STOP: Nodes = { exit: { type: 'exit', config: { instrument: BTC, stopLoss: 0.2 } } };
/** Closes while the price is below 90. */
const CLOSE: Nodes = {
  floor: { type: 'constant', config: { value: 90 } },
  below: { type: 'compare', config: { op: 'lt' }, inputs: { a: 'price', b: 'floor' } },
  close: { type: 'close', config: { instrument: BTC }, inputs: { when: 'below' } },
};

/** A running blueprint that has bought one unit at about 101. */
async function holding(nodes: Nodes, rules: RiskRulesPatch = {}): Promise<Deployed> {
  const deployed = await world.deploy({ ...buyAbove(100), ...nodes }, await world.account(rules));
  await world.at('101');
  await world.fill();
  expect(await world.held(deployed)).toBe(1);
  return deployed;
}
describe('"Sells of exit carry the deploy’s standing approval"', () => {
  test('those of a close wait for a person', { tags: ['long'] }, async () => {
    const strict = { requireApprovalAbove: 105 };
    const exits = await holding(STOP, strict);
    const closes = await holding(CLOSE, strict);
    await sql`update risk_rules set require_approval_above = 0`.execute(world.db);
    await world.at('50');
    expect((await world.orders(exits)).at(-1)).toMatchObject({
      node_id: 'exit',
      status: 'queued',
      preapproved_release: 1,
    });
    expect((await world.orders(closes)).at(-1)).toMatchObject({
      node_id: 'close',
      status: 'pending',
      preapproved_release: null,
    });
  });
});

describe('"They first cancel unapproved sells of that position"', () => {
  /** Requests a sell, with a person's approval, once the price is above 150. */
  const SELL: Nodes = {
    high: { type: 'constant', config: { value: 150 } },
    rich: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: 'high' } },
    half: { type: 'constant', config: { value: 0.5 } },
    sell: {
      type: 'order',
      config: { instrument: BTC, side: 'sell', type: 'market' },
      inputs: { when: 'rich', amount: 'half' },
    },
  };

  test('so that a sell of units already sold cannot be approved', async () => {
    const deployed = await holding({ ...STOP, ...SELL });
    const neighbour = await world.deploy({ ...buyAbove(100), ...SELL }, deployed.accountId);
    await world.at('102');
    await world.fill();
    await sql`update risk_rules set require_approval_above = 0`.execute(world.db);
    await world.at('160');
    await world.at('160');
    expect((await world.made(deployed)).at(-1)).toEqual(['sell', 'pending']);
    await world.at('50');
    expect(await world.made(deployed)).toEqual([
      ['buy', 'filled'],
      ['sell', 'canceled'],
      ['exit', 'queued'],
    ]);
    expect((await world.orders(deployed))[1]).toMatchObject({ reason_code: 'canceled' });
    // The position of another blueprint is not affected.
    expect((await world.made(neighbour)).at(-1)).toEqual(['sell', 'pending']);
  });

  test('but not for a sell that waits for approval itself', async () => {
    const deployed = await holding({ ...CLOSE, ...SELL });
    await sql`update risk_rules set require_approval_above = 0`.execute(world.db);
    await world.at('160');
    await world.at('50');
    expect((await world.made(deployed)).slice(1)).toEqual([
      ['sell', 'pending'],
      ['close', 'pending'],
    ]);
  });
});
