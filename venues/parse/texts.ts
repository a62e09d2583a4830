/** What venues say in words: bounded, of one kind, and null where it is not stated. Nothing here is fetched or followed. */
import { z } from 'zod';

/** Rules run to some thousand characters; what is longer is cut. */
export const RULES_CHARS = 8_000;
const TITLE_CHARS = 500;
const NAME_CHARS = 200;
const URL_CHARS = 1_000;
const LISTED = 20;

/** Controls but line feeds and tabs, and halves of surrogate pairs: nothing a reader would miss. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|\p{Cs}/gu;

/** The text without what cannot be printed, at most so many characters, or null where nothing is left of it. */
function tidied(text: string, maxChars: number): string | null {
  const shown = text
    .slice(0, 4 * maxChars)
    .replaceAll(UNPRINTABLE, '')
    .trim();
  if (shown === '') return null;
  return shown.length <= maxChars ? shown : `${shown.slice(0, maxChars - 1).replace(/\p{Cs}$/u, '')}…`;
}

const words = (maxChars: number): z.ZodType<string | null> =>
  z
    .string()
    .transform((text) => tidied(text, maxChars))
    .nullable()
    .catch(null);

/** A name, a label, a category. */
export const NameText = words(NAME_CHARS);
/** A title, which has to be there; "" where nothing of it can be printed. */
export const TitleText = z.string().transform((text) => tidied(text, TITLE_CHARS) ?? '');
/** The rules of a market. */
export const RulesText = words(RULES_CHARS);

/** An address that a browser may be given: https, no credentials. */
export const HttpsUrl: z.ZodType<string | null> = z
  .string()
  .transform((text) => httpsUrl(text))
  .nullable()
  .catch(null);

function httpsUrl(text: string): string | null {
  if (text.length > URL_CHARS || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' ? href : null;
}

/** Items of a list, those that can be read, at most {@link LISTED}; none where there is no list. */
export const someOf = <T>(item: z.ZodType<T | null>): z.ZodType<T[]> =>
  z
    .array(item)
    .transform((items) => items.filter((one) => one !== null).slice(0, LISTED))
    .catch([]);

/** Where an outcome is read from. */
export type ResolutionSource = {
  name: string | null;
  url: string | null;
};

/** `[{name, url}]`, as venue A names its sources. */
export const Sources = someOf<ResolutionSource>(
  z
    .object({ name: NameText, url: HttpsUrl })
    .transform((source): ResolutionSource | null =>
      source.name === null && source.url === null ? null : source,
    )
    .catch(null),
);

/** A source in one text, as venue B names it: an address or words. */
export function sourceOf(text: string | null): ResolutionSource[] {
  if (text === null) return [];
  const url = httpsUrl(text);
  return [url === null ? { name: text, url } : { name: null, url }];
}

/** Several texts as one, with a line between them. */
export const joined = (...texts: (string | null)[]): string | null =>
  tidied(texts.filter((text) => text !== null).join('\n\n'), RULES_CHARS);
