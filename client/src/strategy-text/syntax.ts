/** Reads the expressions of a line, by recursive descent. */
import { LEVEL, OPERATORS, type Operator, RESERVED } from './functions.ts';
import { SERIES_FIELDS } from './graph.ts';
import { remedyOfToken } from './remedies.ts';
import { TextFault, type Token } from './tokens.ts';

/** Parentheses, calls and lists inside each other. */
export const DEPTH_MAX = 40;

export type Literal = number | string | boolean | null | readonly Literal[];
export type Expression =
  | { readonly kind: 'literal'; readonly value: Literal; readonly column: number }
  | { readonly kind: 'name'; readonly name: string; readonly column: number }
  | Call;
export type Call = {
  readonly kind: 'call';
  readonly word: string;
  /** The choice of an operator, whose `word` is a node type; null for a call. */
  readonly op: string | null;
  readonly arguments: readonly Argument[];
  readonly column: number;
};
export type Argument = { readonly name: string | null; readonly value: Expression; readonly column: number };

/** The open markets of a series, as a list. */
export type Series = Readonly<Record<(typeof SERIES_FIELDS)[number], string>>;

export type Parameter = {
  readonly value: Literal | Series;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  readonly help?: string;
};
export type Statement =
  | {
      readonly kind: 'parameter';
      readonly name: string;
      readonly parameter: Parameter;
      readonly column: number;
    }
  | {
      readonly kind: 'binding';
      /** Null if the line has none. */
      readonly name: string | null;
      readonly isOff: boolean;
      readonly expression: Expression;
      readonly when: Expression | null;
      readonly column: number;
    };

