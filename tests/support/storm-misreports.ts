/** Venues that report fills with other amounts than they charge, and the service's reaction. */
import { Decimal } from 'decimal.js';
import type { Venue } from '../../db/vocabulary.ts';
import type { StormWorld, VenueSetup } from './storm-world.ts';

const MONEY: Readonly<Record<Venue, { readonly asset: string; readonly priceBy: string }>> = {
  'venue-a': { asset: 'USD/0', priceBy: '-0.005' },
  'venue-b': { asset: 'pUSD', priceBy: '-0.005' },
  crypto: { asset: 'USDT', priceBy: '-500' },
};
/** Above the tolerance of the books for an account with 1.2 million dollars, USD. */
const CHARGED_LATER = 10_000;
const MISSTATED = 3;

/** Reports the next fills of an account at a better price than they are charged at. */
export function misreportPrices({ venue, venueServer, account }: VenueSetup): void {
  const priceBy = new Decimal(MONEY[venue].priceBy);
  venueServer.venue.exchange.misstate(account, { priceBy, feeBy: new Decimal(0) }, MISSTATED);
}

/** Charges the last fill of an account once more; without a fill the money is withdrawn alike. */
export function chargeTwice({ venue, venueServer, account }: VenueSetup): void {
  const { exchange } = venueServer.venue;
  const fill = exchange.fills.findLast(({ order }) => order.account === account);
  const { asset } = MONEY[venue];
  if (fill === undefined) {
    const amount = new Decimal(-CHARGED_LATER);
    exchange.post(account, { atMs: exchange.now(), kind: 'correction', asset, amount, ref: '' });
    return;
  }
  const sign = fill.order.side === 'buy' ? 1 : -1;
  const price = fill.price.plus(new Decimal(sign * CHARGED_LATER).dividedBy(fill.amount));
  exchange.recharge(account, fill, { price, asset });
}

/** The cash state of each connection: its state, its open difference, and the number of movements without a fill. */
export async function cashStatesOf({ db, work: { accountId }, setups }: StormWorld) {
  return Promise.all(
    setups.map(async ({ connectionId }) => {
      const connection = await db
        .selectFrom('venue_connection')
        .select('state')
        .where('id', '=', connectionId)
        .executeTakeFirstOrThrow();
      const open = await db
        .selectFrom('venue_difference')
        .select(['kind', 'worth'])
        .where('connection_id', '=', connectionId)
        .where('subject', '=', 'cash:USD')
        .where('state', '=', 'open')
        .execute();
      const moves = await db
        .selectFrom('cash_entry')
        .select('kind')
        .where('account_id', '=', accountId)
        .where('connection_id', '=', connectionId)
        .where('fill_id', 'is', null)
        .execute();
      return {
        state: connection.state,
        open: open.map(({ kind, worth }) => ({ kind, isMost: Number(worth) > 0.9 * CHARGED_LATER })),
        moves: moves.length,
      };
    }),
  );
}
export type CashStates = Awaited<ReturnType<typeof cashStatesOf>>;

export const areEntriesStopped = async (world: StormWorld): Promise<boolean> =>
  (await cashStatesOf(world)).every(({ state }) => state === 'reduce_only');
