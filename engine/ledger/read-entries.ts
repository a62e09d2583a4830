import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { Cursor } from './cursor.ts';
import type { FillRow, LedgerAccount, StepRow } from './rows.ts';
import { type TimedEntry, TimeOrder } from './time-order.ts';

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
      select seq, at, true as is_step from order_transition where account_id = ${accountId}
      union all
      select seq, applied_at, false from fill where account_id = ${accountId} and mode = ${mode}
      order by seq`,
  );
  for await (const entries of cursor.pages(pageEntries)) {
    for (const entry of entries) timeOrder.note(entry);
  }
  return timeOrder;
}

export type Stretch = { readonly steps: readonly StepRow[]; readonly fills: readonly FillRow[] };

/** All steps and fills of an account, each up to the same place in the ledger, at most twice `pageEntries` at a time. */
export async function* readStretches(
  trx: Db,
  { accountId, mode }: LedgerAccount,
  pageEntries: number,
): AsyncGenerator<Stretch> {
  const steps = new Ahead(
    await Cursor.open(
      trx,
      'ledger_steps',
      sql<StepRow>`select * from order_transition where account_id = ${accountId} order by seq`,
    ),
  );
  const fills = new Ahead(
    await Cursor.open(
      trx,
      'ledger_fills',
      sql<FillRow>`select * from fill where account_id = ${accountId} and mode = ${mode} order by seq`,
    ),
  );
  for (;;) {
    const ends = [await steps.reach(pageEntries), await fills.reach(pageEntries)];
    const known = ends.filter((end) => end !== null);
    const upTo = known.reduce<bigint | null>(
      (least, end) => (least === null || end < least ? end : least),
      null,
    );
    yield { steps: steps.until(upTo), fills: fills.until(upTo) };
    if (upTo === null) return;
  }
}

/** Rows of a cursor that were read ahead of where the ledger is. */
class Ahead<Row extends { readonly seq: string }> {
  readonly #cursor: Cursor<Row>;
  #rows: Row[] = [];

  constructor(cursor: Cursor<Row>) {
    this.#cursor = cursor;
  }

  /** Up to which place every row is here, once `count` of them are; null for all there are. */
  async reach(count: number): Promise<bigint | null> {
    this.#rows.push(...(await this.#cursor.take(count - this.#rows.length)));
    const last = this.#rows.at(-1);
    return this.#cursor.isOver || last === undefined ? null : BigInt(last.seq);
  }

  until(place: bigint | null): Row[] {
    const end = place === null ? -1 : this.#rows.findIndex(({ seq }) => BigInt(seq) > place);
    return this.#rows.splice(0, end < 0 ? this.#rows.length : end);
  }
}
