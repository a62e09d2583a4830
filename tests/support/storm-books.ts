/**
 * Compares the books of an account with the simulated venues' own ledgers, row by row. Amounts, money, fees and holdings are
 * equal to the last digit. So is the end of each order, with these exceptions:
 *
 * - Venue B shows no order that has ended. The answer of an order may be lost, and the order may end without a trade before a
 *   poll. It then counts as never arrived: `rejected/never_arrived` here, `canceled` there. Nothing was traded and nothing is
 *   reserved. A trade of it that is reported after all is booked late.
 * - An order is matched whole (`filled` there), and then a trade of it fails on the chain. Before its end was known here it is
 *   `canceled/trade_failed`. `filled` would claim that all was bought, and the venue does not restore the rest. An exit that
 *   has to sell the rest decides on statuses, and has to see that something is missing. After its end `filled` stays, as an end
 *   is written once, and the reversal states what is missing.
 * - A buy at venue B is of an amount of money. At better prices that buys more than was ordered: `filled` here. The venue takes
 *   the leftover money for a rest, which it cancels.
 *
 * One word is ours alone. The crypto venue has no orders with an end, so that the service cancels them: `canceled` there,
 * `expired` here.
 */
import { Decimal } from 'decimal.js';
import { type LedgerAccount, ledgerOf } from '../../simulator/trading/ledger.ts';
import { PolymarketTrading } from '../../simulator/trading/polymarket/index.ts';
import { unitPrice } from '../../venues/polymarket/trading/records.ts';
import { moneyOf, type StormWorld, type VenueSetup } from './storm-world.ts';

const FINAL = ['filled', 'canceled', 'expired', 'rejected', 'denied'];
const plain = (value: string | number | bigint): string => new Decimal(String(value)).toFixed();

/** Returns everything that differs: orders, fills, holdings, money, open differences, and the books' own consistency. */
export async function compareBooks(world: StormWorld): Promise<string[]> {
  const found: string[] = [];
  for (const setup of world.setups) found.push(...(await compareVenue(world, setup)));
  found.push(...(await compareMoney(world)));
  const open = await world.db
    .selectFrom('venue_difference')
    .select(['kind', 'subject', 'ours', 'theirs'])
    .where('account_id', '=', world.work.accountId)
    .where('state', '=', 'open')
    .execute();
  found.push(...open.map((row) => `stands open: ${JSON.stringify(row)}`));
  found.push(...(await world.verify()).map((row) => `ledger: ${JSON.stringify(row)}`));
  return found;
}

type Ours = Awaited<ReturnType<typeof readOrders>>[number];
/** An execution as the books store it, with the venue's name of its order. */
type Trade = {
  readonly order: string;
  readonly id: string;
  readonly amount: Decimal;
  readonly price: Decimal;
  readonly fee: Decimal;
};

const readOrders = ({ db, work: { accountId } }: StormWorld, { connectionId }: VenueSetup) =>
  db
    .selectFrom('trade_order as o')
    .leftJoin('order_dispatch as d', (join) =>
      join.onRef('d.account_id', '=', 'o.account_id').onRef('d.order_id', '=', 'o.id'),
    )
    .select([
      'o.id',
      'o.status',
      'o.amount',
      'o.filled_amount',
      'o.reason_code',
      'd.venue_order_id',
      'd.order_id as sent',
    ])
    .where('o.account_id', '=', accountId)
    .where('o.connection_id', '=', connectionId)
    .execute();

