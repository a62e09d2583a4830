/** Settings of nodes that name an instrument. */
const INSTRUMENT_FIELDS: ReadonlySet<string> = new Set(['instrument', 'symbol']);

/** Every object in a graph. */
function* objectsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Readonly<Record<string, unknown>>;
  for (const each of Object.values(value)) yield* objectsIn(each);
}

const instrumentsOf = (config: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(config).flatMap(([name, value]) =>
    INSTRUMENT_FIELDS.has(name) && typeof value === 'string' && value !== '' ? [value] : [],
  );

/** The instruments that a graph names, each once. */
export const instrumentsOfGraph = (visual: unknown): string[] => [
  ...new Set([...objectsIn(visual)].flatMap(instrumentsOf)),
];

/** The candle lengths that a graph reads of an instrument; minutes, which every venue has, if it reads none. */
export function intervalsOfGraph(visual: unknown, token: string): string[] {
  const found = [...objectsIn(visual)].flatMap((config) =>
    typeof config['interval'] === 'string' && instrumentsOf(config).includes(token)
      ? [config['interval']]
      : [],
  );
  return found.length === 0 ? ['1m'] : [...new Set(found)];
}
