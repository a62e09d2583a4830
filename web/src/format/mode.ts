/** Whose money moves. */
export type Mode = 'paper';

type ModeWords = {
  title: string;
  /** How something runs: `on paper`. */
  phrase: string;
  money: string;
};

const MODES: Readonly<Record<Mode, ModeWords>> = {
  paper: { title: 'Paper', phrase: 'on paper', money: 'simulated money' },
};

/** The mode everything here runs in while there is one. */
export const MODE: Mode = 'paper';

export const modeWords = (mode: Mode): ModeWords => MODES[mode];