export function parseStatement(tokens: readonly Token[]): Statement {
  const reader = new Reader(tokens);
  const statement = reader.isParameter() ? reader.parameter() : reader.binding();
  reader.end();
  return statement;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  isParameter(): boolean {
    const next = this.#peek(1);
    return this.#isWord('param') && (next.kind === 'word' || next.kind === 'name');
  }

  parameter(): Statement {
    this.#at++;
    const { column } = this.#peek();
    const name = this.#name('the name of the parameter');
    this.#expect('=');
    const value = this.#isSeries() ? this.#series() : this.#literal('the value of the parameter');
    const bounds: { min?: number; max?: number } = {};
    if (this.#isWord('in')) {
      this.#at++;
      if (!this.#isSign('..')) bounds.min = this.#number('a lower bound, or ..');
      this.#expect('..');
      if (this.#isSign('-') || this.#peek().kind === 'number') bounds.max = this.#number('an upper bound');
    }
    const unit = this.#isName() ? { unit: this.#name('a unit') } : {};
    const help = this.#peek().kind === 'text' ? { help: this.#next().text } : {};
    return { kind: 'parameter', name, parameter: { value, ...bounds, ...unit, ...help }, column };
  }

  #isSeries(): boolean {
    return this.#isWord('series') && this.#isSign('(', 1);
  }

  /** Reads `series("KXBTC15M", "venue-a", "yes")`: name, venue and side. */
  #series(): Series {
    this.#at++;
    const texts = SERIES_FIELDS.map((field, index) => {
      this.#expect(index === 0 ? '(' : ',');
      const { kind, text } = this.#peek();
      if (kind !== 'text') throw this.#expected(`a text: the ${field}`);
      this.#at++;
      return [field, text] as const;
    });
    this.#expect(')');
    return Object.fromEntries(texts) as Series;
  }

  binding(): Statement {
    const isOff = this.#isWord('off');
    if (isOff) this.#at++;
    const { column } = this.#peek();
    const isNamed = this.#isName() && this.#isSign('=', 1);
    const name = isNamed ? this.#name('a name') : null;
    if (isNamed) this.#expect('=');
    const expression = this.#expression();
    const hasCondition = this.#isWord('when');
    if (hasCondition) this.#at++;
    const when = hasCondition ? this.#expression() : null;
    return { kind: 'binding', name, isOff, expression, when, column };
  }

  end(): void {
    const token = this.#peek();
    if (token.kind !== 'end') throw this.#expected('the end of the line');
  }

  #expression(level: number = LEVEL.or): Expression {
    if (level === LEVEL.atom) return this.#atom();
    if (level === LEVEL.not) return this.#isWord('not') ? this.#negation() : this.#expression(level + 1);
    let left = this.#expression(level + 1);
    for (let found = this.#operator(level); found !== null; found = this.#operator(level)) {
      const [sign, operator] = found;
      const operands = [left];
      const { column } = this.#peek();
      do {
        this.#at++;
        operands.push(this.#expression(level + 1));
      } while (operator.many && this.#isOperator(sign));
      left = callOf(operator, operands, column);
      if (level === LEVEL.comparison) break;
    }
    return left;
  }

  #negation(): Expression {
    return this.#nested(() => {
      const { column } = this.#next();
      return callOf(OPERATORS['not'] as Operator, [this.#expression(LEVEL.not)], column);
    });
  }

  #operator(level: number): [string, Operator] | null {
    const { kind, text } = this.#peek();
    const operator = Object.hasOwn(OPERATORS, text) ? OPERATORS[text] : undefined;
    const isOne = (kind === 'sign' || kind === 'word') && operator?.level === level;
    return isOne ? [text, operator] : null;
  }

  #isOperator(sign: string): boolean {
    const { kind, text } = this.#peek();
    return (kind === 'sign' || kind === 'word') && text === sign;
  }

  #atom(): Expression {
    const token = this.#peek();
    if (this.#isSign('(')) {
      return this.#nested(() => {
        this.#at++;
        const inner = this.#expression();
        this.#expect(')');
        return inner;
      });
    }
    if (token.kind === 'word' && this.#isSign('(', 1) && !RESERVED.has(token.text)) return this.#call();
    if (this.#isName()) return { kind: 'name', name: this.#name('a name'), column: token.column };
    return { kind: 'literal', value: this.#literal('a name, a value or a call'), column: token.column };
  }

  #call(): Call {
    return this.#nested(() => {
      const { text: word, column } = this.#next();
      this.#expect('(');
      const found: Argument[] = [];
      while (!this.#isSign(')')) {
        if (found.length > 0) this.#expectComma();
        const { kind, column: start } = this.#peek();
        const isNamed = kind === 'word' && this.#isSign(':', 1);
        const name = isNamed ? this.#next().text : null;
        if (isNamed) this.#at++;
        found.push({ name, value: this.#expression(), column: start });
      }
      this.#expect(')');
      return { kind: 'call', word, op: null, arguments: found, column };
    });
  }

  #literal(what: string): Literal {
    const token = this.#peek();
    if (token.kind === 'number' || this.#isSign('-')) return this.#number(what);
    if (token.kind === 'text') return this.#next().text;
    if (token.kind === 'word' && WORDS.has(token.text)) {
      this.#at++;
      return WORDS.get(token.text) ?? null;
    }
    if (!this.#isSign('[')) throw this.#expected(what);
    return this.#nested(() => this.#list());
  }

  #list(): Literal {
    this.#expect('[');
    const found: Literal[] = [];
    while (!this.#isSign(']')) {
      if (found.length > 0) this.#expect(',');
      found.push(this.#literal('a value'));
    }
    this.#expect(']');
    return found;
  }

  #number(what: string): number {
    const isNegative = this.#isSign('-');
    if (isNegative) this.#at++;
    if (this.#peek().kind !== 'number')
      throw this.#expected(isNegative ? 'a number after “-” (of a value write 0 - a)' : what);
    const token = this.#next();
    const value = Number(token.text);
    if (!Number.isFinite(value))
      throw new TextFault('bad_value', token.column, `${token.text.slice(0, 20)} is too large a number.`);
    return isNegative ? 0 - value : value;
  }

  #nested<T>(read: () => T): T {
    const { column } = this.#peek();
    if (this.#depth >= DEPTH_MAX)
      throw new TextFault(
        'too_deep',
        column,
        `This is more than ${DEPTH_MAX} levels deep. Give a part a name on a line of its own.`,
      );
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }

  #name(what: string): string {
    const token = this.#peek();
    if (!this.#isName()) throw this.#expected(what);
    this.#at++;
    return token.text;
  }

  #isName(): boolean {
    const { kind, text } = this.#peek();
    return kind === 'name' || (kind === 'word' && !RESERVED.has(text));
  }

  #isWord(word: string): boolean {
    const { kind, text } = this.#peek();
    return kind === 'word' && text === word;
  }

  #isSign(sign: string, ahead = 0): boolean {
    const { kind, text } = this.#peek(ahead);
    return kind === 'sign' && text === sign;
  }

  #expect(sign: string): void {
    if (!this.#isSign(sign)) throw this.#expected(`“${sign}”`);
    this.#at++;
  }

  /** Between arguments; a call may also end here. */
  #expectComma(): void {
    if (!this.#isSign(',')) throw this.#expected('“,” or “)”', true);
    this.#at++;
  }

  #expected(what: string, isInCall = false): TextFault {
    const { kind, text, column } = this.#peek();
    const found = kind === 'end' ? 'the line ends' : `there is ${JSON.stringify(text.slice(0, 40))}`;
    const remedy = remedyOfToken(this.#tokens, this.#at, isInCall);
    return new TextFault('unexpected', column, `Expected ${what}, but ${found}.${remedy}`);
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  #next(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const callOf = ({ type, op }: Operator, operands: readonly Expression[], column: number): Call => ({
  kind: 'call',
  word: type,
  op,
  arguments: operands.map((value) => ({ name: null, value, column: value.column })),
  column,
});
