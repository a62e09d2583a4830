import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { freshInstrument, updateTerms } from '../../engine/trading/orders/terms/instruments.ts';
import { type InstrumentInfo, VenueError } from '../../venues/port.ts';
import { NO_FEE } from '../support/fees.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, openTradingFixture } from '../support/trading-fixture.ts';

const TOKEN = 'KXTERMS-26:yes';
const FEE = { ...NO_FEE, formula: 'probability', takerRate: '0.02' } as const;
const INFO: InstrumentInfo = {
  tokenId: TOKEN,
  venue: 'venue-a',
  kind: 'outcome',
  market: 'KXTERMS-26',
  series: null,
  outcome: 'yes',
  title: 'Terms',
  tickSize: '0.01',
  priceRanges: [],
  stepSize: '1',
  minSize: '1',
  minNotional: null,
  feeSchedule: FEE,
  quoteCurrency: 'USD',
  tradable: true,
  opensAt: null,
  closesAt: null,
  status: 'open',
  settlementValue: null,
};

const fixture = openedForFile(openTradingFixture);
let stated: InstrumentInfo;
let requests = 0;
const venue = {
  async instrument() {
    requests += 1;
    return stated;
  },
};
const down = {
  instrument: () => Promise.reject(VenueError.unavailable('down')),
};
const fresh = (market: typeof venue | typeof down = venue) => freshInstrument(fixture.db, market, TOKEN);
const aged = (interval: string) =>
  sql`update instrument set terms_at = clock_timestamp() - ${interval}::interval where token_id = ${TOKEN}`.execute(
    fixture.db,
  );
const row = () =>
  fixture.db.selectFrom('instrument').selectAll().where('token_id', '=', TOKEN).executeTakeFirstOrThrow();

beforeEach(async () => {
  await fixture.db.deleteFrom('instrument').where('token_id', '=', TOKEN).execute();
  stated = INFO;
  requests = 0;
});

describe('the terms of an instrument', () => {
  test('include its opening time, each change as a fact with its instant; a missing one keeps the last', async () => {
    const [first, moved] = ['2026-01-02T03:00:00.000Z', '2026-01-03T03:00:00.000Z'];
    for (const opensAt of [null, first, null, moved, moved]) {
      stated = { ...INFO, opensAt };
      await fresh();
      await updateTerms(fixture.db, stated);
    }
    const { rows } = await sql<{ opens: string | null }>`
      select facts ->> 'opens_at' as opens from instrument_fact where token_id = ${TOKEN} order by at desc limit 3`.execute(
      fixture.db,
    );
    expect(rows.map(({ opens }) => opens && new Date(opens).toISOString())).toEqual([moved, first, null]);
    expect(new Date((await row()).opens_at ?? '').toISOString()).toBe(moved);
  });

  test('are fetched at the first use, and again once they are older than five minutes', async () => {
    await fresh();
    await aged('4 minutes');
    await fresh();
    expect(requests).toBe(1);
    stated = { ...INFO, feeSchedule: { ...FEE, takerRate: '0.07' }, minSize: '5', quoteCurrency: 'USDC' };
    await aged('6 minutes');
    expect(await fresh()).toMatchObject({
      fee_schedule: { takerRate: '0.07' },
      min_size: '5.000000000000',
      quote_currency: 'USDC',
    });
    expect(requests).toBe(2);
  });

  test('stored without a date, or by a clock that was ahead, are fetched again', async () => {
    await fresh();
    await fixture.db
      .updateTable('instrument')
      .set({ terms_at: null })
      .where('token_id', '=', TOKEN)
      .execute();
    await fresh();
    await aged('-1 hour');
    await fresh();
    expect(requests).toBe(3);
  });

  test('that were not stated in full are fetched again within seconds, and refused until they are', async () => {
    stated = { ...INFO, feeSchedule: null, tradable: false };
    expect(await fresh()).toMatchObject({ tradable: false, fee_schedule: null });
    stated = INFO;
    await aged('3 seconds');
    await expect(fresh(down)).rejects.toThrow(VenueError);
    expect(await fresh()).toMatchObject({ tradable: true, fee_schedule: FEE });
  });

  test('of a venue in trouble stay valid, if they are whole', async () => {
    await fresh();
    await aged('1 hour');
    expect(await fresh(down)).toMatchObject({ tradable: true });
  });

  test('close a market and settle it, and never reopen it or remove a value', async () => {
    await fresh();
    await updateTerms(fixture.db, { ...INFO, status: 'settled', settlementValue: '0.5' });
    await updateTerms(fixture.db, { ...INFO, status: 'open', settlementValue: null });
    expect(await row()).toMatchObject({ status: 'settled', settlement_value: '0.500000000000' });
  });

  test('without news change no field that readers watch', async () => {
    await fresh();
    await aged('1 second');
    const before = await row();
    await updateTerms(fixture.db, INFO);
    const after = await row();
    expect(after.updated_at).toBe(before.updated_at);
    expect(after.terms_at).not.toBe(before.terms_at);
  });
});

test('while the venue omits its fee nothing is bought, and a holding is sold by the last stated fee', async () => {
  await fresh();
  await fixture.quote(TOKEN);
  const trader = await fixture.trader();
  await fixture.trade(trader, { tokenId: TOKEN });
  await updateTerms(fixture.db, { ...INFO, feeSchedule: null, tradable: false });
  await fixture.quote(TOKEN);
  await expect(proposeIntent(trader.work(), intentOf(trader, { tokenId: TOKEN }))).rejects.toThrow(
    'data only',
  );
  expect(await closePosition(trader.work(), { tokenId: TOKEN, amount: '10' })).toMatchObject({
    status: 'queued',
  });
});
