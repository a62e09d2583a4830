/** Texts of venues: bounded, of one type, and null if not stated. No address in them is fetched or followed. */
import { z } from 'zod';

/** Rules have some thousand characters; longer texts are truncated. */
export const RULES_CHARS = 8_000;
const TITLE_CHARS = 500;
const NAME_CHARS = 200;
const URL_CHARS = 1_000;
const LISTED = 20;

/** Control characters except line feeds and tabs, and halves of surrogate pairs: none is visible to a reader. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|\p{Cs}/gu;

/** The printable text, truncated to `maxChars`, or null if it is empty. */
function cleaned(text: string, maxChars: number): string | null {
  const printable = text
    .slice(0, 4 * maxChars)
    .replaceAll(UNPRINTABLE, '')
    .trim();
  if (printable === '') return null;
  return printable.length <= maxChars
    ? printable
    : `${printable.slice(0, maxChars - 1).replace(/\p{Cs}$/u, '')}…`;
}

const words = (maxChars: number): z.ZodType<string | null> =>
  z
    .string()
    .transform((text) => cleaned(text, maxChars))
    .nullable()
    .catch(null);

/** A name, a label, a category. */
export const NameText = words(NAME_CHARS);
/** A required title; "" if it has no printable character. */
export const TitleText = z.string().transform((text) => cleaned(text, TITLE_CHARS) ?? '');
/** The rules of a market. */
export const RulesText = words(RULES_CHARS);

/** An address that may be passed to a browser: https, no credentials. */
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

/** The parsed items of a list, at most {@link LISTED}; none if there is no list. */
export const parsedItems = <T>(item: z.ZodType<T | null>): z.ZodType<T[]> =>
  z
    .array(item)
    .transform((items) => items.filter((one) => one !== null).slice(0, LISTED))
    .catch([]);

/** The source by which an outcome is decided. */
export type ResolutionSource = {
  name: string | null;
  url: string | null;
};

/** `[{name, url}]`, the form of venue A's sources. */
export const Sources = parsedItems<ResolutionSource>(
  z
    .object({ name: NameText, url: HttpsUrl })
    .transform((source): ResolutionSource | null =>
      source.name === null && source.url === null ? null : source,
    )
    .catch(null),
);

/** A source in one text, the form of venue B: an address or words. */
export function sourceOf(text: string | null): ResolutionSource[] {
  if (text === null) return [];
  const url = httpsUrl(text);
  return [url === null ? { name: text, url } : { name: null, url }];
}

/** Several texts as one, with an empty line between them. */
export const joinTexts = (...texts: (string | null)[]): string | null =>
  cleaned(texts.filter((text) => text !== null).join('\n\n'), RULES_CHARS);
