import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { differencesAfter, expectDifferencesByPages } from '../support/ledger-differences.ts';
import { openedForFile } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { openTradingFixture, type Trader } from '../support/trading-fixture.ts';
import { playWavesOf } from '../support/trading-model.ts';
import { waves } from '../support/trading-moves.ts';

/** Random, and the same each time: one client, so that nothing races. */
const GAMES = fc.sample(waves({ waves: 60, clients: 1 }), { seed: 41, numRuns: 3 });
const fixture = openedForFile(openTradingFixture);
const traders: Trader[] = [];
beforeAll(async () => {
  for (const game of GAMES) traders.push(await playWavesOf(fixture, game));
});

const some = (column: string) => `substr(md5(${column}::text), 1, 1) < '6'`;

describe('the differences do not depend on page ends', () => {
  test.each([...GAMES.keys()])('in world %i', { tags: ['long'] }, async (index) => {
    const trader = traders[index];
    if (trader === undefined) throw new Error('Nothing was played.');
    for (const differences of await expectDifferencesByPages(fixture, trader))
      expect(differences).toEqual([]);

    const found: number[] = [];
    for (const tampering of [
      `update order_transition set seq = -seq`,
      `update order_transition set seq = 1`,
      `update order_transition set seq = seq / 40`,
      `with moved as (update order_transition set seq = seq / 40) update fill set seq = seq / 40`,
      `update order_transition set at = at - interval '1 hour' where ${some('order_id')}`,
      `delete from order_transition where ${some('order_id')}`,
      `delete from order_transition where number = 1`,
      `delete from trade_order where ${some('id')}`,
      `update trade_order set receipt = '{}' where ${some('id')}`,
      `update trade_order set status = 'open' where ${some('id')}`,
      `update fill set order_id = null`,
      `update fill set applied_at = applied_at + seq % 2 * interval '1 day'`,
      `delete from fill where seq in (select max(seq) from fill group by account_id)`,
      `delete from cash_entry where ${some('id')}`,
      `update fill_allocation set amount = amount * 2`,
    ])
      found.push((await differencesAfter(fixture, trader, tampering)).length);
    expect(found.filter((count) => count > 0).length).toBeGreaterThan(3);
  });
});

describe('the command', () => {
  const run = () => runCommand('verify-ledger', [], settingsOf(fixture.database));

  test('reports that the ledger agrees, or where it does not, with its exit code', {
    tags: ['long'],
  }, async () => {
    const { accountId } = await fixture.trader();
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The ledger agrees: /) });
    const move = (by: number) =>
      fixture.db
        .updateTable('trading_account')
        .set((row) => ({ cash: row('cash', '+', String(by)) }))
        .where('account_id', '=', accountId)
        .execute();
    await move(1);
    const differs = await run();
    await move(-1);
    expect(differs.code).toBe(1);
    expect(differs.stdout).toContain("'cash'");
    expect(differs.stderr).toMatch(/^The ledger differs in \d+ places\. /m);
  });
});
