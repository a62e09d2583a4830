/** Remedies for tokens that users of other languages write: each ends the message of a fault. */
import type { Token } from './tokens.ts';

const DECLARATION = 'Leave the word out: a line is a name, “=” and an expression.';
const CONDITION = 'There is no “if”. Write select(condition, a, b), or “when” after an action.';
const LOOP = 'There are no loops. A line with a list of instruments runs for each of them.';
const FUNCTION = 'There are only the functions of the manual. Name a part on a line of its own.';
const PARAMETER = 'A parameter is written as: param fast = 12 in 2..50 candles "Its sentence."';
/** By the first word of a line. */
const STATEMENTS: ReadonlyMap<string, string> = new Map([
  ...['var', 'let', 'const', 'varip', 'float', 'int', 'bool'].map((word) => [word, DECLARATION] as const),
  ...['if', 'else', 'switch'].map((word) => [word, CONDITION] as const),
  ...['for', 'while'].map((word) => [word, LOOP] as const),
  ...['function', 'def', 'return', 'import', 'export'].map((word) => [word, FUNCTION] as const),
]);
const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'when', 'in', 'true', 'false']);
const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
const UNIT_OF_SPAN = /^[smhdwM]$/;

/** Returns how to write what stands at an index instead; empty if nothing is known to help. */
export function remedyOfToken(tokens: readonly Token[], index: number, isInCall: boolean): string {
  const remedy = knownRemedy(tokens, index, isInCall);
  return remedy === null ? '' : ` ${remedy}`;
}

function knownRemedy(tokens: readonly Token[], index: number, isInCall: boolean): string | null {
  const [token, before, next] = [tokens[index], tokens[index - 1], tokens[index + 1]];
  if (token === undefined) return null;
  if (tokens[0]?.text === 'param') return PARAMETER;
  const statement = index <= 2 && tokens[0]?.kind === 'word' ? STATEMENTS.get(tokens[0].text) : undefined;
  if (statement !== undefined) return statement;
  return token.kind === 'sign'
    ? remedyOf(token.text, before, { isInCall, next })
    : remedyOfWord(token, before, next);
}

type Around = { readonly isInCall: boolean; readonly next: Token | undefined };

function remedyOf(sign: string, before: Token | undefined, { isInCall, next }: Around): string | null {
  const isAfter = (signs: string) => before?.kind === 'sign' && signs.includes(before.text);
  if (sign === '=') {
    if (isAfter('+-*/')) return 'A name has one value: give the new value another name.';
    if (isInCall)
      return `Write “:” after the name of an argument: ${before?.text.slice(0, 40) ?? 'name'}: ….`;
    return 'Numbers are compared with <, <=, > and >=. For equal write between(a, 2, 2).';
  }
  if (sign === ':' && next?.text === '=') return 'Write “=”.';
  if (sign === ',' && before?.kind === 'number') return 'Decimals have a point, and thousands no comma.';
  if (sign === ',') return 'A value is missing before the comma, or the comma is one too many.';
  if (sign === ')') return 'No “(” is open here: leave it out.';
  if (sign === '[') return `The value before is lag(${before?.text.slice(0, 40) ?? 'a'}, 1).`;
  if (sign === '*' && isAfter('*')) return 'Write power(a, b).';
  if (sign === '/' && next?.text === '*') return 'Comments start with //.';
  return COMPARISONS.has(sign) ? 'Join two comparisons with “and”.' : null;
}

function remedyOfWord(token: Token, before: Token | undefined, next: Token | undefined): string | null {
  const small = token.text.toLowerCase();
  if (token.kind !== 'word') return null;
  if (small !== token.text && WORDS.has(small)) return `Write “${small}”.`;
  if (token.text === 'if') return 'The condition of an action follows “when”.';
  if (before?.kind === 'number')
    return UNIT_OF_SPAN.test(token.text)
      ? `Write a span of time without a space: ${before.text}${token.text}.`
      : 'Leave the unit out.';
  return next?.text === '=' && WORDS.has(token.text)
    ? `“${token.text}” has a meaning of its own: choose another name.`
    : null;
}
