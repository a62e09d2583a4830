import { sql } from 'kysely';
import { SqlCursor } from '../../../db/sql-cursor.ts';
import type { Db } from '../../../db/tables.ts';
import { ClockSetbacks, type TimedEntry } from '../clock-setbacks.ts';
import type { FillRow, LedgerAccount, StepRow } from '../rows.ts';

/** Checks the order of the times of all steps and fills of an account. */
export async function readClockSetbacks(
  trx: Db,
  { accountId, mode }: LedgerAccount,
  pageEntries: number,
): Promise<ClockSetbacks> {
  const timeOrder = new ClockSetbacks();
  const cursor = await SqlCursor.open(
    trx,
    'ledger_times',
    sql<TimedEntry>`
      select seq, at, true as is_step, order_id as id, number from order_transition where account_id = ${accountId}
      union all
      select seq, applied_at, false, id, 0 from fill where account_id = ${accountId} and mode = ${mode}
      order by seq, is_step desc, id, number`,
  );
  for await (const entries of cursor.pages(pageEntries)) {
    for (const entry of entries) timeOrder.note(entry);
  }
  return timeOrder;
}

export type EntryBatch = { readonly steps: readonly StepRow[]; readonly fills: readonly FillRow[] };

/**
 * Reads all steps and fills of an account, at most twice `pageEntries` at a time. Each batch ends at one sequence number. The
 * service never gives a number twice. If it still occurs, steps go before fills and each by its key.
 */
export async function* readEntryBatches(
  trx: Db,
  { accountId, mode }: LedgerAccount,
  pageEntries: number,
): AsyncGenerator<EntryBatch> {
  const steps = new ReadAheadCursor(
    await SqlCursor.open(
      trx,
      'ledger_steps',
      sql<StepRow>`select * from order_transition where account_id = ${accountId} order by seq, order_id, number`,
    ),
  );
  const fills = new ReadAheadCursor(
    await SqlCursor.open(
      trx,
      'ledger_fills',
      sql<FillRow>`select * from fill where account_id = ${accountId} and mode = ${mode} order by seq, id`,
    ),
  );
  for (;;) {
    const [stepsEnd, fillsEnd] = [await steps.readUpTo(pageEntries), await fills.readUpTo(pageEntries)];
    yield {
      steps: steps.takeWhile((seq) => fillsEnd === null || seq <= fillsEnd),
      fills: fills.takeWhile((seq) => stepsEnd === null || seq < stepsEnd),
    };
    if (stepsEnd === null && fillsEnd === null) return;
  }
}

/** Rows of a cursor that were read ahead of the current position in the ledger. */
class ReadAheadCursor<Row extends { readonly seq: string }> {
  readonly #cursor: SqlCursor<Row>;
  #rows: Row[] = [];

  constructor(cursor: SqlCursor<Row>) {
    this.#cursor = cursor;
  }

  /**
   * The sequence number that was reached, once `count` rows are read: further rows may share it. Null once all rows are read.
   */
  async readUpTo(count: number): Promise<bigint | null> {
    this.#rows.push(...(await this.#cursor.take(count - this.#rows.length)));
    const last = this.#rows.at(-1);
    return this.#cursor.isExhausted || last === undefined ? null : BigInt(last.seq);
  }

  /** Takes rows from the front, as long as their sequence numbers satisfy `isSo`. */
  takeWhile(isSo: (seq: bigint) => boolean): Row[] {
    const end = this.#rows.findIndex(({ seq }) => !isSo(BigInt(seq)));
    return this.#rows.splice(0, end < 0 ? this.#rows.length : end);
  }
}
