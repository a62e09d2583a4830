type Size = { width: number; height: number };

/** The width of a column without the values between two columns; the style of a note has the same. */
const WIDTH = 280;
const SIDES = 26;
const ENDS = 18;
const LINE = 18.2;
/** The width of an average letter, rather too large than too small. */
const LETTER = 6.6;
const LETTERS = Math.floor((WIDTH - SIDES) / LETTER);

/** The size of a note on the canvas before it is rendered: its words, wrapped. */
export function noteSizeOf(text: unknown): Size {
  const words = typeof text === 'string' ? text.split(/\s/).filter((word) => word !== '') : [];
  let lines = 1;
  let used = 0;
  for (const { length } of words) {
    const isNext = used > 0 && used + 1 + length > LETTERS;
    const end = isNext ? length : used + (used > 0 ? 1 : 0) + length;
    // A word longer than a line is broken.
    const more = Math.floor(Math.max(0, end - 1) / LETTERS);
    lines += (isNext ? 1 : 0) + more;
    used = end - more * LETTERS;
  }
  const isWrapped = lines > 1;
  return {
    width: isWrapped ? WIDTH : Math.min(WIDTH, used * LETTER + SIDES),
    height: Math.ceil(lines * LINE + ENDS),
  };
}
