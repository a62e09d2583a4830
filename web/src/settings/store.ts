import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Zone } from '../format/time.ts';
import { chooseLanguage, type LanguageChoice } from '../language/choice.ts';
import { setFormatLocales } from '../language/locale.ts';

export type { Zone } from '../format/time.ts';

export const PALETTES = ['green-up', 'red-up', 'blue-orange'] as const;
export const DENSITIES = ['compact', 'comfortable'] as const;
export const MOTIONS = ['system', 'reduce'] as const;
/** The number and date formats: of the browser’s languages, or of one language. */
export const FORMATS = ['system', 'en-US', 'de-DE', 'fr-FR'] as const;

/** The user's settings of the console, stored in this browser. They contain no secret. */
export type Settings = {
  /** The language of the console. */
  language: LanguageChoice;
  zone: Zone;
  palette: (typeof PALETTES)[number];
  density: (typeof DENSITIES)[number];
  motion: (typeof MOTIONS)[number];
  formats: (typeof FORMATS)[number];
  /** Whether single keys act. Users who dictate, or press keys by accident, switch them off. */
  singleKeys: boolean;
  /** Whether the first steps of a new account are shown until they are done. */
  firstSteps: boolean;
  /** Whether the guide to a running graph is shown. */
  readingGuide: boolean;
  /** Types of nodes that the palette shows first. */
  favoriteNodes: readonly string[];
  /** The user who has opened the operator's page here: the navigation links to it. */
  operatorId: string | null;
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
      favoriteNodes: [],
      operatorId: null,
      set: (change) => set(change),
    }),
    { name: 'desk-settings', version: 1 },
  ),
);

/**
 * Applies the settings, now and whenever they change: writes those that styles use where styles can see them, and sets the
 * number format and the language. Resolves once the current language is loaded.
 */
export function applySettings(): Promise<void> {
  const apply = ({ palette, density, motion, formats, language }: Settings) => {
    setFormatLocales(formats === 'system' ? customsOf(language) : [formats]);
    Object.assign(document.documentElement.dataset, { palette, density, motion });
    return chooseLanguage(language);
  };
  useSettings.subscribe((settings) => void apply(settings));
  return apply(useSettings.getState());
}

/** The date formats of a language: those of the browser, unless another language was chosen, whose months have other names. */
const customsOf = (language: LanguageChoice): readonly string[] =>
  language === 'system'
    ? navigator.languages
    : [...navigator.languages.filter((each) => each.split('-')[0] === language), language];

export const toggleZone = () => {
  const { zone, set } = useSettings.getState();
  set({ zone: zone === 'utc' ? 'local' : 'utc' });
};

/** The duration of a scripted motion, in ms: 0 if less motion is set, here or in the system. */
export const motionMs = (ms: number): number => {
  const { motion } = useSettings.getState();
  return motion === 'reduce' || matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms;
};
