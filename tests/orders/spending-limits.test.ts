import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Work } from '../../engine/platform/context.ts';
import type { Receipt } from '../../engine/risk/receipt.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { revokeKey } from '../../engine/trading/keys/revoke.ts';
import type { SpendingLimits } from '../../engine/trading/keys/spending-limits.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { createManualOrder } from '../../engine/trading/orders/entry/manual-order.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);

type Agent = { trader: Trader; keyId: string; work: () => Work; deploymentId: string };

/** A trader, and a key with spending limits that deployed its blueprint. */
async function agent(envelope: (trader: Trader) => SpendingLimits | null): Promise<Agent> {
  const trader = await fixture.trader({ requireApprovalAbove: 1_000, maxOrderSize: 1_000 });
  await fixture.quote(YES);
  const { id: keyId } = await createKey(trader.work(), {
    name: 'Agent',
    scopes: ['blueprints:deploy'],
    createdBy: null,
    envelope: envelope(trader),
  });
  const deploymentId = await fixture.addDeployment(trader, `key:${keyId}`);
  return { trader, keyId, deploymentId, work: () => ({ ...trader.work(), actor: `key:${keyId}` }) };
}

/** Raises an order as a node of the deployed blueprint: ten at 0.50 unless specified otherwise. */
const raise = ({ trader, deploymentId }: Agent, more: object = {}) =>
  proposeIntent(
    { ...trader.work(), actor: 'system' },
    intentOf(trader, {
      deploymentId,
      releaseNumber: 1,
      nodeId: randomUUID(),
      stepAt: fixture.now(),
      ...more,
    }),
  );

const linesOf = ({ receipt }: { receipt: unknown }) =>
  (receipt as Receipt).lines.filter(({ rule }) => rule.startsWith('key'));

describe('the spending limits of a key', () => {
  test("bound each buy of the key's deployments, with a line on the receipt", async () => {
    const bound = await agent(() => ({ maxOrder: '5' }));
    const within = await raise(bound);
    expect(within.status).toBe('queued');
    expect(linesOf(within)).toEqual([
      { rule: 'keyMaxOrder', limit: '5', actual: '5', headroom: '0', verdict: 'pass' },
    ]);
    const beyond = await raise(bound, { amount: '11' });
    expect(beyond).toMatchObject({ status: 'denied', reason_code: 'keyMaxOrder' });
    expect(linesOf(beyond)).toMatchObject([{ rule: 'keyMaxOrder', actual: '5.5', verdict: 'deny' }]);
  });

  test('bound the day, by fills and open buys, and restart at 00:00 UTC', async () => {
    const bound = await agent(() => ({ maxDay: '12' }));
    await raise(bound);
    await raise(bound);
    expect(await raise(bound)).toMatchObject({ status: 'denied', reason_code: 'keyMaxDay' });
    expect((await raise(bound, { amount: '4' })).status).toBe('queued');
    fixture.wait(86_400_000);
    await fixture.quote(YES);
    expect((await raise(bound)).status).toBe('queued');
  });

  test('name blueprints: for others the key buys and sells nothing, nor without a blueprint', async () => {
    const bound = await agent(() => ({ blueprintIds: [randomUUID()] }));
    expect(await raise(bound)).toMatchObject({ status: 'denied', reason_code: 'keyBlueprints' });
    const own = await agent(({ blueprintId }) => ({ blueprintIds: [blueprintId] }));
    await fixture.trade(own.trader, {});
    const refused = { code: 'risk_rule_violated' };
    await expect(closePosition(own.work(), { tokenId: YES, amount: '1' })).rejects.toMatchObject(refused);
    const narrowed = { tokenId: YES, amount: '1', blueprintId: own.trader.blueprintId };
    expect(await closePosition(own.work(), narrowed)).toMatchObject({ status: 'queued' });
  });

  test("require a person's approval for every order of the key; the key cannot approve it", async () => {
    const bound = await agent(() => ({ alwaysApprove: true }));
    const waiting = await raise(bound, { amount: '2' });
    expect(waiting.status).toBe('pending');
    await expect(approveOrder(bound.work(), waiting.id)).rejects.toMatchObject({ code: 'outside_envelope' });
    expect(await fixture.order(waiting.id)).toMatchObject({ status: 'pending' });
    await approveOrder(bound.trader.work(), waiting.id);
    expect(await fixture.order(waiting.id)).toMatchObject({ status: 'queued' });
  });

  test('bound the orders that the key approves for others', async () => {
    const bound = await agent(() => ({ maxOrder: '5' }));
    await fixture.setRules(bound.trader, { requireApprovalAbove: 1 });
    const [small, large] = [
      await proposeIntent(bound.trader.work(), intentOf(bound.trader)),
      await proposeIntent(bound.trader.work(), intentOf(bound.trader, { amount: '12' })),
    ];
    await expect(approveOrder(bound.work(), large.id)).rejects.toMatchObject({ code: 'outside_envelope' });
    expect(await approveOrder(bound.work(), small.id)).toMatchObject({ ok: true });
  });

  test('let the key approve its own order: a buy does not count twice', async () => {
    const bound = await agent(() => ({ maxDay: '8' }));
    await fixture.setRules(bound.trader, { requireApprovalAbove: 1 });
    const waiting = await raise(bound);
    expect(waiting.status).toBe('pending');
    expect(await approveOrder(bound.work(), waiting.id)).toMatchObject({ ok: true });
  });

  test('count approvals for others to the day of the key', async () => {
    const bound = await agent(() => ({ maxDay: '12' }));
    await fixture.setRules(bound.trader, { requireApprovalAbove: 1 });
    const propose = () => proposeIntent(bound.trader.work(), intentOf(bound.trader));
    const waiting = [await propose(), await propose(), await propose()];
    for (const { id } of waiting.slice(0, 2)) await approveOrder(bound.work(), id);
    await expect(approveOrder(bound.work(), waiting[2]?.id ?? '')).rejects.toMatchObject({
      code: 'outside_envelope',
    });
    expect(await raise(bound)).toMatchObject({ status: 'denied', reason_code: 'keyMaxDay' });
  });

  test('end with its key: its deployments buy nothing after that, and still exit', async () => {
    const bound = await agent(() => ({ maxOrder: '5' }));
    await fixture.trade(bound.trader, {});
    await revokeKey(bound.trader.work(), bound.keyId);
    expect(await raise(bound)).toMatchObject({ status: 'denied', reason_code: 'keyEnded' });
    const exit = await raise(bound, {
      origin: 'exit',
      side: 'sell',
      type: 'market',
      timeInForce: 'ioc',
      preapprovedRelease: 1,
    });
    expect(exit.status).toBe('queued');
    expect(linesOf(exit)).toEqual([]);
  });

  test.each([[null], [{ maxOrder: '9' }]])(
    'end with its key, also if they are %j: its requests that wait buy and approve nothing',
    async (limits) => {
      const bound = await agent(() => limits);
      await fixture.setRules(bound.trader, { requireApprovalAbove: 1 });
      const waiting = await proposeIntent(bound.trader.work(), intentOf(bound.trader));
      await revokeKey(bound.trader.work(), bound.keyId);
      await expect(approveOrder(bound.work(), waiting.id)).rejects.toMatchObject({
        code: 'credentials_invalid',
      });
      const buy = {
        tokenId: YES,
        side: 'buy',
        type: 'limit',
        timeInForce: 'fok',
        amount: '1',
        limitPrice: '0.5',
      } as const;
      await expect(createManualOrder(bound.work(), buy)).rejects.toMatchObject({
        code: 'credentials_invalid',
      });
    },
  );
});
