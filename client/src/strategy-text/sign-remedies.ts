/** Remedies for signs that the language does not have. */

/** Signs with which no token starts; the first match counts. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/&+/y, 'Write “and”.'],
  [/\|+/y, 'Write “or”.'],
  [/!=+/y, 'Numbers are compared with <, <=, > and >=. For unequal write not between(a, 2, 2).'],
  [/!/y, 'Write “not”.'],
  [/['‘’“”„«»]/y, 'Texts are in straight double quotes: "BTCUSDT".'],
  [/\?/y, 'Write select(condition, a, b).'],
  [/[$€£]/y, 'Write the number alone: money is in USD.'],
  [/#/y, 'Comments start with //.'],
  [/;/y, 'Leave it out: a line needs none.'],
  [/[{}]/y, 'There are no blocks: each line is one expression.'],
  [/\^/y, 'Write power(a, b).'],
  [/\.(?=[0-9])/y, 'Write a 0 before the point: 0.5.'],
  [/\./y, 'A value has no fields. What a source reads is a setting, such as field: "high".'],
  [/[0-9]+_[0-9_]+/y, 'Write the digits alone: 80000.'],
  [/[0-9][A-Za-z0-9_]*/y, 'Names start with a letter. Spans of time are written as 30s, 5m, 4h or 1d.'],
  [/\p{L}+/uy, 'A name with letters other than a to z is in backquotes.'],
  [/[\p{Z}\p{C}]/uy, 'This sign is invisible: write an ordinary space.'],
];

/** Returns what stands here, and how to write it instead. */
export function remedyOfSign(line: string, at: number): { found: string; remedy: string } {
  if (line[at] === '%') return { found: '%', remedy: remedyOfPercent(line.slice(0, at)) };
  for (const [pattern, remedy] of SIGNS) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(line) ?? [];
    if (found !== undefined) return { found: found.slice(0, 40), remedy: ` ${remedy}` };
  }
  return { found: String.fromCodePoint(line.codePointAt(at) ?? 0), remedy: ' Leave it out.' };
}

/** The number stands before the sign, after a space at most. */
function remedyOfPercent(before: string): string {
  const [number = '3'] = /[0-9]{1,9}(?:\.[0-9]{1,9})?(?= ?$)/.exec(before.slice(-20)) ?? [];
  const fraction = Number((Number(number) / 100).toPrecision(12));
  return ` Write ${number} % as ${fraction}. The rest of a division is modulo(a, b).`;
}
