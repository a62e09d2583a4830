import { useMantineContext } from '@mantine/core';
import { useSettings } from '../settings/store.ts';
import { type ChartColors, COLOR_NAMES } from './palette.ts';

/** The page's colours for canvases, which know no CSS variables. They change with scheme and palette. */
export function useChartColors(): ChartColors {
  useMantineContext();
  useSettings((settings) => settings.palette);
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    up: read(COLOR_NAMES.up),
    down: read(COLOR_NAMES.down),
    line: read(COLOR_NAMES.line),
    text: read(COLOR_NAMES.text),
    accent: read(COLOR_NAMES.accent),
    bar: read(COLOR_NAMES.bar),
    amber: read(COLOR_NAMES.amber),
    violet: read(COLOR_NAMES.violet),
    teal: read(COLOR_NAMES.teal),
  };
}
