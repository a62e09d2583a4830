/** The CSS variables that charts use. */
export const COLOR_NAMES = {
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
export type ChartColors = Record<keyof typeof COLOR_NAMES, string>;

/** A colour with an alpha channel, from `#rrggbb`. */
export const withAlpha = (hex: string, alpha: number): string =>
  `${hex}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;
