export type Mode = 'paper' | 'live';

/** The prefix of everything live: its pages, and the procedures they call. */
const LIVE = '/live';

/** The mode of a path. A path without the prefix is about paper. */
export const modeOf = (pathname: string): Mode =>
  pathname === LIVE || pathname.startsWith(`${LIVE}/`) ? 'live' : 'paper';

/** The prefix of a mode's pages and procedures. */
export const modePrefixOf = (mode: Mode): string => (mode === 'live' ? LIVE : '');

/** The same page in another mode. The query string is left out: it belongs to its own mode. */
export function samePageIn(mode: Mode, pathname: string): string {
  const path = pathname.slice(modePrefixOf(modeOf(pathname)).length);
  return `${modePrefixOf(mode)}${path === '' ? '/' : path}`;
}
