/** Each sentence of the service, and what it is in another language. */
type Sentences = Readonly<Record<string, string>>;

/** A sentence of the service with places for its values, and what it is in another language. */
type Template = { readonly pattern: RegExp; readonly said: string };

/** Sentences as they are, and those with places. */
export type Reasons = { readonly exact: Sentences; readonly templates: readonly Template[] };

/** What is longer is no sentence of the service. */
const TEXT_MAX = 1_000;
const PLACE = /\{(\w+)\}/g;
/** Places that hold words of the service; in all others stands what people or venues call things. */
const WORDS = new Set(['message', 'status', 'offer', 'after', 'reason']);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const textOf = (sentence: string): string => sentence.replaceAll(PLACE, '');

/**
 * What a catalog of sentences such as `The market is {status}.` can be looked up by. Where several fit, the one with the
 * most text of its own does.
 */
export function reasonsOf(catalog: Sentences): Reasons {
  const templates = Object.entries(catalog)
    .filter(([sentence]) => textOf(sentence) !== sentence)
    .toSorted(([one], [other]) => textOf(other).length - textOf(one).length)
    .map(([sentence, said]) => ({
      pattern: new RegExp(`^${sentence.split(PLACE).map(placeOrText).join('')}$`, 's'),
      said,
    }));
  return { exact: catalog, templates };
}

/** Texts and names of places take turns. */
const placeOrText = (part: string, index: number): string =>
  index % 2 === 0 ? escaped(part) : `(?<${part}>.+?)`;

/** A sentence of the service in the language of these; one that is not among them stays as it is. */
export function reasonIn(reasons: Reasons, text: string): string {
  const known = Object.hasOwn(reasons.exact, text) ? reasons.exact[text] : undefined;
  if (known !== undefined || text.length > TEXT_MAX) return known ?? text;
  for (const { pattern, said } of reasons.templates) {
    const values = pattern.exec(text)?.groups;
    if (!values) continue;
    return said.replaceAll(PLACE, (_place, name: string) => {
      const value = values[name] ?? '';
      return WORDS.has(name) ? reasonIn(reasons, value) : value;
    });
  }
  return text;
}
