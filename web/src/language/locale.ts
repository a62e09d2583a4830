/** English is what the console is written in, so it is what numbers and dates are written in until somebody says otherwise. */
const ENGLISH = 'en-US';

let current = ENGLISH;

/**
 * Writes numbers and dates by the custom of the first of these languages that the browser knows, `de-CH` say. What was
 * written before stays as it is until it is written again. A language that is none counts as unknown.
 */
export function writeAs(languages: readonly string[]): void {
  current = languages.find(isKnown) ?? ENGLISH;
}

function isKnown(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}

/** What is made once for each language that is written in. */
export function perLocale<Made>(make: (locale: string) => Made): () => Made {
  const made = new Map<string, Made>();
  return () => {
    const known = made.get(current) ?? make(current);
    made.set(current, known);
    return known;
  };
}

/** The digits 0 to 9 in every language: what is copied from a page is a number anywhere. */
export const DIGITS = 'latn';
