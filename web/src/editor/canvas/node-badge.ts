import {
  Check,
  CircleAlert,
  Clock,
  Hand,
  Hourglass,
  type LucideIcon,
  Moon,
  PowerOff,
  TriangleAlert,
  Unplug,
  Zap,
} from 'lucide-react';
import { nodeValueWords } from '../../format/node-value-words.ts';
import { amount } from '../../format/number.ts';
import { age } from '../../format/time.ts';
import { type Message, msg, t, translateReason } from '../../language/language.ts';
import type { NodeState } from '../../live/events.ts';
import type { Tone } from '../../ui/status.tsx';
import type { Issue } from '../drawing/model.ts';

export type NodeBadge = { word: string; tone: Tone; icon: LucideIcon; count: number; title: string };

const STATES: Record<NodeState['status'], { word: Message; tone: Tone; icon: LucideIcon } | null> = {
  error: { word: msg('failed'), tone: 'bad', icon: CircleAlert },
  missed: { word: msg('missed'), tone: 'warn', icon: Unplug },
  blocked: { word: msg('blocked'), tone: 'warn', icon: Hand },
  stale: { word: msg('stale'), tone: 'warn', icon: Clock },
  waiting: { word: msg('waiting'), tone: 'info', icon: Hourglass },
  fired: { word: msg('fired'), tone: 'ok', icon: Zap },
  ok: { word: msg('ok'), tone: 'ok', icon: Check },
  idle: { word: msg('idle'), tone: 'idle', icon: Moon },
};

/** One mark per node: a fault of the graph first, then the node's own status, else none. `now`: as {@link explainState}. */
export function nodeBadgeOf(
  state: NodeState | undefined,
  issues: readonly Issue[],
  now?: Date,
): NodeBadge | null {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const found = errors.length > 0 ? errors : issues;
  if (!state && found.length > 0) {
    return {
      word: errors.length > 0 ? t('to fix') : t('to check'),
      tone: errors.length > 0 ? 'bad' : 'warn',
      icon: TriangleAlert,
      count: found.length,
      title: found.map(({ message }) => message).join('\n'),
    };
  }
  const style = state && STATES[state.status];
  if (!state || !style) return null;
  return {
    ...style,
    word: t(style.word),
    count: state.status === 'fired' ? state.firedCount : 0,
    title: explainState(state, now),
  };
}

const OFF_MARKS = {
  off: {
    word: msg('off'),
    title: msg('Switched off: it has no value and does nothing.'),
  },
  silent: {
    word: msg('silent'),
    title: msg('Silent: it depends on a node that is switched off.'),
  },
} as const;

/** Replaces any other mark: `silent` means that the step depends on one that is `off`. */
export function switchedOffBadge(silent: 'off' | 'silent'): NodeBadge {
  const { word, title } = OFF_MARKS[silent];
  return { word: t(word), title: t(title), tone: 'idle', icon: PowerOff, count: 0 };
}

/** A node's status in a word. */
export function statusWords(status: NodeState['status']): string {
  const style = STATES[status];
  return style ? t(style.word) : status;
}

/** The reason of a status, and how far it is from changing. `now`: the instant of the state, if that is past. */
export function explainState(state: NodeState, now?: Date): string {
  const lines = [state.reason ? translateReason(state.reason.message) : statusWords(state.status)];
  if (state.value !== null) lines.push(t('value {value}', { value: nodeValueWords(state.value) }));
  if (state.distance !== undefined)
    lines.push(t('{distance} from switching', { distance: amount(Number(state.distance.toPrecision(6))) }));
  if (state.firedCount > 0) {
    const last =
      state.lastFiredAt === undefined
        ? ''
        : t(', last {age}', { age: age(new Date(state.lastFiredAt), now) });
    lines.push(t('fired {firedCount} times{last}', { firedCount: state.firedCount, last }));
  }
  return lines.join('\n');
}
