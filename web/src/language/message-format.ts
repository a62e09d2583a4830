/** Renders the parts that a tag encloses. */
export type Tag<Part> = (parts: (Part | string)[]) => Part | string | readonly (Part | string)[];

/** The rules of a language and of the user for numbers within a message. */
export type NumberRules = {
  readonly plural: (count: number) => string;
  readonly number: (count: number) => string;
};

type Values = Readonly<Record<string, unknown>>;
/** A text, or the parts of a placeholder for these values; `count` is the number of the plural around it. */
type Piece = string | ((values: Values, count?: number) => readonly unknown[]);

const PIECE =
  /(?<text>[^{}<#]+|<[^/a-zA-Z{}])|(?<pound>#)|\{(?<name>\w+)(?:\}|, (?<kind>plural|select),)|<(?<tag>\w+)>/y;
const OPTION = /\s*(?<option>=?\w+) \{/y;
const END = /\s*\}|<\/\w+>/y;

/**
 * Parses the part of ICU syntax that the console uses: `{name}`, `plural` and `select` without offset or format, `#`, and tags.
 * The library that knows all of it adds 9 kB to the first view. The returned function fills a message: its parts, with
 * texts beside each other as one.
 */
export function parseMessage(text: string, rules: NumberRules): (values: Values) => unknown[] {
  let at = 0;
  const take = (pattern: RegExp): Readonly<Record<string, string | undefined>> | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found && (found.groups ?? {});
  };
  const expect = (isHere: boolean) => {
    if (!isHere) throw new SyntaxError(`Unknown syntax at character ${at} of the message: ${text}`);
  };
  const end = () => expect(take(END) !== null);

  function pieces(): Piece[] {
    const found: Piece[] = [];
    for (let next = take(PIECE); next; next = take(PIECE)) found.push(pieceOf(next));
    return found;
  }

  function pieceOf({ text, name, kind, tag }: Readonly<Record<string, string | undefined>>): Piece {
    if (text !== undefined) return text;
    if (tag !== undefined) {
      const inside = pieces();
      end();
      return (values, count) => [(values[tag] as Tag<unknown>)(fill(inside, values, count))].flat();
    }
    if (name === undefined) return (_, count) => [count === undefined ? '#' : rules.number(count)];
    if (kind === undefined) return (values) => [textOrPart(values[name])];
    const options = new Map<string, Piece[]>();
    for (let next = take(OPTION); next; next = take(OPTION)) {
      options.set(next['option'] ?? '', pieces());
      end();
    }
    end();
    const other = options.get('other') ?? [];
    if (kind === 'select')
      return (values) => fill(options.get(String(values[name])) ?? other, values, undefined);
    return (values) => {
      const count = Number(values[name]);
      return fill(options.get(`=${count}`) ?? options.get(rules.plural(count)) ?? other, values, count);
    };
  }

  const message = pieces();
  expect(at === text.length);
  return (values) => fill(message, values, undefined);
}

function fill(pieces: readonly Piece[], values: Values, count: number | undefined): unknown[] {
  const filled: unknown[] = [];
  for (const piece of pieces)
    for (const part of typeof piece === 'string' ? [piece] : piece(values, count)) {
      const before = filled.at(-1);
      if (typeof part === 'string' && typeof before === 'string') filled[filled.length - 1] = before + part;
      else filled.push(part);
    }
  return filled;
}

const textOrPart = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value || '');
