/** Remedies for tokens that users of other languages write: each ends the message of a fault. */
import { didYouMean } from './nearest-name.ts';
import type { Token } from './tokens.ts';

const DECLARATION = 'Leave the word out: a line is a name, “=” and an expression.';
const CONDITION = 'There is no “if”. Write select(condition, a, b), or “when” after an action.';
const LOOP = 'There are no loops. A line with a list of instruments runs for each of them.';
const FUNCTION = 'There are only the functions of the manual. Name a part on a line of its own.';
const PARAMETER = 'A parameter is written as: param fast = 12 in 2..50 candles "Its sentence."';
const ORDER = 'Write order("BTCUSDT", "buy", "market", amount: …) when ….';
/** Nothing is sold that is not held: a bet against an outcome buys the other one. */
const SHORT =
  'Coins cannot be sold short. The short of an outcome is its “no”: order("KXBTC-26DEC31:no", "buy", "market", amount: …) when ….';
const CROSSES = 'Write crossesAbove(a, b) or crossesBelow(a, b).';
/** Functions of other languages, by their last part. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ...['buy', 'sell', 'entry'].map((word) => [word, ORDER] as const),
  ...['short', 'sellshort'].map((word) => [word, SHORT] as const),
  ...['crossover', 'crossunder', 'cross'].map((word) => [word, CROSSES] as const),
  ...['avg', 'average'].map((word) => [word, 'Write sma(close, 20), or (a + b) / 2.'] as const),
  ...['int', 'float', 'input'].map((word) => [word, PARAMETER] as const),
]);
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
  if (token.kind === 'sign') return remedyOf(token.text, before, { isInCall, next });
  const isNamed = isInCall && before?.kind === 'word' && token.kind !== 'end';
  return remedyOfWord(token, before, next) ?? (isNamed ? namedArgument(before) : null);
}

/** Returns what to write for a function that does not exist; empty if nothing is known to help. */
export function remedyOfFunction(word: string, known: Iterable<string>): string {
  const last = word.slice(word.lastIndexOf('.') + 1).toLowerCase();
  const foreign = FOREIGN.get(last);
  if (foreign !== undefined) return ` ${foreign}`;
  const names = [...known];
  const full = names.filter((name) => `.${name.toLowerCase()}`.endsWith(`.${last}`));
  if (full.length > 0) return ` Did you mean “${full.join('” or “')}”?`;
  return didYouMean(word, names);
}

const namedArgument = (name: Token | undefined): string =>
  `Write “:” after the name of an argument: ${name?.text.slice(0, 40) ?? 'name'}: ….`;

type Around = { readonly isInCall: boolean; readonly next: Token | undefined };

function remedyOf(sign: string, before: Token | undefined, { isInCall, next }: Around): string | null {
  const isAfter = (signs: string) => before?.kind === 'sign' && signs.includes(before.text);
  if (sign === '=') {
    if (isAfter('+-*/')) return 'A name has one value: give the new value another name.';
    if (isInCall) return namedArgument(before);
    return 'Numbers are compared with <, <=, > and >=. For equal write between(a, 2, 2).';
  }
  if (sign === ':' && next?.text === '=') return 'Write “=”.';
  if (sign === ',' && before?.kind === 'number') return 'Decimals have a point, and thousands no comma.';
  if (sign === ',') return 'A value is missing before the comma, or the comma is one too many.';
  if (sign === ')') return 'No “(” is open here: leave it out.';
  if (sign === '[')
    return `The value before is lag(${before?.kind === 'word' ? before.text.slice(0, 40) : 'a'}, 1).`;
  if (sign === '*' && isAfter('*')) return 'Write power(a, b).';
  if (sign === '/' && next?.text === '*') return 'Comments start with //.';
  return COMPARISONS.has(sign) ? 'Join two comparisons with “and”.' : null;
}

function remedyOfWord(token: Token, before: Token | undefined, next: Token | undefined): string | null {
  const small = token.text.toLowerCase();
  if (token.kind !== 'word') return null;
  if (small !== token.text && WORDS.has(small)) return `Write “${small}”.`;
  if (small === 'short' && before?.text.toLowerCase() === 'sell') return SHORT;
  if (token.text === 'if') return 'The condition of an action follows “when”.';
  if (before?.kind === 'number')
    return UNIT_OF_SPAN.test(token.text)
      ? `Write a span of time without a space: ${before.text}${token.text}.`
      : 'Leave the unit out.';
  return next?.text === '=' && WORDS.has(token.text)
    ? `“${token.text}” has a meaning of its own: choose another name.`
    : null;
}
