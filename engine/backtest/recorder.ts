import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { exact, ZERO } from '../decimal.ts';
import { StatisticsRecorder } from '../statistics/statistics.ts';
import type { BacktestHooks, PartKind } from './input.ts';
import { PART_KINDS } from './input.ts';
import { isoOf } from './plain.ts';
import type { EquityPartRow, FillPartRow, LogPartRow, OrderPartRow } from './result.ts';
import { textOfUnits, type Units } from './units.ts';

/** Rows of one kind that are handed on together. */
const PART_ROWS = 2_000;

const DAY_MS = 86_400_000;

/** The span of a run, and what each of its desks begins with. */
export type Opening = {
  readonly fromMs: number;
  readonly toMs: number;
  /** USD, decimal string: of all desks together. */
  readonly start: string;
  readonly riskFree: number;
};

type Stream = { rows: object[]; readonly hash: ReturnType<typeof sha256.create> };

/**
 * What a run comes to, as it goes: rows are handed on in parts and forgotten, statistics and hashes are kept. Equity is that of
 * all desks together; a point that says what the one before it said is counted and not handed on.
 */
export class Recorder {
  readonly #statistics: StatisticsRecorder;
  readonly #streams: Readonly<Record<PartKind, Stream>>;
  readonly #emit: BacktestHooks['part'];
  #equity: Units;
  #held: Units = 0n;
  #equityText: string;
  #heldText = '0';
  #told = { equity: '', held: '', day: Number.NaN };
  #fees = ZERO;

  constructor({ fromMs, toMs, start, riskFree }: Opening, startUnits: Units, emit: BacktestHooks['part']) {
    this.#statistics = new StatisticsRecorder({ fromMs, toMs, start, riskFree });
    this.#emit = emit;
    this.#equity = startUnits;
    this.#equityText = textOfUnits(startUnits);
    this.#streams = Object.fromEntries(
      PART_KINDS.map((kind) => [kind, { rows: [], hash: sha256.create() }]),
    ) as unknown as Record<PartKind, Stream>;
  }

  get fees(): string {
    return this.#fees.toFixed();
  }

  get equity(): string {
    return this.#equityText;
  }

  order(row: OrderPartRow): void {
    this.#add('order', row);
  }

  log(atMs: number, code: string, nodeId: string | null, message: string): void {
    const row: LogPartRow = { at: isoOf(atMs), code, nodeId, message };
    this.#add('log', row);
  }

  /** A trade with the market. */
  fill(row: FillPartRow, atMs: number): void {
    this.#add('fill', row);
    this.#fees = this.#fees.plus(exact(row.fee));
    const { tokenId: holding, side, amount, price, fee } = row;
    const trade = this.#statistics.event(
      row.source === 'settlement'
        ? { kind: 'settlement', holding, atMs, value: price }
        : { kind: 'fill', holding, atMs, side, amount, price, fee },
    );
    if (trade !== null) this.#add('trade', trade);
  }

  /** The worst and the best that a holding was worth since it was traded last. */
  marked(holding: string, atMs: number, low: string, high: string): void {
    this.#statistics.event({ kind: 'mark', holding, atMs, price: low });
    if (high !== low) this.#statistics.event({ kind: 'mark', holding, atMs, price: high });
  }

  /** A desk is worth so much more than when it was valued last, and holds so much more. */
  point(atMs: number, equityMore: Units, heldMore: Units): void {
    if (equityMore !== 0n) {
      this.#equity += equityMore;
      this.#equityText = textOfUnits(this.#equity);
    }
    if (heldMore !== 0n) {
      this.#held += heldMore;
      this.#heldText = textOfUnits(this.#held);
    }
    const row: EquityPartRow = { atMs, equity: this.#equityText, held: this.#heldText };
    this.#statistics.point(row);
    const day = Math.floor((atMs - 1) / DAY_MS);
    const { equity, held } = this.#told;
    if (equity === row.equity && held === row.held && day === this.#told.day) return;
    this.#told = { equity: row.equity, held: row.held, day };
    this.#addEquity(row);
  }

  statistics() {
    return this.#statistics.statistics();
  }

  /** Hands on what has gathered. */
  flush(): void {
    for (const kind of PART_KINDS) this.#flush(kind);
  }

  /** Of all that has been recorded so far. */
  digest(): string {
    return PART_KINDS.map((kind) => bytesToHex(this.#streams[kind].hash.clone().digest())).join(' ');
  }

  #add(kind: PartKind, row: object): void {
    const stream = this.#streams[kind];
    stream.hash.update(utf8ToBytes(`${JSON.stringify(row)}\n`));
    this.#keep(kind, stream, row);
  }

  #addEquity(row: EquityPartRow): void {
    const stream = this.#streams.equity;
    stream.hash.update(utf8ToBytes(`${row.atMs} ${row.equity} ${row.held}\n`));
    this.#keep('equity', stream, row);
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
