import type { Json } from '../../../../db/json.ts';
import type { TemplateInstruments } from './template.ts';
import GRAPHS from './template-graphs.json' with { type: 'json' };

/** The instruments in the texts: a question open for many years, and a token whose check says to replace it. */
export const PLACEHOLDERS: TemplateInstruments = { outcomeA: 'KXELONMARS-99:yes', outcomeB: '10000' };

/** Graphs by key, as `docs/write-templates.ts` compiled them from the texts in `texts/`. */
const graphs: ReadonlyMap<string, Json> = new Map(Object.entries(GRAPHS));

/** Returns a graph of the texts on these instruments. */
export function templateGraph(key: string, instruments: TemplateInstruments = PLACEHOLDERS): Json {
  const graph = graphs.get(key);
  if (graph === undefined) throw new RangeError(`There is no text ${key}.strategy.`);
  return onInstruments(graph, instruments);
}

function onInstruments(value: Json, instruments: TemplateInstruments): Json {
  if (value === PLACEHOLDERS.outcomeA) return instruments.outcomeA;
  if (value === PLACEHOLDERS.outcomeB) return instruments.outcomeB;
  if (Array.isArray(value)) return value.map((each) => onInstruments(each, instruments));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, onInstruments(each, instruments)]),
  );
}
