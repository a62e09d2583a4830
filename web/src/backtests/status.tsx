import { Ban, Check, Clock, Play, X } from 'lucide-react';
import type { BacktestOutline } from '../api/rows.ts';
import { StatusMark, type Tone } from '../ui/status.tsx';

const LOOK = {
  queued: { word: 'Waiting', tone: 'info', icon: Clock },
  running: { word: 'Running', tone: 'info', icon: Play },
  done: { word: 'Done', tone: 'ok', icon: Check },
  failed: { word: 'Failed', tone: 'bad', icon: Ban },
  canceled: { word: 'Canceled', tone: 'idle', icon: X },
} as const satisfies Record<BacktestOutline['status'], { word: string; tone: Tone; icon: typeof Ban }>;

export const BacktestStatusMark = ({ status }: Pick<BacktestOutline, 'status'>) => (
  <StatusMark look={LOOK[status]} />
);
