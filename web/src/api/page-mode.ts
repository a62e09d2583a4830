import { type Mode, modeOf, modePrefixOf } from './mode.ts';

/** The browser's `location`, which programs that only read types of this folder do not know. */
declare const location: { readonly pathname: string };

/** The mode of this page, for as long as it is loaded: no data it has read can be of another. */
export const pageMode: Mode = modeOf(location.pathname);

/** The prefix of its pages and procedures. */
export const MODE_PREFIX = modePrefixOf(pageMode);
