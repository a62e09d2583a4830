/** Remedies for signs that the language does not have. */

/** Signs with which no token starts; the first match counts. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/&+/y, 'Write “and”.'],
  [/\|+/y, 'Write “or”.'],
  [/!=+/y, 'Numbers are compared with <, <=, > and >=. For unequal write not between(a, 2, 2).'],
  [/!/y, 'Write “not”.'],
  [/['‘’“”„«»]/y, 'Texts are in straight double quotes: "BTCUSDT".'],
  [/\?/y, 'Write select(condition, a, b).'],
  [/%/y, 'Write 3 % as 0.03. The rest of a division is modulo(a, b).'],
  [/[$€£]/y, 'Write the number alone: money is in USD.'],
  [/#/y, 'Comments start with //.'],
  [/;/y, 'Leave it out: a line needs none.'],
  [/[{}]/y, 'There are no blocks: each line is one expression.'],
  [/\^/y, 'Write power(a, b).'],
  [/\./y, 'A value has no fields. What a source reads is a setting, such as field: "high".'],
  [/[0-9][A-Za-z0-9_]*/y, 'Names start with a letter. Spans of time are written as 30s, 5m, 4h or 1d.'],
  [/\p{L}+/uy, 'A name with letters other than a to z is in backquotes.'],
];

/** Returns what stands here, and how to write it instead. */
export function remedyOfSign(line: string, at: number): { found: string; remedy: string } {
  for (const [pattern, remedy] of SIGNS) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(line) ?? [];
    if (found !== undefined) return { found: found.slice(0, 40), remedy: ` ${remedy}` };
  }
  return { found: String.fromCodePoint(line.codePointAt(at) ?? 0), remedy: ' Leave it out.' };
}
