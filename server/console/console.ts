import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream';
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

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.png': 'image/png',
};

type Asset = {
  file: string;
  type: string;
  etag: string;
  encodings: { name: string; suffix: string; bytes: number }[];
};
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
    send(request, response, next, shell);
  };
}

function send(request: Request, response: Response, next: NextFunction, asset: Asset): void {
  if (request.headers['if-none-match'] === asset.etag) {
    setFileHeaders(request, response, asset);
    response.status(304).end();
    return;
  }
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = asset.encodings.find(({ name }) => name === 'identity' || accepted.includes(name));
  if (!encoding) throw new Error(`${asset.file} has no content.`);
  // Sends no headers before the file is open: a missing file then gives an error answer.
  const content = createReadStream(`${asset.file}${encoding.suffix}`);
  content.once('error', (error) => {
    if (!response.headersSent) next(error);
  });
  content.once('open', () => {
    // Closed while the file was opened: `pipeline` would throw outside any handler.
    if (response.destroyed) return void content.destroy();
    setFileHeaders(request, response, asset);
    response.setHeader('Content-Type', asset.type);
    response.setHeader('Content-Length', encoding.bytes);
    if (encoding.name !== 'identity') response.setHeader('Content-Encoding', encoding.name);
    if (request.method === 'HEAD') {
      response.end();
      content.destroy();
      return;
    }
    // A reader that disconnects is not an error.
    pipeline(content, response, (error) => {
      if (error) response.destroy();
    });
  });
}

function setFileHeaders(request: Request, response: Response, { etag }: Asset): void {
  setPageHeaders(response);
  if (request.path.startsWith('/assets/'))
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('ETag', etag);
}

/** Lists every built file by its path on the site. Its compressed forms stand beside it. */
function readAssets(): ReadonlyMap<string, Asset> {
  const names = new Set(
    readdirSync(DIST, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(DIST, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
  );
  const served = [...names].filter((name) => TYPES[path.extname(name)] !== undefined);
  return new Map(served.map((name) => [`/${name}`, assetOf(name, names)]));
}

function assetOf(name: string, names: ReadonlySet<string>): Asset {
  const file = path.join(DIST, name);
  const forms = [
    { name: 'br', suffix: '.br' },
    { name: 'gzip', suffix: '.gz' },
    { name: 'identity', suffix: '' },
  ];
  return {
    file,
    type: TYPES[path.extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 22)}"`,
    encodings: forms
      .filter(({ suffix }) => names.has(name + suffix))
      .map((form) => ({ ...form, bytes: statSync(file + form.suffix).size })),
  };
}
