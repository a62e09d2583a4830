import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  mergeThemeOverrides,
} from '@mantine/core';
import { t } from './language/language.ts';
import type { Settings } from './settings/store.ts';

const ink: MantineColorsTuple = [
  '#e6e9ef',
  '#c3c9d6',
  '#9aa3b5',
  '#7a8499',
  '#3a4354',
  '#2a3140',
  '#1c222e',
  '#141a24',
  '#0e131b',
  '#090d13',
];

/** Ink-blue, dense, one accent; green and red are for money and state, amber for warnings and live trading. */
const theme = createTheme({
  respectReducedMotion: true,
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 6,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '12.5px', sm: '12.5px', md: '14px', lg: '16px', xl: '20px' },
  fontWeights: { regular: '450', medium: '600', bold: '600' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '14px' } } },
  colors: { dark: ink },
  components: {
    ActionIcon: { defaultProps: { size: 28, variant: 'subtle', color: 'gray' } },
    Button: { defaultProps: { size: 'xs' } },
    // A menu holds only its items, and is in the part of the page it belongs to.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false } },
    // The chosen item is marked by its background; without this, lines appear beside the others at random.
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, multiline: true, maw: 320 } },
  },
});

const AT_ONCE = { defaultProps: { transitionProps: { duration: 0 } } };

/** The library follows the system; a setting made here must be passed to each component. */
const stillTheme = mergeThemeOverrides(theme, {
  components: {
    Drawer: AT_ONCE,
    Menu: AT_ONCE,
    Popover: AT_ONCE,
    Spotlight: AT_ONCE,
    Tooltip: AT_ONCE,
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    Notifications: { defaultProps: { transitionDuration: 0 } },
  },
});

/** Text of the library itself is translated here: a notification is closed by a button of its own. */
export const themeOf = ({ motion }: Pick<Settings, 'motion'>) =>
  mergeThemeOverrides(motion === 'reduce' ? stillTheme : theme, {
    components: {
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close'), size: 28 } } },
    },
  });

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  dark: {
    '--mantine-color-body': '#0a0e14',
    '--mantine-color-dimmed': '#9aa3b5',
    '--mantine-color-placeholder': '#8590a5',
  },
  light: {
    '--mantine-color-body': '#f3f5f8',
    '--mantine-color-dimmed': '#556074',
    '--mantine-color-placeholder': '#626d80',
  },
});
