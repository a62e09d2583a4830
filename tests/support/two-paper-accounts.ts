import fc from 'fast-check';
import type { TimeInForce } from '../../db/vocabulary.ts';
import { PaperAccount } from '../../engine/research/account/paper-account.ts';
import type { MarketSnapshot } from '../../engine/research/account/paper-venue.ts';
import type { ProposedIntent } from '../../engine/trading/orders/entry/proposed-intent.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openPaperVenue, type PaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { PaperMarket } from './paper-market.ts';
import { countingIds, GameRecorder, type RecordedGame } from './recorded-game.ts';
import {
  addInstrument,
  BTC,
  intentOf,
  type TradingFixture,
  termsOf,
  VENUE_B_TOKEN,
  YES,
} from './trading-fixture.ts';
import { NOTHING, openingBooksOf, TwinAccounts, type TwinAnswers, type TwinParts } from './twin-accounts.ts';

/** Prices are in hundredths of a market's typical price; numbers pick from the items that exist then. */
export type PaperMove =
  | {
      do: 'buy' | 'sell';
      token: number;
      lots: number;
      price: number;
      way: 'market' | TimeInForce;
      expireAfterSec: number | null;
    }
  | { do: 'close'; token: number; lots: number }
  | { do: 'send' | 'approve' | 'cancel' | 'cancel_at_venue' | 'sync' | 'expire'; order: number }
  | { do: 'show'; token: number; price: number; lots: readonly number[]; ageMs: number; isOpen: boolean }
  | { do: 'trades'; low: number; high: number; lots: number }
  | { do: 'advance' | 'down'; token: number }
  | { do: 'wait'; ms: number };

const token = fc.nat(2);
const price = fc.integer({ min: 47, max: 53 });
const lots = fc.integer({ min: 5, max: 30 });
const pick = fc.nat(12);

const wish = fc
  .record({
    do: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
    token,
    lots,
    price,
    way: fc.constantFrom(...(['market', 'gtc', 'gtc', 'gtc', 'gtx', 'ioc', 'fok'] as const)),
    expireAfterSec: fc.option(fc.constantFrom(5, 20, 90), { freq: 3 }),
  })
  .map((each) => (each.do === 'buy' ? each : { ...each, lots: Math.ceil(each.lots / 3) }));

const show = fc.record({
  do: fc.constant('show' as const),
  token,
  price,
  lots: fc.array(fc.integer({ min: 2, max: 20 }), { minLength: 0, maxLength: 3, size: 'max' }),
  ageMs: fc.constantFrom(0, 0, 0, 0, 3_000, 15_000),
  isOpen: fc.nat(20).map((times) => times > 0),
});

/** The markets as they are observed again after a while. */
const seen = fc
  .tuple(price, price, price)
  .map((prices) => prices.map((each, index): PaperMove => ({ ...STEADY, token: index, price: each })));
const STEADY = { do: 'show' as const, lots: [8, 20], ageMs: 0, isOpen: true };

/** A proposal that is sent at once. */
const order = wish.map((each): PaperMove[] => [each, { do: 'approve', order: 0 }, { do: 'send', order: 0 }]);

/** A market moves and is matched against resting orders. */
const turn = show.map((each): PaperMove[] => [
  { do: 'wait', ms: 700 },
  each,
  { do: 'advance', token: each.token },
]);

/** A minute of trades closes and is matched against resting orders in coins. */
const minute = fc
  .tuple(fc.record({ do: fc.constant('trades' as const), low: price, high: price, lots: fc.nat(400) }), seen)
  .map(([each, shows]): PaperMove[] => [
    { do: 'wait', ms: 60_000 },
    each,
    ...shows,
    { do: 'advance', token: SPOT },
  ]);

const one = fc.oneof(
  wish,
  show,
  fc.record({ do: fc.constant('close' as const), token, lots }),
  fc.record({
    do: fc.constantFrom('send' as const, 'cancel' as const, 'cancel_at_venue' as const, 'sync' as const),
    order: pick,
  }),
  fc.record({ do: fc.constantFrom('approve' as const, 'expire' as const, 'expire' as const), order: pick }),
  fc.record({ do: fc.constantFrom('advance' as const, 'advance' as const, 'down' as const), token }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(100, 2_000, 11_000, 30_000) }),
);

