import { create } from 'zustand';
import { type Catalog, currentLanguage, type Language, pickLanguage, setLanguage } from './language.ts';

/** The choices of the user: the language of the browser, or one language. */
export type LanguageChoice = 'system' | Language;

/** English needs no catalog; that of another language loads on demand. */
const CATALOGS: Readonly<
  Record<Language, () => Promise<{ words: Catalog; reason?: (text: string) => string }>>
> = {
  en: async () => ({ words: {} }),
  de: async () => {
    const [words, served, sentences, { findTranslation, parseServerSentences }] = await Promise.all([
      import('./de.json'),
      import('./served/de.json'),
      import('./reasons/de.json'),
      import('./server-sentences.ts'),
    ]);
    const reasons = parseServerSentences(sentences.default);
    return {
      words: { ...served.default, ...words.default },
      reason: (text) => findTranslation(reasons, text),
    };
  },
};

/** The current language: pages are rendered again when it changes. */
export const useLanguage = create<{ language: Language }>()(() => ({ language: 'en' }));

let wanted: Language = 'en';

/** Sets the chosen language. If its catalog does not load, the language stays as it is. */
export async function chooseLanguage(choice: LanguageChoice): Promise<void> {
  const language = choice === 'system' ? pickLanguage(navigator.languages) : choice;
  wanted = language;
  if (language === currentLanguage()) return;
  const catalog = await CATALOGS[language]().catch(() => null);
  // Another may have been chosen while this one was loading.
  if (catalog === null || wanted !== language) return;
  setLanguage(language, catalog.words, catalog.reason);
  document.documentElement.lang = language;
  useLanguage.setState({ language });
}
