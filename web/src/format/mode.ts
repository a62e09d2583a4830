import type { Outputs } from '../api/trpc.ts';

/** Whose money moves. */
export type Mode = Outputs['console']['account']['mode'];

type ModeWords = {
  title: string;
  /** How something runs: `on paper`. */
  phrase: string;
  money: string;
};

const MODES: Readonly<Record<Mode, ModeWords>> = {
  paper: { title: 'Paper', phrase: 'on paper', money: 'simulated money' },
  live: { title: 'Live', phrase: 'with real money', money: 'real money' },
};

export const modeWords = (mode: Mode): ModeWords => MODES[mode];
