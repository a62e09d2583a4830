import { createHash, type Hash } from 'node:crypto';
import { StatisticsRecorder } from '../../../books/statistics/statistics.ts';
import { type Exact, exact, ZERO } from '../../../platform/decimal.ts';
import type { BacktestHooks, PartKind } from '../input.ts';
import { PART_KINDS } from '../input.ts';
import { toIsoCached } from '../iso-time.ts';
import type { EquityPartRow, FillPartRow, LogPartRow, OrderPartRow } from '../result.ts';
import { Attribution } from './attribution.ts';
import { ExecutionCosts } from './execution-costs.ts';
import { FillGradeCounter } from './fill-grade-counter.ts';
import { ForecastRecorder } from './forecast-recorder.ts';
import { HeldStretches } from './price-coverage.ts';
import { VolumeTaken } from './volume-taken.ts';
import { WinningTrades } from './winning-trades.ts';

/** Rows of one kind per part: few, so that most are dropped before the collector promotes them. */
const PART_ROWS = 250;

const DAY_MS = 86_400_000;

/** The span of a run, and the opening books of each of its simulated accounts. */
export type Opening = {
  readonly fromMs: number;
  readonly toMs: number;
  /** USD, decimal string: of all simulated accounts together. */
  readonly start: string;
  readonly riskFree: number;
  /** Whether the run is compared with a repetition. */
  readonly isChecked: boolean;
  /** The graph of each account, for the probabilities that it forecasts. */
  readonly visuals: readonly unknown[];
};

/** Rows not passed on yet, and lines not hashed yet. */
type Stream = { rows: object[]; lines: string; readonly hash: Hash };

/** Lines are hashed in batches of this number of characters. */
const LINES_MAX = 16_384;

/** Worth of an account, and of its holdings alone. USD. */
export type Worth = { readonly equity: Exact; readonly held: Exact };

/** Usually there is one account: its values are the totals. */
const totalAfter = (total: Exact, before: Exact, after: Exact): Exact =>
  total.eq(before) ? after : total.plus(after).minus(before);

/**
 * Records a run: rows are passed on in parts and dropped, statistics and hashes are retained. Equity is that of all simulated
 * accounts together. A point equal to the previous one is counted, but not passed on.
 */
export class Recorder {
  readonly #statistics: StatisticsRecorder;
  readonly #streams: Readonly<Record<PartKind, Stream>>;
  readonly #emit: BacktestHooks['part'];
  readonly #receipts: Hash | null;
  #equity: Exact;
  #held = ZERO;
  #equityText: string;
  #heldText = '0';
  #told = { equity: '', held: '', day: Number.NaN };
  #fees = ZERO;
  readonly held = new HeldStretches();
  readonly grades = new FillGradeCounter();
  readonly costs = new ExecutionCosts();
  readonly volume = new VolumeTaken();
  readonly attribution = new Attribution();
  readonly forecasts: ForecastRecorder;
  readonly winners = new WinningTrades();

