export type TextBounds = {
  /** Code points, not UTF-16 units: an emoji counts once, as the database counts it. */
  min: number;
  max: number;
  /** Whether line breaks and tabs are allowed. */
  lines: boolean;
};

const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}+/gu;
const CONTROL_BUT_LINES = /[^\P{Cc}\n\r\t]/u;

/** Says why a text is invalid, as the end of a sentence, or null. PostgreSQL takes neither NUL nor lone surrogates. */
export function textProblem(text: string, { min, max, lines }: TextBounds): string | null {
  if (!text.isWellFormed()) return 'holds half of a surrogate pair, which is not a character';
  if ((lines ? CONTROL_BUT_LINES : CONTROL).test(text)) return 'holds a control character';
  const length = [...text].length;
  if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
  if (length > max) return `must have at most ${max} characters`;
  return null;
}

/** Joins two emoji into one; no other zero-width character is part of a name. */
const EMOJI_JOINT =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;
const INVISIBLE = /\p{Cf}/u;

/** Whether a text holds invisible characters, or ones that change its direction: two names could look alike. */
export const hasInvisible = (text: string): boolean => INVISIBLE.test(text.replaceAll(EMOJI_JOINT, ''));

/** Formats any text as one line of at most `max` characters, without characters that cannot be stored; `otherwise` if empty. */
export function singleLine(text: string, max: number, otherwise: string): string {
  const line = text.toWellFormed().replaceAll(CONTROLS, ' ').trim();
  return [...line].slice(0, max).join('').trim() || otherwise;
}

/** Returns the `like` pattern for texts with these words in them, each character taken literally. */
export const likePattern = (words: string): string => `%${words.replaceAll(/[\\%_]/g, '\\$&')}%`;