export const paperMoves = (most: number): fc.Arbitrary<PaperMove[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 8, arbitrary: order },
        { weight: 8, arbitrary: turn },
        { weight: 3, arbitrary: minute },
        { weight: 4, arbitrary: seen },
        { weight: 8, arbitrary: one },
      ),
      { minLength: Math.ceil(most / 2), maxLength: most, size: 'max' },
    )
    .map((moves) => moves.flat());

/** The markets traded: the instrument whose terms they copy, the price of a hundredth, and a lot. */
const MARKETS = [
  { like: YES, cent: 0.01, lot: 1, isSpot: false },
  { like: VENUE_B_TOKEN, cent: 0.01, lot: 2.5, isSpot: false },
  { like: BTC, cent: 1_000, lot: 0.00002, isSpot: true },
] as const;
const SPOT = 2;
const marketOf = (index: number) => MARKETS[index] ?? MARKETS[0];

const plain = (value: number): string => String(Number(value.toFixed(8)));

let games = 2_048;

/** Two accounts and one market: a stored one with the paper venue, and a simulated one with its own venue in memory. */
class TwoPaperAccounts extends TwinAccounts<PaperAccount> {
  readonly #market: PaperMarket;
  readonly #venue: PaperVenue;

  static async open(fixture: TradingFixture): Promise<TwoPaperAccounts> {
    const game = ++games;
    const trader = await fixture.trader({ requireApprovalAbove: 8 });
    const opening = await openingBooksOf(fixture, trader);
    const memory = new PaperAccount({ ...opening, newId: countingIds(game) });
    const tokens = MARKETS.map((_market, index) => `PAPER${game}-${index}`);
    const recorder = new GameRecorder(memory, { venue: 'paper', opening, game });
    const twins = new TwoPaperAccounts({ fixture, trader, tokens, recorder, newId: countingIds(game) });
    for (const [index, tokenId] of tokens.entries()) {
      await addInstrument(fixture.db, tokenId, termsOf(marketOf(index).like));
      await twins.list(tokenId);
      await twins.#show({ do: 'show', token: index, price: 50, lots: [10, 10], ageMs: 0, isOpen: true });
    }
    await twins.begin();
    return twins;
  }

