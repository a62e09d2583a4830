import type { Db } from '../../db/tables.ts';

/** One number that is not what fills and receipts say it is. */
export type Difference = {
  accountId: string;
  subject: string;
  id: string;
  field: string;
  expected: string;
  actual: string;
};

export async function verifyLedger(_db: Db): Promise<Difference[]> {
  return [];
}