async function compareVenue(world: StormWorld, setup: VenueSetup): Promise<string[]> {
  const { venueServer, account, venue } = setup;
  const ledger = ledgerOf(venueServer.venue.exchange).find(({ id }) => id === account.id);
  if (ledger === undefined) return [`${venue}: there is no account`];
  const ours = await readOrders(world, setup);
  const nameOf = (order: Ours) => (venue === 'venue-b' ? order.venue_order_id : order.id) ?? '';
  const theirs = Map.groupBy(ledger.orders, (order) =>
    venue === 'venue-b' ? order.id : order.clientOrderId,
  );
  const known = new Set(ours.map(nameOf));
  const trades = tradesThere(setup, ledger);
  const filledOf = (name: string) =>
    trades
      .filter(({ order, id }) => order === name && !isFailed(setup, id))
      .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
  const here = await tradesHere(world, setup);
  // Reversed before it was reported: there was nothing to book, and nothing to reverse.
  const isUntold = (trade: Trade) => isFailed(setup, trade.id) && !here.some(({ id }) => id === trade.id);
  const takenBack = new Set(trades.filter(({ id }) => isFailed(setup, id)).map(({ order }) => order));
  return [
    ...ours.flatMap((order) => {
      const name = nameOf(order);
      const seen = {
        filled: filledOf(name).toFixed(),
        isPartTakenBack: takenBack.has(name),
        showsEnded: venue !== 'venue-b',
      };
      return compareOrder(order, theirs.get(name) ?? [], seen);
    }),
    ...[...theirs.keys()].filter((name) => !known.has(name)).map((name) => `${name} is not ours`),
    ...compareTrades(
      here,
      trades.filter((trade) => !isUntold(trade)),
    ),
    ...(await compareHolding(world, setup)),
  ].map((line) => `${venue}: ${line}`);
}

function compareOrder(
  ours: Ours,
  theirs: LedgerAccount['orders'],
  { filled, isPartTakenBack, showsEnded }: { filled: string; isPartTakenBack: boolean; showsEnded: boolean },
): string[] {
  const { id, status, amount, filled_amount, reason_code, sent } = ours;
  const what = `order ${id} (${status} ${reason_code ?? ''}, filled ${plain(filled_amount)})`;
  if (!FINAL.includes(status)) return [`${what} has not ended`];
  if (theirs.length > 1) return [`${what} is there ${theirs.length} times`];
  const [there] = theirs;
  const isThere = there !== undefined;
  // Venue B shows no order that ended without a trade: it looks the same as one that never arrived.
  const isUnseen = !showsEnded && there?.status === 'canceled' && filled === '0';
  if (isUnseen && reason_code === 'never_arrived' && plain(filled_amount) === '0') return [];
  const isToBeThere = sent !== null && status !== 'rejected';
  if (isThere !== isToBeThere) return [`${what} is ${there?.status ?? 'not'} there`];
  if (!isThere) return [];
  const endsByFailure = status === 'canceled' && ['trade_failed', 'canceled'].includes(reason_code ?? '');
  const isSameEnd =
    there.status === status || (isPartTakenBack && there.status === 'filled' && endsByFailure);
  const isOwnEnd = reason_code === 'good_till_passed' && there.status === 'canceled';
  const isMoreThanAsked = status === 'filled' && !showsEnded && new Decimal(filled).greaterThan(amount);
  const isWhole = isMoreThanAsked && there.status === 'canceled';
  if ((isSameEnd || isOwnEnd || isWhole) && plain(filled_amount) === filled) return [];
  return [`${what} is ${there.status} there, filled ${filled}`];
}

const isFailed = ({ venueServer }: VenueSetup, tradeId: string): boolean =>
  venueServer.venue instanceof PolymarketTrading &&
  venueServer.venue.clearing.trades.get(tradeId)?.forced === 'FAILED';

