import type { Outputs } from '../api/trpc.ts';
import { type Message, msg, t } from '../language/language.ts';

/** The mode: whose money. */
export type Mode = Outputs['console']['account']['mode'];

type ModeWords = {
  title: string;
  /** The mode within a sentence: `on paper`. */
  phrase: string;
  money: string;
};

const MODES: Readonly<Record<Mode, { [part in keyof ModeWords]: Message }>> = {
  paper: { title: msg('Paper'), phrase: msg('on paper'), money: msg('simulated money') },
  live: { title: msg('Live'), phrase: msg('with real money'), money: msg('real money') },
};

export function modeWords(mode: Mode): ModeWords {
  const { title, phrase, money } = MODES[mode];
  return { title: t(title), phrase: t(phrase), money: t(money) };
}
