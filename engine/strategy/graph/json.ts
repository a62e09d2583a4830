/** Names the kind of a JSON value, and quotes it in sentences. */

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a text that holds a graph as JSON; null for any other text. */
export function graphInText(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && Array.isArray(value['nodes']) ? value : null;
  } catch {
    return null;
  }
}

/** Formats a value for a sentence: short, whatever its kind and depth. */
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
