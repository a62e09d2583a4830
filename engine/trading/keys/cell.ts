import type { Db } from '../../../db/tables.ts';

/** Returns the number of the cell that this database belongs to; 0 before the first start. */
export async function readCell(db: Db): Promise<number> {
  const row = await db.selectFrom('cell').select('number').executeTakeFirst();
  return row?.number ?? 0;
}

/** Gives a database without a number this one. Returns the number it has from then on. */
export async function claimCell(db: Db, number: number): Promise<number> {
  await db
    .insertInto('cell')
    .values({ id: 1, number })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return readCell(db);
}
