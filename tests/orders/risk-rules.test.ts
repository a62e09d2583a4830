import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RiskRule } from '../../engine/risk/rule.ts';
import { RULES } from '../../engine/risk/rules/catalogue.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { readRules, updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { openedForFile } from '../support/opened.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { intentOf, openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeAll(() => fixture.quote(YES));

describe('the table of limits', () => {
  test('has a column for each rule of the catalogue and no other: numbers that cannot be negative, null where off', async () => {
    const columns = await sql<{ name: string; type: string; nullable: boolean; check: string | null }>`
      select c.column_name as name, c.data_type as type, c.is_nullable = 'YES' as nullable,
        (select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k
          where k.conrelid = 'risk_rules'::regclass and k.contype = 'c'
            and pg_get_constraintdef(k.oid) ~ ('\\m' || c.column_name || '\\M')) as check
      from information_schema.columns c
      where c.table_name = 'risk_rules' and c.table_schema = current_schema()`.execute(fixture.db);
    const others = ['account_id', 'mode', 'version', 'updated_at'];
    const limits = columns.rows.filter(({ name }) => !others.includes(name));
    const rules: readonly RiskRule[] = RULES;
    expect(limits.map(({ name }) => name).sort()).toEqual(rules.map(({ column }) => column).sort());
    for (const { column, isWhole, default: preset } of rules) {
      expect(limits.find(({ name }) => name === column)).toMatchObject({
        type: isWhole ? 'integer' : 'numeric',
        nullable: preset === null,
        check: expect.stringMatching(/>= \(?0/),
      });
    }
  });
});

describe('risk rules', () => {
  test('"applies from the next decision on. Pending intents are judged again at approval"', async () => {
    const trader = await fixture.trader({ requireApprovalAbove: 1 });
    const first = await proposeIntent(trader.work(), intentOf(trader));
    const { version } = await updateRules(trader.work(), { maxOrderSize: 0 });
    const second = await proposeIntent(trader.work(), intentOf(trader));
    expect([first.status, second.status]).toEqual(['pending', 'denied']);
    expect((await fixture.order(first.id)).status).toBe('pending');
    const { receipt } = await readOrder(trader.work(), second.id);
    expect(receipt).toMatchObject({ rulesVersion: version, rules: { maxOrderSize: '0' } });
  });

  test('"Resting buys larger than a lowered `maxOrderSize` are canceled (`rule_changed`)"; equal ones, sells and pending ones stay', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    const small = await proposeIntent(trader.work(), intentOf(trader, { amount: '6' }));
    const large = await proposeIntent(trader.work(), intentOf(trader, { amount: '7' }));
    const broker = new ScriptedBroker(fixture.now);
    const resting = await proposeIntent(trader.work(), intentOf(trader, { amount: '8' }));
    await sendOrder(trader.work(), broker, resting.id);
    const sell = await proposeIntent(trader.work(), intentOf(trader, { side: 'sell', amount: '10' }));
    await updateRules(trader.work(), { requireApprovalAbove: 1 });
    const pending = await proposeIntent(trader.work(), intentOf(trader));
    await updateRules(trader.work(), { maxOrderSize: 3 });
    const statuses = [small, large, sell, pending].map(async ({ id }) => (await fixture.order(id)).status);
    expect(await Promise.all(statuses)).toEqual(['queued', 'canceled', 'queued', 'pending']);
    expect(await fixture.order(large.id)).toMatchObject({
      reason_code: 'rule_changed',
      reason: 'maxOrderSize was lowered to 3 USD.',
    });
    expect((await fixture.order(resting.id)).cancel_requested_at).not.toBeNull();
    await cancelAtVenue(trader.work(), broker, resting.id);
    expect(await fixture.order(resting.id)).toMatchObject({
      status: 'canceled',
      reason_code: 'rule_changed',
    });
    await updateRules(trader.work(), { maxOrderSize: 0 });
    expect((await fixture.order(small.id)).status).toBe('canceled');
    await updateRules(trader.work(), { maxOrderSize: 100 });
    expect((await fixture.order(sell.id)).status).toBe('queued');
  });

  test('two changes at once both take effect, one after the other', async () => {
    const trader = await fixture.trader();
    const { version } = await readRules(trader.work());
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        updateRules(trader.work(), index % 2 ? { maxOrderSize: index } : { maxDailyLoss: index + 1 }),
      ),
    );
    expect((await readRules(trader.work())).version).toBe(version + 20);
  });
});
