import { beforeEach, describe, expect, test } from 'vitest';
import {
  ACTIVITY_SUBJECTS,
  type ActivitySubject,
  readActivity,
} from '../../engine/platform/audit/activity.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { orderOverview } from '../../engine/trading/orders/read/overview.ts';
import type { RunnerContext } from '../../server/kernel/rounds/options.ts';
import { storeNotifications } from '../../server/workers/trading/shards/store-notifications.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, NO, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeEach(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
});

/** A fill, a denial and a message of a strategy, in this order. */
async function eventful(): Promise<Trader> {
  const trader = await fixture.trader();
  await fixture.trade(trader, {});
  fixture.wait(1_000);
  await fixture.setRules(trader, { maxOrderSize: 1 });
  fixture.wait(1_000);
  await fixture.quote(YES);
  await proposeIntent(trader.work(), intentOf(trader));
  fixture.wait(1_000);
  const context = { workOf: () => trader.work() } as unknown as RunnerContext;
  const { accountId, blueprintId } = trader;
  await storeNotifications(context, [
    {
      accountId,
      mode: 'paper',
      blueprintId,
      deploymentId: blueprintId,
      nodeId: 'say',
      stepAt: 0,
      severity: 'warning',
      text: 'It crossed.',
    },
  ]);
  return trader;
}

describe('activity', () => {
  test('shows fills, denials and messages of strategies with changes by people, newest first', async () => {
    const trader = await eventful();
    const rows = await readActivity(trader.work(), { limit: 50, after: null });
    const actions = rows.map(({ action }) => action);
    expect(actions.filter((action) => action !== 'risk_rules.changed')).toEqual([
      'notify.said',
      'order.denied',
      'order.filled',
    ]);
    expect(rows[0]).toMatchObject({
      subject_id: trader.blueprintId,
      after: { severity: 'warning', text: 'It crossed.' },
    });
    const { blueprintId } = trader;
    const afterOf = (named: string) => rows.find(({ action }) => action === named)?.after;
    expect(afterOf('order.denied')).toMatchObject({
      blueprintId,
      reason: expect.stringContaining('maxOrderSize'),
    });
    expect(afterOf('order.filled')).toMatchObject({ blueprintId });
  });

  test('is filtered by subject, page by page: each row has one subject', async () => {
    const trader = await eventful();
    const all = await readActivity(trader.work(), { limit: 50, after: null });
    const about = async (subject: ActivitySubject) =>
      (await readActivity(trader.work(), { limit: 50, after: null, about: subject })).map(
        ({ action }) => action,
      );
    expect(await about('trades')).toEqual(['order.denied', 'order.filled']);
    expect(await about('strategies')).toEqual(['notify.said']);
    expect(new Set(await about('risk'))).toEqual(new Set(['risk_rules.changed']));
    const found = await Promise.all(ACTIVITY_SUBJECTS.map(about));
    expect(found.flat().sort()).toEqual(all.map(({ action }) => action).sort());
    const [denied] = await readActivity(trader.work(), { limit: 1, after: null, about: 'trades' });
    const after = { createdAt: new Date(denied?.at ?? '').toISOString(), id: denied?.id ?? '' };
    const next = await readActivity(trader.work(), { limit: 1, after, about: 'trades' });
    expect(next.map(({ action }) => action)).toEqual(['order.filled']);
  });

  test('pages continue where the last one ended, and omit nothing', async () => {
    const trader = await eventful();
    const all = await readActivity(trader.work(), { limit: 50, after: null });
    const paged = [];
    let after: { createdAt: string; id: string } | null = null;
    for (;;) {
      const [row] = await readActivity(trader.work(), { limit: 1, after });
      if (!row) break;
      paged.push(row);
      after = { createdAt: new Date(row.at).toISOString(), id: row.id };
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test("shows nothing of another account's", async () => {
    await eventful();
    const other = await fixture.trader();
    const rows = await readActivity(other.work(), { limit: 50, after: null });
    expect(rows.map(({ action }) => action)).toEqual(['risk_rules.changed']);
  });
});

describe('activity', () => {
  test('is searched in full by action, name and change, and words are no patterns', async () => {
    const trader = await eventful();
    const found = async (find: string) =>
      (await readActivity(trader.work(), { limit: 1, after: null, find })).map(({ action }) => action);
    expect(await found('It crossed')).toEqual(['notify.said']);
    expect(await found('ORDER FILLED')).toEqual(['order.filled']);
    expect(await found('risk rules')).toEqual(['risk_rules.changed']);
    expect(await found('maxordersize')).toEqual(['order.denied']);
    for (const nothing of ['%', '_', 'nowhere', "'; drop table fill; --"])
      expect(await found(nothing)).toEqual([]);
  });

  test('a span has its first instant and not its last', async () => {
    const trader = await eventful();
    const all = await readActivity(trader.work(), { limit: 50, after: null });
    const [newest, second] = all.map(({ at }) => new Date(at).toISOString());
    const between = (from?: string, to?: string) =>
      readActivity(trader.work(), { limit: 50, after: null, from, to });
    expect(await between(undefined, newest)).toHaveLength(all.length - 1);
    expect((await between(second, newest)).map(({ id }) => id)).toEqual([all[1]?.id]);
    expect(await between(newest)).toHaveLength(1);
  });
});

describe('the list of orders', () => {
  test('continues page by page in every order, and omits nothing', async () => {
    const trader = await eventful();
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
    for (const [sort, turned] of [
      ['newest', 'oldest'],
      ['largest', 'smallest'],
    ] as const) {
      const all = ids(await orderOverview(trader.work(), { limit: 50, sort }));
      expect(all.length).toBeGreaterThan(1);
      const paged: string[] = [];
      for (;;) {
        const after = paged.at(-1);
        const page = await orderOverview(trader.work(), { limit: 1, sort, after });
        if (page.length === 0) break;
        paged.push(...ids(page));
      }
      expect(paged).toEqual(all);
      expect(ids(await orderOverview(trader.work(), { limit: 50, sort: turned }))).toEqual(all.toReversed());
    }
    const stranger = await eventful();
    const [theirs] = await orderOverview(stranger.work(), { limit: 1 });
    expect(await orderOverview(trader.work(), { limit: 50, after: theirs?.id })).toEqual([]);
  });

  test('is searched by title, instrument, blueprint and id, and words are no patterns', async () => {
    const trader = await eventful();
    const found = async (find: string) =>
      (await orderOverview(trader.work(), { limit: 50, find })).map(({ tokenId }) => tokenId);
    const all = await orderOverview(trader.work(), { limit: 50 });
    expect(await found('kxtest')).toHaveLength(all.length);
    expect(await found(all[0]?.id.slice(0, 13) ?? '')).not.toEqual([]);
    expect(await found(all[0]?.blueprintName.toUpperCase() ?? '')).toHaveLength(all.length);
    expect(await found('%')).toEqual([]);
    expect(await found('KXTEST_26')).toEqual([]);
    expect(await found('nowhere')).toEqual([]);
  });
});
