import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { builtFingerprint, DIST, fingerprint, hasSources } from '../../web/fingerprint.ts';
import { setPageHeaders, wantsPage } from '../http-kit/page-requests.ts';
import type { Logger } from '../kernel/logger.ts';
import { type PageHints, readPageHints } from './console-hints.ts';
import { progressPage } from './console-progress.ts';

const BUILD = fileURLToPath(new URL('../../web/build.ts', import.meta.url));
/** Memory limit of the bundler, which runs beside a service meant for small machines. */
const BUILD_HEAP_MB = 768;

/** Files of a build that a browser may read; a compressed form is read under the name of its file. */
const SERVED = /\.(html|js|css|svg|woff2?|png)$/;

type Asset = { name: string; etag: string; forms: { encoding: string; suffix: string }[] };
type Site =
  | { state: 'ready'; assets: ReadonlyMap<string, Asset>; hints: PageHints }
  | { state: 'building'; phase: string }
  | { state: 'failed'; reason: string };

export type Console = { handle: RequestHandler; stop: () => void };

/**
 * Serves the console under `/`. An existing build is served at once. Otherwise a child process builds it, and `/` shows the
 * progress: the bundler never runs in the process of the API. With `build` false, a stale build is served too, and so is that
 * of a release, which has no sources.
 */
export function openConsole({ log, build }: { log: Logger; build: boolean }): Console {
  const built = builtFingerprint();
  const readiness = followBuilds();
  const builds = build && hasSources();
  if (built !== null && (!builds || built === fingerprint()))
    return { handle: serve(readiness), stop: () => {} };
  if (!builds) return { handle: serve(() => NOT_BUILT), stop: () => {} };

  let site: Site | null = { state: 'building', phase: 'starting' };
  const startedAt = performance.now();
  log.info('building the console; the API serves meanwhile');
  const child = fork(BUILD, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [`--max-old-space-size=${BUILD_HEAP_MB}`],
  });
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2_000);
  });
  child.on('message', (message) => {
    if (site?.state === 'building') site = { ...site, phase: phaseOf(message) };
  });
  child.on('error', (error) => {
    site = { state: 'failed', reason: error.message };
  });
  child.on('exit', (code, signal) => {
    if (signal !== null) return;
    if (code === 0) {
      site = null;
      log.info({ ms: Math.round(performance.now() - startedAt) }, 'the console is ready');
      return;
    }
    site = { state: 'failed', reason: `the build ended with code ${code}` };
    log.error({ error: complaint }, 'the console could not be built; the API serves without it');
  });
  return { handle: serve(() => site ?? readiness()), stop: () => child.kill() };
}

/** Returns the newest finished build: one that ends while the service runs is served without a restart. */
function followBuilds(): () => Site {
  let served: { build: string; site: Site } | null = null;
  return () => {
    const build = builtFingerprint();
    if (build !== null && build !== served?.build) {
      served = { build, site: { state: 'ready', assets: readAssets(), hints: readPageHints() } };
    }
    return served?.site ?? NOT_BUILT;
  };
}

const NOT_BUILT: Site = { state: 'failed', reason: 'it was not built; run `npm run build`' };

function phaseOf(message: unknown): string {
  const known = typeof message === 'object' && message !== null && 'phase' in message;
  return known ? String(message.phase) : 'working';
}

function serve(siteNow: () => Site): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const site = siteNow();
    if (site.state !== 'ready') {
      if (!wantsPage(request)) return next();
      setPageHeaders(response);
      const status = site.state === 'building' ? 200 : 503;
      response.status(status).type('html').send(progressPage(site));
      return;
    }
    const asset = site.assets.get(request.path);
    if (asset) return send(request, response, next, asset);
    const shell = wantsPage(request) ? site.assets.get('/index.html') : undefined;
    if (!shell) return next();
    response.setHeader('Link', site.hints(request.path));
    if (request.path.endsWith('/shared')) response.setHeader('X-Robots-Tag', 'noindex');
    send(request, response, next, shell);
  };
}

function send(request: Request, response: Response, next: NextFunction, asset: Asset): void {
  const { name, etag, forms } = asset;
  const accepted = request.headers['accept-encoding'] ?? '';
  const form = forms.find(({ encoding }) => accepted.includes(encoding));
  setPageHeaders(response);
  const headers = {
    ...(name.startsWith('assets/') && { 'Cache-Control': 'public, max-age=31536000, immutable' }),
    ...(form && { 'Content-Encoding': form.encoding }),
    Vary: 'Accept-Encoding',
    ETag: etag,
  };
  response.type(path.extname(name));
  // The headers are sent once the file is found. A file that a new build has removed is an unknown path.
  const options = { root: DIST, headers, acceptRanges: false, lastModified: false };
  response.sendFile(`${name}${form?.suffix ?? ''}`, options, (error) => {
    if (!error || response.headersSent) return;
    for (const header of Object.keys(headers)) response.removeHeader(header);
    next();
  });
}

/** Lists every built file by its path on the site. Its compressed forms stand beside it. */
function readAssets(): ReadonlyMap<string, Asset> {
  const names = new Set(
    readdirSync(DIST, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(DIST, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
  );
  const served = [...names].filter((name) => SERVED.test(name));
  return new Map(served.map((name) => [`/${name}`, assetOf(name, names)]));
}

function assetOf(name: string, names: ReadonlySet<string>): Asset {
  const forms = [
    { encoding: 'br', suffix: '.br' },
    { encoding: 'gzip', suffix: '.gz' },
  ];
  const digest = createHash('sha256').update(readFileSync(path.join(DIST, name)));
  return {
    name,
    etag: `"${digest.digest('base64url').slice(0, 22)}"`,
    forms: forms.filter(({ suffix }) => names.has(name + suffix)),
  };
}
