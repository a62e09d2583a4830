import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DIST } from '../../web/fingerprint.ts';

type Manifest = Readonly<Record<string, { file: string; name?: string; imports?: readonly string[] }>>;

/** The first request of every page, so the browser may send it while scripts load. */
const SESSION = '</api/auth/get-session>; rel=preload; as=fetch; crossorigin';

/** Returns the `Link` header of a page by its path: the files to fetch at once. */
export type PageHints = (pathname: string) => string;

/**
 * Reads which files the pages of a build consist of. With the hint a browser fetches a page in parallel with the shell; without
 * it, only once the shell runs.
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

/** A page is the same in both modes. */
const withoutMode = (pathname: string): string => pathname.replace(/^\/live(?=\/|$)/, '');

/** Returns a page's folder below `pages`. */
function pageOf(pathname: string): string {
  const [page = 'overview', id] = withoutMode(pathname)
    .split('/')
    .filter((part) => part !== '');
  return id === undefined ? page : `${page}/detail`;
}

/** Returns the entry, the shell, the page and their parts. The entry goes first, because it is the largest. */
function modulesOf(source: string, entries: ReadonlyMap<string, Manifest[string]>): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    const entry = entries.get(name);
    if (!entry || found.has(entry.file)) return;
    found.add(entry.file);
    entry.imports?.forEach(visit);
  };
  visit('index.html');
  for (const [name, chunk] of entries) if (chunk.name === 'shell') visit(name);
  visit(source);
  return [...found];
}
