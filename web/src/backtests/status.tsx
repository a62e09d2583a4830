import { Ban, Check, Clock, Play, X } from 'lucide-react';
import type { BacktestOutline } from '../api/row-types.ts';
import { type Message, msg } from '../language/language.ts';
import { StatusMark, type Tone } from '../ui/status.tsx';

const LOOK = {
  queued: { word: msg('Waiting'), tone: 'info', icon: Clock },
  running: { word: msg('Running'), tone: 'info', icon: Play },
  done: { word: msg('Done'), tone: 'ok', icon: Check },
  failed: { word: msg('Failed'), tone: 'bad', icon: Ban },
  canceled: { word: msg('Canceled'), tone: 'idle', icon: X },
} as const satisfies Record<BacktestOutline['status'], { word: Message; tone: Tone; icon: typeof Ban }>;

export const BacktestStatusMark = ({ status }: Pick<BacktestOutline, 'status'>) => (
  <StatusMark statusStyle={LOOK[status]} />
);
