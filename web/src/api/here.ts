import { type Mode, modeOf, rootOf } from './mode.ts';

/** The browser's, of which programs that only read types of this folder know nothing. */
declare const location: { readonly pathname: string };

/** The mode of this page, for as long as it is loaded: nothing it has read can be of another. */
export const pageMode: Mode = modeOf(location.pathname);

/** Where its pages and procedures begin. */
export const ROOT = rootOf(pageMode);
