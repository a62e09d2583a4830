export type Mode = 'paper' | 'live';

/** The prefix of everything live: its pages, and the procedures they call. */
const LIVE = '/live';

/** The mode of a path. A path without the prefix is about paper. */
export const modeOf = (pathname: string): Mode =>
  pathname === LIVE || pathname.startsWith(`${LIVE}/`) ? 'live' : 'paper';

/** The prefix of a mode's pages and procedures. */
export const rootOf = (mode: Mode): string => (mode === 'live' ? LIVE : '');

/** The same page in another mode. The query string is left out: it belongs to its own mode. */
export function sameIn(mode: Mode, pathname: string): string {
  const path = pathname.slice(rootOf(modeOf(pathname)).length);
  return `${rootOf(mode)}${path === '' ? '/' : path}`;
}
