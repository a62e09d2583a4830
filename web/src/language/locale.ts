/** The console's own language, for numbers and dates until another is chosen. */
const ENGLISH = 'en-US';

let current = ENGLISH;

/**
 * Sets the number and date format to the first of these languages that the browser knows, such as `de-CH`. Text that was
 * written before stays until it is written again. An invalid language counts as unknown.
 */
export function setFormatLocales(languages: readonly string[]): void {
  current = languages.find(isKnown) ?? ENGLISH;
}

function isKnown(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}

/** Makes a value once for each language in use. */
export function perLocale<Made>(make: (locale: string) => Made): () => Made {
  const made = new Map<string, Made>();
  return () => {
    const known = made.get(current) ?? make(current);
    made.set(current, known);
    return known;
  };
}

/** The digits 0 to 9 in every language: a number copied from a page is a number anywhere. */
export const DIGITS = 'latn';
