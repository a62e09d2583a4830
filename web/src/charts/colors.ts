import { useMantineColorScheme } from '@mantine/core';
import { useSettings } from '../settings/store.ts';

const NAMES = {
  up: '--up',
  down: '--down',
  line: '--line',
  text: '--dim',
  accent: '--accent',
  bar: '--bar',
  amber: '--amber',
  violet: '--violet',
  teal: '--teal',
} as const;
export type ChartColors = Record<keyof typeof NAMES, string>;

/** The colours of the page, for canvases, which know no CSS variables. Changes with scheme and palette. */
export function useChartColors(): ChartColors {
  useMantineColorScheme();
  useSettings((settings) => settings.palette);
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    up: read(NAMES.up),
    down: read(NAMES.down),
    line: read(NAMES.line),
    text: read(NAMES.text),
    accent: read(NAMES.accent),
    bar: read(NAMES.bar),
    amber: read(NAMES.amber),
    violet: read(NAMES.violet),
    teal: read(NAMES.teal),
  };
}

/** A colour with an alpha channel, from `#rrggbb`. */
export const faded = (hex: string, alpha: number): string =>
  `${hex}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;
