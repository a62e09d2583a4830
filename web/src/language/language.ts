import { type FormatXMLElementFn, IntlMessageFormat } from 'intl-messageformat';
import { DIGITS, perLocale } from './locale.ts';

/** The languages the console is written in, each by its own name. English stands in the sources; others have a catalog. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

/** What each English message is in another language. */
export type Catalog = Readonly<Record<string, string>>;

declare const message: unique symbol;
/** A message that is said later, by `t`: it is no text yet, so it cannot be shown in English by mistake. */
export type Message = { readonly [message]: true };

export type Values = Readonly<Record<string, string | number>>;

const isLanguage = (word: string): word is Language => Object.hasOwn(LANGUAGES, word);

let current: Language = 'en';
let catalog: Catalog = {};
const asItIs = (text: string): string => text;
let sayReason = asItIs;
/** Messages with places to fill, read once each. */
let formats = new Map<string, IntlMessageFormat>();

export const currentLanguage = (): Language => current;

/** The first of these languages that the console is written in, `de` for `de-CH`; English where none is. */
export const languageAmong = (wanted: readonly string[]): Language =>
  wanted.map((each) => each.split('-')[0]?.toLowerCase() ?? '').find(isLanguage) ?? 'en';

/**
 * Says everything from now on in this language. What was said before stays as it is until it is said again. `reasonSaid`
 * says a sentence of the service, and is left out where those stay as they are.
 */
export function speak(
  language: Language,
  words: Catalog,
  reasonSaid: (text: string) => string = asItIs,
): void {
  current = language;
  catalog = words;
  sayReason = reasonSaid;
  formats = new Map();
}

/** Marks a message of a constant, which is made before it is known in which language it will be read. */
export const msg = (text: string): Message => text as unknown as Message;

/**
 * Says a message in the language of the moment: `t('Stop {count, plural, one {# order} other {# orders}}', { count })`.
 * The message is English in the syntax of ICU, and found in the catalogs by its whole text; one that is missing there is
 * said in English. A `context` tells apart what is one word in English and two in another language.
 */
export function t(text: string | Message, values?: Values, context?: string): string {
  const said = inLanguage(text as string, context);
  return NEEDS_FORMAT.test(said) ? (formatOf(said).format(values) as string) : said;
}

/** The same with parts that are no text: what `tags` names in the message, `<strong>`, is written by them. */
export const rich = <Part>(
  text: string,
  values: Readonly<Record<string, Part | FormatXMLElementFn<Part>>>,
): Part | string | (Part | string)[] => formatOf(inLanguage(text)).format<Part>(values);

/** A title within other words: English has no capital there, German keeps that of its nouns. */
export const withinWords = (title: string): string => (current === 'en' ? title.toLowerCase() : title);

/** What the service says in its own words, where the catalog has them: they are looked up as they are, with nothing to fill. */
export const served = (text: string): string => catalog[text] ?? text;

/** Why the service refused or did something, in its own sentence with its own values; English where nobody translated it. */
export const reason = (text: string): string => sayReason(text);

/** What a person reads of an answer of the service, by name; all else in it is for programs. */
const READ = new Set(['title', 'help', 'description', 'phrase', 'usageTitle']);

/** The same answer with what is read of it, however deep, in the language of the moment. */
export const servedIn = <Answer>(answer: Answer): Answer =>
  JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
    typeof value === 'string' && READ.has(name) ? served(value) : value,
  ) as Answer;

/** How a context stands in the catalog, after the message it belongs to. */
export const keyOf = (text: string, context?: string): string =>
  context === undefined ? text : `${text} (${context})`;

const inLanguage = (text: string, context?: string): string => catalog[keyOf(text, context)] ?? text;

const NEEDS_FORMAT = /[{<']/;

function formatOf(text: string): IntlMessageFormat {
  const known =
    formats.get(text) ?? new IntlMessageFormat(text, current, undefined, { formatters: FORMATTERS });
  formats.set(text, known);
  return known;
}

// Words follow the language; the numbers among them follow the person's custom, like all others.
const numbers = perLocale((locale) => new Intl.NumberFormat(locale, { numberingSystem: DIGITS }));
const FORMATTERS = {
  getNumberFormat: () => numbers(),
  getDateTimeFormat: (...of: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...of),
  getPluralRules: (...of: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...of),
};
