/** What a JSON value turns out to be, and how a sentence quotes it. */

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The graph that a text holds as JSON; null for any other text. */
export function graphInText(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && Array.isArray(value['nodes']) ? value : null;
  } catch {
    return null;
  }
}

/** A value as a sentence shows it: short, whatever it is, and however deep. */
export function quoted(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const json = JSON.stringify(value);
  return json.length <= 60 ? json : `${json.slice(0, 57)}…`;
}

export function kindOf(value: unknown): string {
  if (typeof value === 'string') return `the text ${quoted(value)}`;
  return typeof value === 'number' ? `the number ${quoted(value)}` : quoted(value);
}
