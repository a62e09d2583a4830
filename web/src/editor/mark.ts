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
import { amount, format } from '../format/number.ts';
import { relative } from '../format/time.ts';
import type { NodeState } from '../live/events.ts';
import type { Tone } from '../ui/status.tsx';
import type { Issue } from './drawing/model.ts';

export type Mark = { word: string; tone: Tone; icon: LucideIcon; count: number; title: string };

const STATES: Record<NodeState['status'], { word: string; tone: Tone; icon: LucideIcon } | null> = {
  error: { word: 'failed', tone: 'bad', icon: CircleAlert },
  missed: { word: 'missed', tone: 'warn', icon: Unplug },
  blocked: { word: 'blocked', tone: 'warn', icon: Hand },
  stale: { word: 'stale', tone: 'warn', icon: Clock },
  waiting: { word: 'waiting', tone: 'info', icon: Hourglass },
  fired: { word: 'fired', tone: 'ok', icon: Zap },
  ok: { word: 'ok', tone: 'ok', icon: Check },
  idle: { word: 'idle', tone: 'idle', icon: Moon },
};

/** One mark per node: what is wrong with the drawing first, then what the node says of itself, else none. `now`: as {@link explain}. */
export function markOf(state: NodeState | undefined, issues: readonly Issue[], now?: Date): Mark | null {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const found = errors.length > 0 ? errors : issues;
  if (!state && found.length > 0) {
    return {
      word: errors.length > 0 ? 'to mend' : 'to check',
      tone: errors.length > 0 ? 'bad' : 'warn',
      icon: TriangleAlert,
      count: found.length,
      title: found.map(({ message }) => message).join('\n'),
    };
  }
  const look = state && STATES[state.status];
  if (!state || !look) return null;
  return { ...look, count: state.status === 'fired' ? state.firedCount : 0, title: explain(state, now) };
}

/** In place of any other mark: `silent` is what depends on a step that is `off`. */
export const OFF_MARKS: Readonly<Record<'off' | 'silent', Mark>> = {
  off: {
    word: 'off',
    tone: 'idle',
    icon: PowerOff,
    count: 0,
    title: 'Switched off: it has no value and does nothing.',
  },
  silent: {
    word: 'silent',
    tone: 'idle',
    icon: PowerOff,
    count: 0,
    title: 'Silent: it depends on a step that is switched off.',
  },
};

/** Why it is so, and how far it is from changing. `now`: the instant that the state is of, where that is past. */
export function explain(state: NodeState, now?: Date): string {
  const lines = [state.reason?.message ?? STATES[state.status]?.word ?? state.status];
  if (state.value !== null) lines.push(`value ${valueWords(state.value)}`);
  if (state.distance !== undefined)
    lines.push(`${amount(Number(state.distance.toPrecision(6)))} from switching`);
  if (state.firedCount > 0) {
    const last =
      state.lastFiredAt === undefined ? '' : `, last ${relative(new Date(state.lastFiredAt), now)}`;
    lines.push(`fired ${state.firedCount} times${last}`);
  }
  return lines.join('\n');
}

const DIGITS = 7;

export function valueWords(value: number | boolean | null): string {
  if (value === null) return '—';
  return typeof value === 'boolean' ? (value ? 'true' : 'false') : amount(Number(value.toPrecision(DIGITS)));
}

const compact = format({ notation: 'compact', maximumSignificantDigits: 3 });

/** Below this a number has more zeros than there is room for. */
const TINY = 0.001;

/** A value in the room there is beside an edge: `76.6K`, `2.6e−4`. */
export function shortValue(value: number | boolean): string {
  if (typeof value === 'boolean') return valueWords(value);
  const isTiny = value !== 0 && Math.abs(value) < TINY;
  return isTiny ? value.toExponential(1).replaceAll('-', '−') : compact(value);
}
