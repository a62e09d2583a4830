import type { Work } from '../context.ts';

export async function declineOrder(_work: Work, _id: string): Promise<{ ok: true; id: string }> {
  throw new Error('under construction');
}
