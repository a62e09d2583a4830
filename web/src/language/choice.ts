import { create } from 'zustand';
import { type Catalog, currentLanguage, type Language, languageAmong, speak } from './language.ts';

/** What a person can choose: the language of the browser, or one. */
export type LanguageChoice = 'system' | Language;

/** English needs no catalog; that of another language comes when somebody reads it. */
const CATALOGS: Readonly<
  Record<Language, () => Promise<{ words: Catalog; reason?: (text: string) => string }>>
> = {
  en: async () => ({ words: {} }),
  de: async () => {
    const [words, served, sentences, { reasonIn, reasonsOf }] = await Promise.all([
      import('./de.json'),
      import('./served/de.json'),
      import('./reasons/de.json'),
      import('./reasons.ts'),
    ]);
    const reasons = reasonsOf(sentences.default);
    return {
      words: { ...served.default, ...words.default },
      reason: (text) => reasonIn(reasons, text),
    };
  },
};

/** The language that is read now: pages are drawn anew when it changes. */
export const useLanguage = create<{ language: Language }>()(() => ({ language: 'en' }));

let wanted: Language = 'en';

/** Has everything said in the chosen language. A catalog that cannot be had leaves the language as it is. */
export async function chooseLanguage(choice: LanguageChoice): Promise<void> {
  const language = choice === 'system' ? languageAmong(navigator.languages) : choice;
  wanted = language;
  if (language === currentLanguage()) return;
  const catalog = await CATALOGS[language]().catch(() => null);
  // Another may have been chosen while this one was on its way.
  if (catalog === null || wanted !== language) return;
  speak(language, catalog.words, catalog.reason);
  document.documentElement.lang = language;
  useLanguage.setState({ language });
}
