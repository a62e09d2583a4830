import type { Outputs } from '../../api/trpc.ts';
import { type Message, msg, t } from '../../language/language.ts';
import { cents } from '../number.ts';

type ExitReason = Outputs['console']['closedTrades']['rows'][number]['leaving'];

const SOLD: Readonly<Record<string, Message>> = {
  exit: msg('Its exit node sold'),
  close: msg('Its close node sold'),
  order: msg('Its order node sold'),
  manual: msg('You closed it'),
};

/** The end of a position in words: who sold, or the venue's payout. */
export function positionEndWords(leaving: ExitReason): string {
  if (leaving === null) return '—';
  if (leaving.kind === 'settled') return t('Settled at {value}', { value: cents(leaving.value) });
  const words = t(SOLD[leaving.origin] ?? msg('Sold'));
  return leaving.nodeId === null ? words : `${words} (${leaving.nodeId})`;
}
