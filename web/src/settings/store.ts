import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Zone } from '../format/time.ts';
import { chooseLanguage, type LanguageChoice } from '../language/choice.ts';
import { writeAs } from '../language/locale.ts';

export { ZONES, type Zone } from '../format/time.ts';

export const PALETTES = ['green-up', 'red-up', 'blue-orange'] as const;
export const DENSITIES = ['compact', 'comfortable'] as const;
export const MOTIONS = ['system', 'reduce'] as const;
/** Whose custom numbers and dates follow: that of the browser’s languages, or of one. */
export const FORMATS = ['system', 'en-US', 'de-DE', 'fr-FR'] as const;

/** How a person likes the console, kept in this browser. Nothing secret belongs here. */
export type Settings = {
  /** What the console is written in. */
  language: LanguageChoice;
  zone: Zone;
  palette: (typeof PALETTES)[number];
  density: (typeof DENSITIES)[number];
  motion: (typeof MOTIONS)[number];
  formats: (typeof FORMATS)[number];
  /** Whether single keys act. People who dictate or press keys by accident switch them off. */
  singleKeys: boolean;
  /** Whether the first steps of a new account are shown until they are done. */
  firstSteps: boolean;
  /** Whether it is said how a running drawing is read. */
  readingGuide: boolean;
};

type Store = Settings & { set: (change: Partial<Settings>) => void };

export const useSettings = create<Store>()(
  persist(
    (set) => ({
      language: 'system',
      zone: 'utc',
      palette: 'green-up',
      density: 'compact',
      motion: 'system',
      formats: 'system',
      singleKeys: true,
      firstSteps: true,
      readingGuide: true,
      set: (change) => set(change),
    }),
    { name: 'desk-settings', version: 1 },
  ),
);

/**
 * Writes what styles depend on where styles can see it, and says in whose custom numbers are written and in which language
 * texts are, now and whenever that changes. Resolves once the language of the moment is there.
 */
export function reflectSettings(): Promise<void> {
  const apply = ({ palette, density, motion, formats, language }: Settings) => {
    writeAs(formats === 'system' ? customsOf(language) : [formats]);
    Object.assign(document.documentElement.dataset, { palette, density, motion });
    return chooseLanguage(language);
  };
  useSettings.subscribe((settings) => void apply(settings));
  return apply(useSettings.getState());
}

/** Whose dates fit a language: those of the browser, unless it was set to another one, whose months have other names. */
const customsOf = (language: LanguageChoice): readonly string[] =>
  language === 'system'
    ? navigator.languages
    : [...navigator.languages.filter((each) => each.split('-')[0] === language), language];

export const toggleZone = () => {
  const { zone, set } = useSettings.getState();
  set({ zone: zone === 'utc' ? 'local' : 'utc' });
};

/** How long what moves by script may take, in ms: not at all for who asked for less motion, here or in the system. */
export const motionMs = (ms: number): number => {
  const { motion } = useSettings.getState();
  return motion === 'reduce' || matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms;
};
