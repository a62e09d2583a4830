import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DIST } from '../../web/fingerprint.ts';

type Manifest = Readonly<Record<string, { file: string; imports?: readonly string[] }>>;

/** Asked before anything else is known, so its answer may as well be on its way while the scripts are. */
const SESSION = '</api/auth/get-session>; rel=preload; as=fetch; crossorigin';

/** The `Link` header of a page by its path: what to fetch at once. */
export type PageHints = (pathname: string) => string;

/**
 * Reads which files the pages of a build are made of. A browser that is told with the HTML fetches a page beside the
 * shell; otherwise it learns of it only when the shell runs.
 */
export function readPageHints(): PageHints {
  const manifest = JSON.parse(readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8')) as Manifest;
  const entries = new Map(Object.entries(manifest));
  const hints = new Map<string, string>();
  for (const source of entries.keys()) {
    const page = /^src\/pages\/(.+?)(\/page)?\.tsx$/.exec(source)?.[1];
    if (page) hints.set(page, modulesOf(source, entries).map(preload).join(', '));
  }
  return (pathname) => {
    const page = hints.get(pageOf(pathname));
    if (withoutMode(pathname).startsWith('/sign-')) return page ?? '';
    return page ? `${page}, ${SESSION}` : SESSION;
  };
}

const preload = (file: string) => `</${file}>; rel=modulepreload`;

/** A page is the same whichever money it shows. */
const withoutMode = (pathname: string): string => pathname.replace(/^\/live(?=\/|$)/, '');

/** A page's folder below `pages`. */
function pageOf(pathname: string): string {
  const [page = 'overview', id] = withoutMode(pathname)
    .split('/')
    .filter((part) => part !== '');
  return id === undefined ? page : `${page}/detail`;
}

/** The shell, which is the largest and therefore goes first, the page and their parts. */
function modulesOf(source: string, entries: ReadonlyMap<string, Manifest[string]>): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    const entry = entries.get(name);
    if (!entry || found.has(entry.file)) return;
    found.add(entry.file);
    entry.imports?.forEach(visit);
  };
  visit('index.html');
  visit(source);
  return [...found];
}