  private constructor(twins: TwinParts<PaperAccount>) {
    super(twins);
    const { fixture, newId } = twins;
    this.#market = new PaperMarket(fixture.now);
    this.#venue = openPaperVenue({
      pool: fixture.pool,
      marketData: this.#market,
      clock: fixture.clock,
      newId,
    });
  }

  /** Makes a move on both, and compares their answers and rows. */
  async play(now: PaperMove): Promise<void> {
    await this.compare(now.do, await this.#move(now));
  }

  async #move(now: PaperMove): Promise<TwinAnswers> {
    const { memory } = this;
    const venue = this.#venue;
    switch (now.do) {
      case 'buy':
      case 'sell':
        return this.propose(this.#intentOf(now));
      case 'close':
        return this.close({ tokenId: this.tokenOf(now.token), amount: amountOf(now) });
      case 'approve':
        return this.approve(now.order, ['pending']);
      case 'cancel':
        return this.cancel(now.order);
      case 'expire':
        return this.expire(now.order);
      case 'send':
        return this.onOrder(
          now.order,
          ['queued'],
          (work, id) => sendOrder(work, venue, id),
          (moment, id) => memory.send(id, this.#shown(memory.order(id).token_id), moment),
          'system',
        );
      case 'cancel_at_venue':
        return this.onOrder(
          now.order,
          AT_VENUE,
          (work, id) => cancelAtVenue(work, venue, id),
          (moment, id) => memory.cancelAtVenue(id, moment),
          'system',
        );
      case 'sync':
        return this.onOrder(
          now.order,
          AT_VENUE,
          (work, id) => syncOrder(work, venue, id),
          (moment, id) => memory.sync(id, moment),
          'system',
        );
      case 'show':
        await this.#show(now);
        return NOTHING;
      case 'trades':
        this.#trade(now);
        return NOTHING;
      case 'advance':
        return this.#advance(now.token);
      case 'down':
        this.#market.down = !this.#market.down;
        return NOTHING;
      case 'wait':
        this.fixture.wait(now.ms);
        return NOTHING;
    }
  }

  /** Matches resting orders in a market against its current book, and books the trades. */
  async #advance(index: number): Promise<TwinAnswers> {
    const tokenId = this.tokenOf(index);
    const isSeen = marketOf(index).isSpot && !this.#market.down;
    const candles = isSeen ? await this.#market.closedCandles() : [];
    return this.both(
      async (work) => {
        for (const { id } of await this.#venue.advance([tokenId])) await syncOrder(work, this.#venue, id);
      },
      (moment) => this.memory.advance(tokenId, candles, moment),
      'system',
    );
  }

  async #show(now: Extract<PaperMove, { do: 'show' }>): Promise<void> {
    const tokenId = this.tokenOf(now.token);
    const { cent, lot } = marketOf(now.token);
    const levels = (direction: 1 | -1): [string, string][] =>
      now.lots.map((size, index) => [plain((now.price + direction * (1 + index)) * cent), plain(size * lot)]);
    const [bids, asks] = [levels(-1), levels(1)];
    const asOf = new Date(this.fixture.now().getTime() - now.ageMs).toISOString();
    this.#market.show(tokenId, { bids, asks, asOf });
    const [bid, ask] = [bids[0], asks[0]];
    await this.quote(tokenId, {
      bid: bid?.[0] ?? null,
      ask: ask?.[0] ?? null,
      ...(bid === undefined ? {} : { bidSize: bid[1] }),
      ...(ask === undefined ? {} : { askSize: ask[1] }),
      ageMs: now.ageMs,
      status: now.isOpen ? 'open' : 'paused',
    });
  }

  /** The market that an order meets on arrival now, as the service's venue sees it. */
  #shown(tokenId: string): MarketSnapshot {
    const book = this.#market.books.get(tokenId);
    if (this.#market.down || book === undefined) return null;
    const levels = (side: readonly [string, string][]) => side.map(([price, size]) => ({ price, size }));
    const { asOf } = book;
    const [bids, asks] = [levels(book.bids), levels(book.asks)];
    if (!marketOf(this.tokens.indexOf(tokenId)).isSpot) return { book: { bids, asks, asOf } };
    const [bid, ask] = [bids[0], asks[0]];
    const best = { bid: bid?.price ?? null, bidSize: bid?.size ?? null };
    return { quote: { ...best, ask: ask?.price ?? null, askSize: ask?.size ?? null, asOf } };
  }

  /** The last whole minute of trades in coins. */
  #trade({ low, high, lots: traded }: Extract<PaperMove, { do: 'trades' }>): void {
    const { cent, lot } = marketOf(SPOT);
    const openTimeMs = Math.floor(this.fixture.now().getTime() / 60_000) * 60_000 - 60_000;
    if (openTimeMs <= (this.#market.candles.at(-1)?.openTimeMs ?? 0)) return;
    const range = { low: Math.min(low, high) * cent, high: Math.max(low, high) * cent };
    const ends = { open: low * cent, close: high * cent };
    const times = { openTimeMs, closeTimeMs: openTimeMs + 59_999 };
    this.#market.candles.push({ ...times, ...range, ...ends, volume: Number(plain(traded * lot)) });
  }

  #intentOf(now: Extract<PaperMove, { do: 'buy' | 'sell' }>): ProposedIntent {
    return intentOf(this.trader, {
      side: now.do,
      tokenId: this.tokenOf(now.token),
      amount: amountOf(now),
      ...(now.way === 'market'
        ? { type: 'market', timeInForce: 'ioc' }
        : { limitPrice: plain(now.price * marketOf(now.token).cent), timeInForce: now.way }),
      ...(now.expireAfterSec === null ? {} : { expireAfterSec: now.expireAfterSec }),
    });
  }
}

const AT_VENUE = ['open', 'partially_filled'];
const amountOf = ({ token: index, lots: count }: { token: number; lots: number }): string =>
  plain(count * marketOf(index).lot);

/** Plays a game on both accounts; after each move they hold the same rows. */
export async function playOnPaperAccounts(
  fixture: TradingFixture,
  game: readonly PaperMove[],
): Promise<RecordedGame> {
  const twins = await TwoPaperAccounts.open(fixture);
  for (const each of game) await twins.play(each);
  return twins.recorder.recorded();
}