/** Trades as the venue's ledger has them. Venue B reports all that a taker matched as one trade, and charges it as one. */
function tradesThere({ venue, tokenId }: VenueSetup, { fills, entries }: LedgerAccount): Trade[] {
  if (venue !== 'venue-b')
    return fills.map(({ id, clientOrderId, amount, price, fee }) => ({
      order: clientOrderId,
      id: venue === 'crypto' ? `${tokenId}:${id}` : id,
      amount: new Decimal(amount),
      price: new Decimal(price),
      fee: new Decimal(fee),
    }));
  return [...Map.groupBy(fills, ({ orderId, id }) => `${orderId} ${id}`).values()].map((parts) => {
    const [{ orderId: order, id, liquidity, side }] = parts as [(typeof parts)[number]];
    const sum = (of: (part: (typeof parts)[number]) => Decimal) =>
      parts.reduce((total, part) => total.plus(of(part)), new Decimal(0));
    const amount = sum((part) => new Decimal(part.amount));
    const cost = sum((part) => new Decimal(part.amount).times(part.price));
    const charged = entries.find(({ kind, ref }) => kind === 'fee' && ref === id)?.amount ?? '0';
    const fee = liquidity === 'taker' ? new Decimal(charged).negated() : new Decimal(0);
    return { order, id, amount, price: unitPrice(cost, amount, side), fee };
  });
}

async function tradesHere(
  { db, work: { accountId } }: StormWorld,
  { connectionId, venue }: VenueSetup,
): Promise<Trade[]> {
  const rows = await db
    .selectFrom('fill as f')
    .innerJoin('order_dispatch as d', (join) =>
      join.onRef('d.account_id', '=', 'f.account_id').onRef('d.order_id', '=', 'f.order_id'),
    )
    .select(['f.order_id', 'd.venue_order_id', 'f.venue_trade_id', 'f.amount', 'f.price', 'f.fee_amount'])
    .where('f.account_id', '=', accountId)
    .where('f.connection_id', '=', connectionId)
    .where('f.kind', '=', 'trade')
    .execute();
  return rows.map((row) => ({
    order: (venue === 'venue-b' ? row.venue_order_id : row.order_id) ?? '',
    id: row.venue_trade_id,
    amount: new Decimal(row.amount),
    price: new Decimal(row.price),
    fee: new Decimal(row.fee_amount),
  }));
}

/** Each execution once, with its price, amount and fee to the last digit. */
function compareTrades(ours: readonly Trade[], theirs: readonly Trade[]): string[] {
  const inWords = ({ order, id, amount, price, fee }: Trade) =>
    `${id} of ${order}: ${amount.toFixed()} @ ${price.toFixed()} fee ${fee.toFixed()}`;
  const [here, there] = [ours.map(inWords), theirs.map(inWords)];
  return [
    ...here.filter((line) => !there.includes(line)).map((line) => `booked here alone: ${line}`),
    ...there.filter((line) => !here.includes(line)).map((line) => `there alone: ${line}`),
    ...here.filter((line, at) => here.indexOf(line) !== at).map((line) => `booked twice: ${line}`),
  ];
}

async function compareHolding(
  { db, work: { accountId } }: StormWorld,
  { tokenId, asset, account }: VenueSetup,
): Promise<string[]> {
  const { amount } = await db
    .selectFrom('position')
    .select(({ fn }) => fn.sum('amount').as('amount'))
    .where('account_id', '=', accountId)
    .where('mode', '=', 'live')
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow();
  const [ours, theirs] = [plain(amount ?? 0), account.holds(asset).toFixed()];
  return ours === theirs ? [] : [`holds ${ours} here, ${theirs} there`];
}

async function compareMoney({ db, work: { accountId }, setups }: StormWorld): Promise<string[]> {
  const { cash } = await db
    .selectFrom('trading_account')
    .select('cash')
    .where('account_id', '=', accountId)
    .where('mode', '=', 'live')
    .executeTakeFirstOrThrow();
  const theirs = setups.reduce((sum, setup) => sum.plus(moneyOf(setup)), new Decimal(0)).toFixed();
  // A trade that venue B reports as one has one price, and its money has six digits.
  const isSame = new Decimal(plain(cash)).minus(theirs).abs().lessThan('0.000001');
  return isSame ? [] : [`cash ${plain(cash)} here, ${theirs} there`];
}
