import type { Work } from '../context.ts';

export async function approveOrder(
  _work: Work,
  _id: string,
  _ifVersion?: number,
): Promise<{ ok: true; id: string }> {
  throw new Error('under construction');
}
