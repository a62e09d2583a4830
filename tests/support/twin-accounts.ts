import { expect } from 'vitest';
import type { Work } from '../../engine/platform/context.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import type { ActorAndTime, SimulatedAccount } from '../../engine/research/account/simulated-account.ts';
import type { OpeningBooks } from '../../engine/research/account/simulated-books.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { createManualOrder } from '../../engine/trading/orders/entry/manual-order.ts';
import type { CloseRequest } from '../../engine/trading/orders/entry/plan-close.ts';
import type { ManualOrder } from '../../engine/trading/orders/entry/plan-manual-order.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import type { ProposedIntent } from '../../engine/trading/orders/entry/proposed-intent.ts';
import { refuseDenied } from '../../engine/trading/orders/entry/refusals.ts';
import { cancelOrder, expireOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { instrumentOf } from '../../engine/trading/orders/row.ts';
import type { GameRecorder } from './recorded-game.ts';
import type { QuoteFields, Trader, TradingFixture } from './trading-fixture.ts';
import { type ComparedRows, rowsInMemory, storedRows } from './two-accounts-rows.ts';

/** The answer of both accounts: the words of a refusal, or null. */
export type TwinAnswers = { stored: string | null; simulated: string | null };
export const NOTHING: TwinAnswers = { stored: null, simulated: null };
export const ACTOR = 'session:tester';

/** The parts of two accounts with one history. */
export type TwinParts<Memory extends SimulatedAccount> = {
  readonly fixture: TradingFixture;
  readonly trader: Trader;
  readonly tokens: readonly string[];
  readonly recorder: GameRecorder<Memory>;
  readonly newId: () => string;
};

/** The books of a trader, as they are stored. */
export async function openingBooksOf({ db }: TradingFixture, { accountId }: Trader): Promise<OpeningBooks> {
  const rules = await db
    .selectFrom('risk_rules')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', 'paper')
    .executeTakeFirstOrThrow();
  const account = await db
    .selectFrom('trading_account')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', 'paper')
    .executeTakeFirstOrThrow();
  return { key: { accountId, mode: 'paper' }, rules, account };
}

/** Two accounts with one history: the stored one of the service, and a simulated one in memory. */
export class TwinAccounts<Memory extends SimulatedAccount> {
  readonly fixture: TradingFixture;
  readonly trader: Trader;
  readonly tokens: readonly string[];
  readonly recorder: GameRecorder<Memory>;
  readonly memory: Memory;
  readonly #newId: () => string;
  #before: { audits: number; events: number } | null = null;

  constructor({ fixture, trader, tokens, recorder, newId }: TwinParts<Memory>) {
    this.fixture = fixture;
    this.trader = trader;
    this.tokens = tokens;
    this.recorder = recorder;
    this.memory = recorder.account;
    this.#newId = newId;
  }

  /** Audit rows and events from here on belong to the game. */
  async begin(): Promise<void> {
    await this.#storedRows();
  }

  /** Both have answered the same, and hold the same rows. */
  async compare(move: string, { stored, simulated }: TwinAnswers): Promise<void> {
    expect(simulated, `the answer to ${move}`).toEqual(stored);
    expect(rowsInMemory(this.memory)).toEqual(await this.#storedRows());
  }

  /** An instrument as it is stored. */
  async list(token: string): Promise<void> {
    const row = await this.fixture.db
      .selectFrom('instrument')
      .selectAll()
      .where('token_id', '=', token)
      .executeTakeFirstOrThrow();
    this.memory.list(instrumentOf(row));
  }

  async quote(token: string, fields: QuoteFields): Promise<void> {
    await this.fixture.quote(token, fields);
    const { mark_price, mark_at, seen_at, no_bid_since, mark_fell_at, mark_before_fall, ...quote } =
      await this.fixture.db
        .selectFrom('quote')
        .selectAll()
        .where('token_id', '=', token)
        .executeTakeFirstOrThrow();
    this.memory.quote(quote);
  }

  /** Runs on both accounts, one after the other; a refusal is a valid result. */
  async both(
    stored: (work: Work) => Promise<unknown>,
    simulated: (moment: ActorAndTime) => unknown,
    actor = ACTOR,
  ): Promise<TwinAnswers> {
    const work = this.fixture.workOf(this.trader.accountId, actor, this.#newId);
    return {
      stored: await answerOf(() => stored(work)),
      simulated: await answerOf(async () => simulated({ actor, now: this.fixture.now() })),
    };
  }

  /** Picks one of the orders in the given statuses, or of all. */
  async onOrder(
    index: number,
    statuses: readonly string[] | null,
    stored: (work: Work, id: string) => Promise<unknown>,
    simulated: (moment: ActorAndTime, id: string) => unknown,
    actor = ACTOR,
  ): Promise<TwinAnswers> {
    const orders = [...this.memory.rows.orders.values()].reverse();
    const fitting = statuses === null ? orders : orders.filter(({ status }) => statuses.includes(status));
    const id = fitting[index % Math.max(fitting.length, 1)]?.id;
    if (id === undefined) return NOTHING;
    return this.both(
      (work) => stored(work, id),
      (moment) => simulated(moment, id),
      actor,
    );
  }

  protected tokenOf(index: number): string {
    return this.tokens[index] ?? '';
  }

  protected propose(intent: ProposedIntent): Promise<TwinAnswers> {
    return this.both(
      (work) => proposeIntent(work, intent),
      (moment) => this.memory.propose(intent, moment),
    );
  }

  protected close(request: CloseRequest, actor = ACTOR): Promise<TwinAnswers> {
    return this.both(
      (work) => closePosition(work, request),
      (moment) => refuseDenied(this.memory.close(request, moment)),
      actor,
    );
  }

  protected orderByHand(request: ManualOrder): Promise<TwinAnswers> {
    return this.both(
      (work) => createManualOrder(work, request),
      (moment) => refuseDenied(this.memory.orderByHand(request, moment)),
    );
  }

  protected approve(index: number, statuses: readonly string[]): Promise<TwinAnswers> {
    return this.onOrder(
      index,
      statuses,
      (work, id) => approveOrder(work, id),
      (moment, id) => this.memory.approve(id, moment),
    );
  }

  protected cancel(index: number): Promise<TwinAnswers> {
    return this.onOrder(
      index,
      null,
      (work, id) => cancelOrder(work, id),
      (moment, id) => this.memory.cancel(id, moment),
    );
  }

  protected expire(index: number): Promise<TwinAnswers> {
    return this.onOrder(
      index,
      null,
      (work, id) => expireOrder(work, id),
      (moment, id) => this.memory.expire(id, moment),
      'system',
    );
  }

  /** Reads what was stored since the game began. */
  async #storedRows(): Promise<ComparedRows> {
    const {
      audits = [],
      events = [],
      ...rows
    } = await storedRows(this.fixture.db, this.trader.accountId, this.tokens);
    this.#before ??= { audits: audits.length, events: events.length };
    return {
      ...rows,
      audits: audits.slice(this.#before.audits),
      events: events.slice(this.#before.events),
    };
  }
}

/** A refusal is a valid result; anything else is a bug. */
async function answerOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return `${error.code}: ${error.message}`;
    throw error;
  }
}
