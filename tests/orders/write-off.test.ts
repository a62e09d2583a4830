import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { portfolioSummary } from '../../engine/books/accounting/portfolio.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { writeOff } from '../../engine/trading/positions/write-off.ts';
import { deleteBlueprint } from '../../engine/usecases/blueprints/drafts/delete.ts';
import { previewOrder } from '../../engine/usecases/risk-rules/preview.ts';
import { differencesAfter } from '../support/ledger-differences.ts';
import { openedForFile } from '../support/opened.ts';
import { addInstrument, openTradingFixture, type Trader } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let tokenId: string;
let count = 0;
beforeEach(async () => {
  count += 1;
  tokenId = `KXSTUCK${count}-26:yes`;
  await addInstrument(fixture.db, tokenId);
  await fixture.quote(tokenId);
});

async function holder(amount = '10'): Promise<Trader> {
  const trader = await fixture.trader();
  await fixture.trade(trader, { tokenId, amount });
  await fixture.quote(tokenId);
  return trader;
}
const delist = () =>
  sql`update instrument set delisted_at = clock_timestamp() where token_id = ${tokenId}`.execute(fixture.db);
const cashOf = async ({ accountId }: Trader) =>
  Number(
    (
      await fixture.db
        .selectFrom('trading_account')
        .select('cash')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    ).cash,
  );

describe('an unsellable position', () => {
  test('of an instrument its venue no longer knows is written off at a stated value, and frees its slot', async () => {
    const trader = await holder();
    await delist();
    await expect(closePosition(trader.work(), { tokenId, amount: '10' })).rejects.toMatchObject({
      code: 'market_not_open',
      message: `Its venue does not know ${tokenId} any more. The holding can be written off in a web session.`,
    });
    await expect(deleteBlueprint(trader.work(), trader.blueprintId)).rejects.toThrow(
      /Write it off under Portfolio/,
    );
    expect(await writeOff(trader.work(), { tokenId, value: '0.25' })).toEqual({
      tokenId,
      amount: '10',
      value: '0.25',
      realizedPnl: '-2.5',
    });
    expect(await cashOf(trader)).toBe(9_997.5);
    expect(await portfolioSummary(trader.work())).toMatchObject({ openPositions: 0 });
    await deleteBlueprint(trader.work(), trader.blueprintId);
    const entries = await fixture.db
      .selectFrom('cash_entry')
      .select(['kind', 'amount'])
      .where('account_id', '=', trader.accountId)
      .where('kind', '=', 'write_off')
      .execute();
    expect(entries).toEqual([{ kind: 'write_off', amount: '2.500000000000' }]);
    const trail = await fixture.db
      .selectFrom('audit_event')
      .select(['actor', 'before', 'after'])
      .where('account_id', '=', trader.accountId)
      .where('action', '=', 'position.written_off')
      .execute();
    expect(trail).toMatchObject([
      { actor: 'session:tester', before: { amount: '10', cost: '5' }, after: { value: '0.25' } },
    ]);
  });
});

test('a write-off that the audit trail does not state is a difference of the ledger', async () => {
  const trader = await holder();
  await delist();
  await writeOff(trader.work(), { tokenId, value: '0.25' });
  expect(await fixture.differences()).toEqual([]);
  const unsaid = `delete from audit_event where action = 'position.written_off' and account_id = '${trader.accountId}'`;
  expect(await differencesAfter(fixture, trader, unsaid)).toMatchObject([
    { field: 'value of the write-off' },
  ]);
});

test('a holding of another account is not written off', async () => {
  await holder();
  await delist();
  const stranger = await fixture.trader();
  await expect(writeOff(stranger.work(), { tokenId, value: '0' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

describe('a preview of a sale', () => {
  test('warns of a rest that would be unsellable', async () => {
    const trader = await holder('10');
    await sql`update instrument set min_size = 5 where token_id = ${tokenId}`.execute(fixture.db);
    const { warning } = await previewOrder(trader.work(), {
      tokenId,
      side: 'sell',
      type: 'market',
      amount: '7',
    });
    expect(warning).toBe(
      "It would leave 3, which could not be sold then. The amount 3 is below the venue's minimum of 5. Sell all of it, or less.",
    );
  });
});
