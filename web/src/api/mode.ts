export type Mode = 'paper' | 'live';

/** Everything about real money stands below this path: its pages, and the procedures they call. */
const LIVE = '/live';

/** Whose money an address is about. One that does not say so is about paper. */
export const modeOf = (pathname: string): Mode =>
  pathname === LIVE || pathname.startsWith(`${LIVE}/`) ? 'live' : 'paper';

/** Where the pages and procedures of a mode begin. */
export const rootOf = (mode: Mode): string => (mode === 'live' ? LIVE : '');

/** The page that shows the same in a mode, of an address in any. What an address asks for besides is of its own mode. */
export function sameIn(mode: Mode, pathname: string): string {
  const path = pathname.slice(rootOf(modeOf(pathname)).length);
  return `${rootOf(mode)}${path === '' ? '/' : path}`;
}
