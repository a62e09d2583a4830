import { translateServed } from './language.ts';

/** Each sentence of the service, and its translation. */
type Sentences = Readonly<Record<string, string>>;

/** A sentence of the service with placeholders for its values, and its translation. */
type Template = { readonly pattern: RegExp; readonly said: string };

/** Sentences without placeholders, and those with. */
export type ServerSentences = { readonly exact: Sentences; readonly templates: readonly Template[] };

/** A longer text is no sentence of the service. */
const TEXT_MAX = 1_000;
const PLACEHOLDER = /\{(\w+)\}/g;
/** Placeholders for words of the service; all others hold names by users or venues. */
const WORDS = new Set(['message', 'status', 'offer', 'after', 'reason']);

/** A placeholder for titles of rules in small letters, each with a count: `daily loss 3, free cash 4`. */
const TITLES = 'rules';

function titleTranslated(counted: string): string {
  const end = counted.lastIndexOf(' ');
  return translateServed(counted[0]?.toUpperCase() + counted.slice(1, end)) + counted.slice(end);
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const textOf = (sentence: string): string => sentence.replaceAll(PLACEHOLDER, '');

/**
 * Indexes a catalog of sentences such as `The market is {status}.` If several match a text, the one with the most text of its
 * own wins.
 */
export function parseServerSentences(catalog: Sentences): ServerSentences {
  const templates = Object.entries(catalog)
    .filter(([sentence]) => textOf(sentence) !== sentence)
    .toSorted(([one], [other]) => textOf(other).length - textOf(one).length)
    .map(([sentence, said]) => ({
      pattern: new RegExp(`^${sentence.split(PLACEHOLDER).map(placeholderOrText).join('')}$`, 's'),
      said,
    }));
  return { exact: catalog, templates };
}

/** Texts and names of placeholders alternate. */
const placeholderOrText = (part: string, index: number): string =>
  index % 2 === 0 ? escaped(part) : `(?<${part}>.+?)`;

/** A sentence of the service, translated; one without a translation stays as it is. */
export function findTranslation(reasons: ServerSentences, text: string): string {
  const known = Object.hasOwn(reasons.exact, text) ? reasons.exact[text] : undefined;
  if (known !== undefined || text.length > TEXT_MAX) return known ?? text;
  for (const { pattern, said } of reasons.templates) {
    const values = pattern.exec(text)?.groups;
    if (!values) continue;
    return said.replaceAll(PLACEHOLDER, (_placeholder, name: string) => {
      const value = values[name] ?? '';
      if (name === TITLES) return value.split(', ').map(titleTranslated).join(', ');
      return WORDS.has(name) ? findTranslation(reasons, value) : value;
    });
  }
  return text;
}
