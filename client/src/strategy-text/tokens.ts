/** Splits a line of text into tokens and its comment. */
import { remedyOfSign } from './sign-remedies.ts';

/** A fault in a text, at a column counted from 1. Thrown while a line is read, and listed by `parseStrategy`. */
export class TextFault extends Error {
  readonly code: FaultCode;
  readonly column: number;
  constructor(code: FaultCode, column: number, message: string) {
    super(message);
    this.code = code;
    this.column = column;
  }
}

export type FaultCode =
  | 'too_long'
  | 'too_deep'
  | 'too_many_errors'
  | 'unexpected'
  | 'bad_layout'
  | 'bad_value'
  | 'unknown_function'
  | 'unknown_name'
  | 'unknown_argument'
  | 'name_taken'
  | 'kind_mismatch';

/** `name`: a name in backquotes, which is never a word of the language. `end`: the end of the line. */
export type Token = {
  readonly kind: 'word' | 'name' | 'number' | 'text' | 'sign' | 'end';
  readonly text: string;
  readonly column: number;
};

export type TokenLine = {
  readonly tokens: readonly Token[];
  /** Text after `//`; null if there is none. */
  readonly comment: string | null;
  /** Text after `//@`; null if there is none. */
  readonly layout: string | null;
  /** Column of the layout. */
  readonly layoutColumn: number;
};

/** A name that needs no backquotes: letters, digits and `_`, in parts joined by `.` or `-`. */
export const WORD = /^[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*$/;
/** A span of time as in `5m`, a text that needs no quotes. */
export const SPAN = /^[1-9][0-9]{0,3}[smhdwM]$/;
export const LAYOUT_MARK = '//@';

const SPACE = /[ \t]+/y;
const PATTERNS = [
  ['word', /[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*/y],
  ['text', /[1-9][0-9]{0,3}[smhdwM](?![A-Za-z0-9_])/y],
  ['number', /[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,4})?(?![A-Za-z0-9_])/y],
  ['text', /"(?:[^"\\]|\\.)*"/y],
  ['name', /`(?:[^`\\]|\\.)*`/y],
  ['sign', /<=|>=|\.\.|[=()[\],:<>+\-*/]/y],
] as const;

export function tokenize(line: string): TokenLine {
  const tokens: Token[] = [];
  let at = 0;
  const skipSpace = (): void => {
    SPACE.lastIndex = at;
    if (SPACE.test(line)) at = SPACE.lastIndex;
  };
  for (skipSpace(); at < line.length && !line.startsWith('//', at); skipSpace()) {
    const token = tokenAt(line, at);
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: 'end', text: '', column: at + 1 });
  return { tokens: tokens.map(unquoted), ...commentOf(line, at) };
}

function tokenAt(line: string, at: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const [text] = pattern.exec(line) ?? [];
    if (text !== undefined) return { kind, text, column: at + 1 };
  }
  const isOpen = line[at] === '"' || line[at] === '`';
  const { found, remedy } = remedyOfSign(line, at);
  const message = isOpen
    ? `The quote that opens here is not closed: a ${line[at]} is missing.`
    : `${JSON.stringify(found)} cannot stand here.${remedy}`;
  throw new TextFault('unexpected', at + 1, message);
}

/** Replaces a quoted text or name by what it says. */
function unquoted(token: Token): Token {
  const { kind, text, column } = token;
  if (kind === 'name') return { ...token, text: text.slice(1, -1).replaceAll(/\\(.)/g, '$1') };
  if (kind !== 'text' || !text.startsWith('"')) return token;
  try {
    return { ...token, text: String(JSON.parse(text)) };
  } catch {
    throw new TextFault(
      'bad_value',
      column,
      'A text is written as in JSON: \\" for a quote, \\n for a new line.',
    );
  }
}

function commentOf(line: string, at: number): Omit<TokenLine, 'tokens'> {
  const mark = line.indexOf(LAYOUT_MARK, at);
  const end = mark < 0 ? line.length : mark;
  const comment = at < end ? line.slice(at + 2, end).trim() : null;
  const layoutColumn = end + LAYOUT_MARK.length + 1;
  return { comment, layout: mark < 0 ? null : line.slice(layoutColumn - 1).trim(), layoutColumn };
}

/** Writes a name: as it is, or in backquotes. */
export function writtenName(name: string, reserved: ReadonlySet<string>): string {
  if (WORD.test(name) && !reserved.has(name)) return name;
  return `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``;
}

/** Writes a text: as a span of time, or in quotes. */
export const writtenText = (text: string): string => (SPAN.test(text) ? text : JSON.stringify(text));
