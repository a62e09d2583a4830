import type { Outputs } from '../../api/trpc.ts';
import { type Message, msg, t } from '../../language/language.ts';
import { cents } from '../number.ts';

type Leaving = Outputs['console']['closedTrades']['rows'][number]['leaving'];

const SOLD: Readonly<Record<string, Message>> = {
  exit: msg('Its exit node sold'),
  close: msg('Its close node sold'),
  order: msg('Its order node sold'),
  manual: msg('You closed it'),
};

/** Why a holding was left, in words: who sold, or what the venue paid. */
export function leavingWords(leaving: Leaving): string {
  if (leaving === null) return '—';
  if (leaving.kind === 'settled') return t('Settled at {value}', { value: cents(leaving.value) });
  const words = t(SOLD[leaving.origin] ?? msg('Sold'));
  return leaving.nodeId === null ? words : `${words} (${leaving.nodeId})`;
}
