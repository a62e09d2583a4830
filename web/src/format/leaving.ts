import type { Outputs } from '../api/trpc.ts';
import { cents } from './number.ts';

type Leaving = Outputs['console']['closedTrades']['rows'][number]['leaving'];

const SOLD: Readonly<Record<string, string>> = {
  exit: 'Its exit step sold',
  close: 'Its close step sold',
  order: 'Its order step sold',
  manual: 'You closed it',
};

/** Why a holding was left, in words: who sold, or what the venue paid. */
export function leavingWords(leaving: Leaving): string {
  if (leaving === null) return '—';
  if (leaving.kind === 'settled') return `Settled at ${cents(leaving.value)}`;
  const words = SOLD[leaving.origin] ?? 'Sold';
  return leaving.nodeId === null ? words : `${words} (${leaving.nodeId})`;
}
