import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { freshInstrument, updateTerms } from '../../engine/trading/orders/terms/instruments.ts';
import { type InstrumentInfo, VenueError } from '../../venues/port.ts';
import { type Desk, intentOf, openDesk } from '../support/desk.ts';

const TOKEN = 'KXTERMS-26:yes';
const FEE = {
  formula: 'probability',
  takerRate: '0.02',
  makerRate: '0',
  exponent: 1,
  roundUpTo: null,
} as const;
const INFO: InstrumentInfo = {
  tokenId: TOKEN,
  venue: 'venue-a',
  kind: 'outcome',
  market: 'KXTERMS-26',
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
  closesAt: null,
  status: 'open',
  settlementValue: null,
};

let desk: Desk;
let stated: InstrumentInfo;
let asked = 0;
const venue = {
  async instrument() {
    asked += 1;
    return stated;
  },
};
const down = {
  instrument: () => Promise.reject(VenueError.unavailable('down')),
};
const fresh = (market: typeof venue | typeof down = venue) => freshInstrument(desk.db, market, TOKEN);
const aged = (interval: string) =>
  sql`update instrument set terms_at = clock_timestamp() - ${interval}::interval where token_id = ${TOKEN}`.execute(
    desk.db,
  );
const row = () =>
  desk.db.selectFrom('instrument').selectAll().where('token_id', '=', TOKEN).executeTakeFirstOrThrow();

beforeAll(async () => {
  desk = await openDesk();
});
beforeEach(async () => {
  await desk.db.deleteFrom('instrument').where('token_id', '=', TOKEN).execute();
  stated = INFO;
  asked = 0;
});
afterAll(() => desk.close());

describe('the terms of an instrument', () => {
  test('are fetched at the first use, and again once they are older than five minutes', async () => {
    await fresh();
    await aged('4 minutes');
    await fresh();
    expect(asked).toBe(1);
    stated = { ...INFO, feeSchedule: { ...FEE, takerRate: '0.07' }, minSize: '5', quoteCurrency: 'USDC' };
    await aged('6 minutes');
    expect(await fresh()).toMatchObject({
      fee_schedule: { takerRate: '0.07' },
      min_size: '5.000000000000',
      quote_currency: 'USDC',
    });
    expect(asked).toBe(2);
  });

  test('stored without a date, or by a clock that was ahead, are fetched again', async () => {
    await fresh();
    await desk.db.updateTable('instrument').set({ terms_at: null }).where('token_id', '=', TOKEN).execute();
    await fresh();
    await aged('-1 hour');
    await fresh();
    expect(asked).toBe(3);
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
    await updateTerms(desk.db, { ...INFO, status: 'settled', settlementValue: '0.5' });
    await updateTerms(desk.db, { ...INFO, status: 'open', settlementValue: null });
    expect(await row()).toMatchObject({ status: 'settled', settlement_value: '0.500000000000' });
  });

  test('without news change no field that readers watch', async () => {
    await fresh();
    await aged('1 second');
    const before = await row();
    await updateTerms(desk.db, INFO);
    const after = await row();
    expect(after.updated_at).toBe(before.updated_at);
    expect(after.terms_at).not.toBe(before.terms_at);
  });
});

test('while the venue omits its fee nothing is bought, and a holding is sold by the last stated fee', async () => {
  await fresh();
  await desk.quote(TOKEN);
  const trader = await desk.trader();
  await desk.trade(trader, { tokenId: TOKEN });
  await updateTerms(desk.db, { ...INFO, feeSchedule: null, tradable: false });
  await desk.quote(TOKEN);
  await expect(proposeIntent(trader.work(), intentOf(trader, { tokenId: TOKEN }))).rejects.toThrow(
    'data only',
  );
  expect(await closePosition(trader.work(), { tokenId: TOKEN, amount: '10' })).toMatchObject({
    status: 'queued',
  });
});
