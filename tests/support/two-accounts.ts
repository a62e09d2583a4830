import { openAccountDay } from '../../engine/books/accounting/day.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import { exact, ZERO } from '../../engine/platform/decimal.ts';
import { type ActorAndTime, SimulatedAccount } from '../../engine/research/account/simulated-account.ts';
import type { ProposedIntent } from '../../engine/trading/orders/entry/proposed-intent.ts';
import { recheckLossLimits } from '../../engine/trading/orders/entry/recheck-loss-limits.ts';
import { applyReport } from '../../engine/trading/orders/execution/apply-report.ts';
import { countAbsentPoll } from '../../engine/trading/orders/execution/order-absence.ts';
import { reconcileOrder, syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { tradedInstrumentOf } from '../../engine/trading/orders/execution/traded-instrument.ts';
import { cancelDeploymentOrders } from '../../engine/trading/orders/lifecycle/cancel-orders.ts';
import { declineOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { settleHolding } from '../../engine/trading/positions/settle-holding.ts';
import { writeOff } from '../../engine/trading/positions/write-off.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import type { VenueOrder } from '../../venues/broker.ts';
import { type AccountMove, NEWEST_ORDER } from './account-moves.ts';
import { endDeployment } from './deployments.ts';
import { countingIds, GameRecorder, type RecordedGame } from './recorded-game.ts';
import { ScriptedBroker } from './scripted-broker.ts';
import { addInstrument, intentOf, type QuoteFields, type TradingFixture } from './trading-fixture.ts';
import { type Move, manualOrderOf } from './trading-moves.ts';
import {
  ACTOR,
  NOTHING,
  openingBooksOf,
  TwinAccounts,
  type TwinAnswers,
  type TwinParts,
} from './twin-accounts.ts';

const KEY = 'key:tester';

let games = 0;

/** Two accounts with one history: the stored one of the service, and a simulated one in memory. */
class TwoAccounts extends TwinAccounts<SimulatedAccount> {
  readonly #stored: ScriptedBroker;
  readonly #simulated: ScriptedBroker;
  readonly #arrivesBy = new Map<string, Date>();
  readonly #quotes = new Map<string, QuoteFields>();
  readonly #answers: [id: string, answer: VenueOrder][] = [];
  #deploymentId = '';
  #step = 0;

  static async open(fixture: TradingFixture): Promise<TwoAccounts> {
    const game = ++games;
    const trader = await fixture.trader({
      maxOrderSize: 60,
      maxOrdersPerMinute: 30,
      maxOpenPositions: 3,
      requireApprovalAbove: 5,
      maxDailyLoss: 12,
      // Their sums are on each receipt, and the receipts of both accounts are equal.
      maxPositionSize: 30,
      maxVenueExposure: 60,
      maxGrossExposure: 60,
      maxBlueprintBudget: 40,
    });
    const tokens = [0, 1, 2].map((index) => `TWIN-${game}-${index}:yes`);
    for (const token of tokens) await addInstrument(fixture.db, token);
    const blueprints = [trader.blueprintId, await fixture.addBlueprint(trader.accountId)];
    const opening = await openingBooksOf(fixture, trader);
    const memory = new SimulatedAccount({ ...opening, newId: countingIds(game) });
    const recorder = new GameRecorder(memory, { venue: 'scripted', opening, game });
    const twins = new TwoAccounts(
      { fixture, trader, tokens, recorder, newId: countingIds(game) },
      blueprints,
    );
    for (const token of tokens) {
      await twins.list(token);
      twins.#quotes.set(token, {});
      await twins.quote(token, {});
    }
    await twins.#deploy();
    await twins.begin();
    return twins;
  }

  readonly blueprints: readonly string[];

  private constructor(twins: TwinParts<SimulatedAccount>, blueprints: readonly string[]) {
    super(twins);
    this.blueprints = blueprints;
    this.#stored = new ScriptedBroker(this.fixture.now);
    this.#simulated = new ScriptedBroker(this.fixture.now);
  }

  /** Makes a move on both, and compares what they answer and what they hold. */
  async play(now: AccountMove): Promise<void> {
    const answers = await this.#move(now);
    for (const [token, quote] of this.#quotes) await this.quote(token, quote);
    await this.compare(now.do, answers);
  }

  async #deploy(): Promise<void> {
    this.#deploymentId = await this.fixture.addDeployment(this.trader);
    const row = await this.fixture.db
      .selectFrom('deployment')
      .select(['id', 'blueprint_id', 'release_number', 'ended_at'])
      .where('id', '=', this.#deploymentId)
      .executeTakeFirstOrThrow();
    this.memory.deploy({ ...row, halted: false });
  }

  async #move(now: AccountMove): Promise<TwinAnswers> {
    const { memory } = this;
    switch (now.do) {
      case 'rules':
        return this.both(
          (work) => updateRules(work, now.rules),
          (moment) => memory.changeRules(now.rules, moment),
        );
      case 'buy':
      case 'sell':
        return this.propose(this.#intentOf(now));
      case 'close': {
        const blueprintId = now.blueprint === null ? undefined : this.blueprints[now.blueprint];
        const request = {
          tokenId: this.tokenOf(now.token),
          amount: String(now.amount),
          ...(blueprintId === undefined ? {} : { blueprintId }),
        };
        return this.close(request, now.amount % 2 === 0 ? KEY : ACTOR);
      }
      case 'by_hand':
        return this.orderByHand(manualOrderOf(now, this.tokenOf(now.token)));
      case 'approve':
        return this.approve(now.order, ['pending', 'queued']);
      case 'decline':
        return this.onOrder(
          now.order,
          ['pending', 'declined'],
          (work, id) => declineOrder(work, id),
          (moment, id) => memory.decline(id, moment),
        );
      case 'cancel':
        return this.cancel(now.order);
      case 'expire':
        return this.expire(now.order);
      case 'send':
        return this.#send(now);
      case 'sync':
      case 'reconcile':
        return this.#ask(now.do, now.order);
      case 'fill':
        return this.#fill(now);
      case 'repeat': {
        const [id, answer] = this.#answers[now.order % Math.max(this.#answers.length, 1)] ?? [];
        if (id === undefined || answer === undefined) return NOTHING;
        return this.#answer(id, answer);
      }
      case 'stop':
        return this.#stop();
      case 'tidy':
      case 'sweep':
        return this.both(
          (work) => recheckLossLimits(work),
          (moment) => memory.tripIfReached(moment.now),
          'system',
        );
      case 'open_day':
        return this.both(
          (work) => underAccountLock(work, (tx, at) => openAccountDay(tx, at)),
          (moment) => memory.openDay(moment.now),
          'system',
        );
      case 'halt':
        return this.#halt();
      case 'quote': {
        const [bid = null, ask = null] = [now.bid, now.ask].map((price) =>
          price === null ? null : (price / 100).toFixed(2),
        );
        const token = this.tokenOf(now.token);
        this.#quotes.set(token, { bid, ask });
        await this.quote(token, { bid, ask, ageMs: now.ageMs });
        return NOTHING;
      }
      case 'wait':
        this.fixture.wait(now.ms);
        return NOTHING;
      case 'settle': {
        const token = this.tokenOf(now.token);
        await this.fixture.closeMarket(token, String(now.value / 100));
        await this.list(token);
        return this.both(
          (work) => settleHolding(work, token),
          (moment) => memory.settle(token, moment),
          'system',
        );
      }
      case 'delist': {
        const token = this.tokenOf(now.token);
        await this.fixture.db
          .updateTable('instrument')
          .set({ delisted_at: this.fixture.now() })
          .where('token_id', '=', token)
          .execute();
        await this.list(token);
        return NOTHING;
      }
      case 'write_off': {
        const request = { tokenId: this.tokenOf(now.token), value: String(now.value / 100) };
        return this.both(
          (work) => writeOff(work, request),
          (moment) => memory.writeOff(request, moment),
        );
      }
    }
  }

  #intentOf(now: Extract<Move, { do: 'buy' | 'sell' }>): ProposedIntent {
    const { do: side, market: isMarket, node: isOfNode, expireAfterSec } = now;
    return intentOf(this.trader, {
      side,
      tokenId: this.tokenOf(now.token),
      amount: String(now.amount),
      ...(isMarket ? { type: 'market' } : { limitPrice: (now.price / 100).toFixed(2) }),
      ...(expireAfterSec === null ? {} : { expireAfterSec }),
      ...(isOfNode
        ? {
            deploymentId: this.#deploymentId,
            nodeId: `n${now.amount % 3}`,
            stepAt: new Date(this.fixture.now().getTime() - (this.#step++ % 3)),
            ...(side === 'sell' ? { origin: 'exit', preapprovedRelease: 1 } : {}),
          }
        : { blueprintId: this.blueprints[now.blueprint] ?? '' }),
    });
  }

  #answer(id: string, answer: VenueOrder): Promise<TwinAnswers> {
    return this.both(
      (work) => applyReport(work, id, answer),
      (moment) => this.memory.answer(id, answer, moment),
      'system',
    );
  }

  async #send(now: Extract<Move, { do: 'send' }>): Promise<TwinAnswers> {
    for (const broker of [this.#stored, this.#simulated]) {
      broker.next = now.venue === 'reject' ? 'refuse' : now.venue;
    }
    return this.onOrder(
      now.order,
      ['queued'],
      (work, id) => sendOrder(work, this.#stored, id),
      (moment, id) => this.#sendSimulated(id, moment),
      'system',
    );
  }

  async #sendSimulated(id: string, moment: ActorAndTime): Promise<void> {
    const { memory } = this;
    const broker = this.#simulated;
    const { token_id } = memory.order(id);
    const instrument = memory.rows.instruments.get(token_id);
    if (instrument === undefined) throw new Error(`${token_id} is not listed.`);
    const prepare = (order: Parameters<ScriptedBroker['prepare']>[0]) =>
      broker.prepare(order, tradedInstrumentOf(instrument), moment.now);
    const submission = memory.submit(id, prepare, moment);
    if (submission === null) return;
    this.#arrivesBy.set(id, submission.prepared.arrivesBy);
    const placed = await broker.place(submission.order, submission.prepared).catch(() => null);
    if (placed?.kind === 'taken') memory.answer(id, placed.order, moment);
    else if (placed?.kind === 'refused') {
      const { code, reason } = placed;
      const rejected = { venueOrderId: null, filledAmount: '0', fills: [], reasonCode: code, reason };
      memory.answer(id, { status: 'rejected', ...rejected }, moment);
    } else memory.loseAnswer(id, 'The answer of the venue was lost.', moment);
  }

  /** Polls the venue for an order: one that is to be canceled, one that rests, or one without an answer. */
  async #ask(what: 'sync' | 'reconcile', order: number): Promise<TwinAnswers> {
    const { memory } = this;
    if (what === 'reconcile') {
      return this.onOrder(
        order,
        ['submitted', 'unknown'],
        (work, id) => reconcileOrder(work, this.#stored, id),
        async (moment, id) => {
          memory.loseAnswer(id, 'Its sending process stopped before the response.', moment);
          const found = await this.#simulated.find({ id });
          if (found.kind === 'found') memory.answer(id, found.order, moment);
          const arrivesBy = this.#arrivesBy.get(id);
          if (found.kind !== 'absent' || arrivesBy === undefined) return;
          const seen = { asOf: found.asOf, arrivesBy };
          const absences = countAbsentPoll({ count: 0, asOf: null }, seen, this.#simulated.absenceProof);
          if (absences.count >= this.#simulated.absenceProof.times) memory.giveUp(id, moment);
        },
        'system',
      );
    }
    return this.onOrder(
      order,
      ['open', 'partially_filled'],
      async (work, id) => {
        if (order % 2 === 0) await cancelAtVenue(work, this.#stored, id);
        await syncOrder(work, this.#stored, id);
      },
      async (moment, id) => {
        const broker = this.#simulated;
        if (order % 2 === 0) {
          await broker.cancel({ id });
          memory.answer(id, broker.state(id), moment);
        }
        memory.answer(id, broker.state(id), moment);
      },
      'system',
    );
  }

  /** The venue trades part of an order, within its limit, and reports it. */
  async #fill(now: Extract<Move, { do: 'fill' }>): Promise<TwinAnswers> {
    const ids = [...this.#stored.orders]
      .filter(([, { status }]) => status === 'open' || now.ends)
      .map(([id]) => id);
    const id = now.order === NEWEST_ORDER ? ids.at(-1) : ids[now.order % Math.max(ids.length, 1)];
    const placed = this.#stored.placed.find((order) => order.id === id);
    const known = id === undefined ? undefined : this.#stored.orders.get(id);
    if (id === undefined || placed === undefined || known === undefined) return NOTHING;
    const done = known.fills.reduce((sum, { amount }) => sum.plus(amount), ZERO);
    const left = exact(placed.amount).minus(done);
    const amount = left.times(now.amount).div(1_000).toDecimalPlaces(3);
    if (amount.lte(0)) return NOTHING;
    const limit = exact(placed.limitPrice);
    const better = exact(now.price).div(1_000);
    const price = placed.side === 'buy' ? limit.minus(better) : limit.plus(better);
    const fill = {
      amount: amount.toFixed(),
      price: (price.lte(0) ? limit : price).toFixed(),
      fee: exact(now.fee).div(100_000).toFixed(),
    };
    const isWhole = left.eq(amount);
    const after = isWhole ? 'filled' : known.status === 'open' && now.ends ? 'canceled' : known.status;
    const answer = this.#stored.fill(id, fill, after);
    this.#simulated.fill(id, fill, after);
    this.#answers.push([id, answer]);
    return this.#answer(id, answer);
  }

  async #stop(): Promise<TwinAnswers> {
    const id = this.#deploymentId;
    const answers = await this.both(
      (work) =>
        underAccountLock(work, async (tx, now) => {
          await endDeployment(tx.db, id, now);
          await cancelDeploymentOrders(tx, id, { now, reason: 'Stopped.' });
        }),
      ({ actor, now }) => {
        const { deployments } = this.memory.rows;
        const deployment = deployments.get(id);
        if (deployment !== undefined) this.memory.deploy({ ...deployment, ended_at: now.toISOString() });
        this.memory.cancelDeployment(id, { now, reason: 'Stopped.' }, actor);
      },
    );
    await this.#deploy();
    return answers;
  }

  async #halt(): Promise<TwinAnswers> {
    const id = this.#deploymentId;
    const which = { reason: 'It has an error.', onlyBuys: true };
    return this.both(
      (work) =>
        underAccountLock(work, async (tx, now) => {
          await tx.db
            .updateTable('deployment_state')
            .set({ halted: true })
            .where('deployment_id', '=', id)
            .execute();
          await cancelDeploymentOrders(tx, id, { now, ...which });
        }),
      ({ actor, now }) => {
        const { deployments } = this.memory.rows;
        const deployment = deployments.get(id);
        if (deployment !== undefined) this.memory.deploy({ ...deployment, halted: true });
        this.memory.cancelDeployment(id, { now, ...which }, actor);
      },
      'system',
    );
  }
}

/** Plays a game on both accounts; after each move they hold the same rows. */
export async function playOnBothAccounts(
  fixture: TradingFixture,
  game: readonly AccountMove[],
): Promise<RecordedGame> {
  const twins = await TwoAccounts.open(fixture);
  for (const each of game) await twins.play(each);
  return twins.recorder.recorded();
}