  constructor({ fromMs, toMs, start, riskFree, isChecked, visuals }: Opening, emit: BacktestHooks['part']) {
    this.#receipts = isChecked ? createHash('sha256') : null;
    this.#statistics = new StatisticsRecorder({ fromMs, toMs, start, riskFree });
    this.forecasts = new ForecastRecorder(visuals);
    this.#emit = emit;
    this.#equity = exact(start);
    this.#equityText = this.#equity.toFixed();
    this.#streams = Object.fromEntries(
      PART_KINDS.map((kind) => [kind, { rows: [], lines: '', hash: createHash('sha256') }]),
    ) as unknown as Record<PartKind, Stream>;
  }

  get fees(): string {
    return this.#fees.toFixed();
  }

  get equity(): string {
    return this.#equityText;
  }

  /** The hash of the result excludes receipts: they follow from the rest. The checks of a run compare them as well. */
  order(row: Omit<OrderPartRow, 'receipt'>, receipt: unknown): void {
    const stream = this.#streams.order;
    this.#hash(stream, JSON.stringify(row));
    if (this.#receipts !== null) this.#receipts.update(JSON.stringify(receipt));
    this.#keep('order', stream, { ...row, receipt } satisfies OrderPartRow);
  }

  log(atMs: number, code: string, nodeId: string | null, message: string): void {
    const row: LogPartRow = { at: toIsoCached(atMs), code, nodeId, message };
    this.#add('log', row);
  }

  /** Records a trade with the market, of an order of this node. */
  fill(row: FillPartRow, atMs: number, nodeId: string): void {
    this.#add('fill', row);
    this.attribution.fill(row.tokenId, nodeId);
    if (row.source === 'order') this.forecasts.fill(row.tokenId, row.orderId);
    this.#fees = this.#fees.plus(exact(row.fee));
    this.held.fill(row, atMs);
    if (row.grade !== null) this.grades.fill(row.tokenId, row.grade);
    const { tokenId: holding, side, amount, price, fee } = row;
    const trade = this.#statistics.event(
      row.source === 'settlement'
        ? { kind: 'settlement', holding, atMs, value: price }
        : { kind: 'fill', holding, atMs, side, amount, price, fee },
    );
    if (trade === null) return;
    this.grades.end(trade);
    this.attribution.end(trade);
    this.forecasts.trade(trade);
    this.winners.end(trade);
    this.#add('trade', trade);
  }

  /** Records the lowest and the highest value of a holding since it was last traded. */
  marked(holding: string, atMs: number, low: string, high: string): void {
    this.#statistics.event({ kind: 'mark', holding, atMs, price: low });
    if (high !== low) this.#statistics.event({ kind: 'mark', holding, atMs, price: high });
  }

  /** Takes a valuation of one simulated account, after its last one. Totals are those of all accounts. */
  point(atMs: number, before: Worth, after: Worth): void {
    if (!after.equity.eq(before.equity)) {
      this.#equity = totalAfter(this.#equity, before.equity, after.equity);
      this.#equityText = this.#equity.toFixed();
    }
    if (!after.held.eq(before.held)) {
      this.#held = totalAfter(this.#held, before.held, after.held);
      this.#heldText = this.#held.toFixed();
    }
    const row: EquityPartRow = { atMs, equity: this.#equityText, held: this.#heldText };
    this.#statistics.point(row, this.#equity.toNumber(), this.#held.toNumber());
    const day = Math.floor((atMs - 1) / DAY_MS);
    const { equity, held } = this.#told;
    if (equity === row.equity && held === row.held && day === this.#told.day) return;
    this.#told = { equity: row.equity, held: row.held, day };
    this.#addEquity(row);
  }

  /** Returns the statistics of the span until an instant: its end, or the cancellation of the run. */
  statistics(untilMs?: number) {
    return this.#statistics.statistics(untilMs);
  }

  dailyReturns() {
    return this.#statistics.dailyReturns();
  }

  /** Passes on the collected rows. */
  flush(): void {
    for (const kind of PART_KINDS) this.#flush(kind);
  }

  /** Returns the hash of all that was recorded so far, without receipts. */
  digest(): string {
    return PART_KINDS.map((kind) => {
      const { hash, lines } = this.#streams[kind];
      return hash.copy().update(lines).digest('hex');
    }).join(' ');
  }

  /** Returns the hash of all that was recorded so far. */
  digestOfAll(): string {
    return `${this.digest()} ${this.#receipts === null ? '' : this.#receipts.copy().digest('hex')}`;
  }

  #add(kind: PartKind, row: object): void {
    const stream = this.#streams[kind];
    this.#hash(stream, JSON.stringify(row));
    this.#keep(kind, stream, row);
  }

  #addEquity(row: EquityPartRow): void {
    const stream = this.#streams.equity;
    this.#hash(stream, `${row.atMs} ${row.equity}`);
    this.#keep('equity', stream, row);
  }

  #hash(stream: Stream, line: string): void {
    stream.lines += `${line}\n`;
    if (stream.lines.length < LINES_MAX) return;
    stream.hash.update(stream.lines);
    stream.lines = '';
  }

  #keep(kind: PartKind, stream: Stream, row: object): void {
    stream.rows.push(row);
    if (stream.rows.length >= PART_ROWS) this.#flush(kind);
  }

  #flush(kind: PartKind): void {
    const stream = this.#streams[kind];
    if (stream.rows.length === 0) return;
    this.#emit({ kind, rows: stream.rows });
    stream.rows = [];
  }
}
