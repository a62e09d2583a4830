import { DIGITS, perLocale } from './locale.ts';
import { parseMessage, type Tag } from './message-format.ts';

/** The languages of the console, each by its own name. English is in the sources; others have a catalog. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

/** Translations of the English messages into another language. */
export type Catalog = Readonly<Record<string, string>>;

declare const message: unique symbol;
/** A message that `t` translates later: it is no text yet, so it cannot be shown in English by mistake. */
export type Message = { readonly [message]: true };

export type Values = Readonly<Record<string, string | number>>;

const isLanguage = (word: string): word is Language => Object.hasOwn(LANGUAGES, word);

let current: Language = 'en';
let catalog: Catalog = {};
const asItIs = (text: string): string => text;
let sayReason = asItIs;
/** Messages with placeholders, each parsed once. */
let formats = new Map<string, ReturnType<typeof parseMessage>>();
let pluralRules = new Intl.PluralRules(current);

export const currentLanguage = (): Language => current;

/** The first of these languages that the console has, `de` for `de-CH`; English if there is none. */
export const pickLanguage = (wanted: readonly string[]): Language =>
  wanted.map((each) => each.split('-')[0]?.toLowerCase() ?? '').find(isLanguage) ?? 'en';

/**
 * Sets the language from now on. Text that was said before stays until it is said again. `reasonSaid` translates a sentence of
 * the service, and is left out if those stay as they are.
 */
export function setLanguage(
  language: Language,
  words: Catalog,
  reasonSaid: (text: string) => string = asItIs,
): void {
  current = language;
  catalog = words;
  sayReason = reasonSaid;
  formats = new Map();
  pluralRules = new Intl.PluralRules(language);
}

/** Marks a message in a constant, which is made before the language is known. */
export const msg = (text: string): Message => text as unknown as Message;

/**
 * Says a message in the current language: `t('Stop {count, plural, one {# order} other {# orders}}', { count })`. The message
 * is English in ICU syntax. Catalogs have it by its whole text; a missing one is said in English. A `context` separates uses of
 * one English word that differ in another language.
 */
export function t(text: string | Message, values: Values = {}, context?: string): string {
  const said = inLanguage(text as string, context);
  return NEEDS_FORMAT.test(said) ? formatOf(said)(values).join('') : said;
}

/** As `t`, with parts that are no text: `tags` renders what a tag such as `<strong>` encloses. */
export function formatParts<Part>(
  text: string,
  values: Readonly<Record<string, Part | Tag<Part>>>,
): Part | string | (Part | string)[] {
  const parts = formatOf(inLanguage(text))(values) as (Part | string)[];
  return parts.length > 1 ? parts : (parts[0] ?? '');
}

/** A title within a sentence: English has no capital there, German keeps that of its nouns. */
export const withinWords = (title: string): string => (current === 'en' ? title.toLowerCase() : title);

/** The name of a strategy in the API, but not within code. */
const BLUEPRINT = /(?<![\w`.])(b|B)lueprint(s?)(?![\w`.])/g;

/** The service's own text, translated where the catalog has it: it is looked up unchanged, with nothing to fill. */
export const translateServed = (text: string): string =>
  catalog[text] ??
  text.replaceAll(BLUEPRINT, (_, first, many) => `${first === 'B' ? 'S' : 's'}trateg${many ? 'ies' : 'y'}`);

/** The service's reason of a refusal or an action, with its values; English if there is no translation. */
export const translateReason = (text: string): string => sayReason(text);

/** The displayed fields of a response of the service; all others are for programs. */
const READ = new Set(['title', 'help', 'description', 'phrase', 'usageTitle']);

/** The same response with its displayed fields translated, at any depth. */
export const translateResponse = <Answer>(answer: Answer): Answer =>
  JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
    typeof value === 'string' && READ.has(name) ? translateServed(value) : value,
  ) as Answer;

/** The key of a message with a context in the catalog. */
export const keyOf = (text: string, context?: string): string =>
  context === undefined ? text : `${text} (${context})`;

const inLanguage = (text: string, context?: string): string => catalog[keyOf(text, context)] ?? text;

const NEEDS_FORMAT = /[{<]/;

// Words follow the language; numbers within them follow the user's number format, like all others.
const numbers = perLocale((locale) => new Intl.NumberFormat(locale, { numberingSystem: DIGITS }));
const RULES = {
  plural: (count: number) => pluralRules.select(count),
  number: (count: number) => numbers().format(count),
};

function formatOf(text: string): ReturnType<typeof parseMessage> {
  const known = formats.get(text) ?? parseMessage(text, RULES);
  formats.set(text, known);
  return known;
}
