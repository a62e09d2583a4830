import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { FillRow, LedgerAccount, StepRow } from '../rows.ts';
import { type TimedEntry, TimeOrder } from '../time-order.ts';
import { Cursor } from './cursor.ts';

/** Looks through the times of all steps and fills of an account. */
export async function readTimeOrder(
  trx: Db,
  { accountId, mode }: LedgerAccount,
  pageEntries: number,
): Promise<TimeOrder> {
  const timeOrder = new TimeOrder();
  const cursor = await Cursor.open(
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

export type Stretch = { readonly steps: readonly StepRow[]; readonly fills: readonly FillRow[] };

/**
 * All steps and fills of an account, each up to the same place in the ledger, at most twice `pageEntries` at a time. Where
 * several have one number, which the service never gives twice, steps go before fills and each by its key.
 */
export async function* readStretches(
  trx: Db,
  { accountId, mode }: LedgerAccount,
  pageEntries: number,
): AsyncGenerator<Stretch> {
  const steps = new Ahead(
    await Cursor.open(
      trx,
      'ledger_steps',
      sql<StepRow>`select * from order_transition where account_id = ${accountId} order by seq, order_id, number`,
    ),
  );
  const fills = new Ahead(
    await Cursor.open(
      trx,
      'ledger_fills',
      sql<FillRow>`select * from fill where account_id = ${accountId} and mode = ${mode} order by seq, id`,
    ),
  );
  for (;;) {
    const [stepsEnd, fillsEnd] = [await steps.reach(pageEntries), await fills.reach(pageEntries)];
    yield {
      steps: steps.takeWhile((seq) => fillsEnd === null || seq <= fillsEnd),
      fills: fills.takeWhile((seq) => stepsEnd === null || seq < stepsEnd),
    };
    if (stepsEnd === null && fillsEnd === null) return;
  }
}

/** Rows of a cursor that were read ahead of where the ledger is. */
class Ahead<Row extends { readonly seq: string }> {
  readonly #cursor: Cursor<Row>;
  #rows: Row[] = [];

  constructor(cursor: Cursor<Row>) {
    this.#cursor = cursor;
  }

  /** The place that was reached, once `count` rows are here: further rows may be at it. Null where all are here. */
  async reach(count: number): Promise<bigint | null> {
    this.#rows.push(...(await this.#cursor.take(count - this.#rows.length)));
    const last = this.#rows.at(-1);
    return this.#cursor.isOver || last === undefined ? null : BigInt(last.seq);
  }

  /** The first of them, as long as their places are so. */
  takeWhile(isSo: (seq: bigint) => boolean): Row[] {
    const end = this.#rows.findIndex(({ seq }) => !isSo(BigInt(seq)));
    return this.#rows.splice(0, end < 0 ? this.#rows.length : end);
  }
}
