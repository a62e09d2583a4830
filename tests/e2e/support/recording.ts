import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { BrowserContext, Request, Route } from 'playwright-core';
import { base } from './browser.ts';

/** The response to one call. */
type Answer = { readonly status: number; readonly body: unknown };

/**
 * A recording of a service at one instant: its responses by call, and its event stream. A page that gets the same recording
 * looks the same, to the pixel, whatever the markets do.
 */
export type Recording = {
  /** The instant of the browser's clock, as ISO 8601. */
  readonly at: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly stream: readonly string[];
  readonly answers: Record<string, Answer>;
};

export const readRecording = (file: string): Recording => JSON.parse(readFileSync(file, 'utf8')) as Recording;

/** Writes one call a line, sorted, so that a new recording shows its differences. Session tokens are left out. */
export function writeRecording(file: string, world: Recording): void {
  const answers = Object.keys(world.answers)
    .sort()
    .map((call) => `${JSON.stringify(call)}: ${JSON.stringify(world.answers[call], withoutTokens)}`);
  const { at, ids, stream } = world;
  const head = JSON.stringify({ at, ids, stream }).slice(0, -1);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${head}, "answers": {\n${answers.join(',\n')}\n}}\n`);
}

const withoutTokens = (name: string, value: unknown) => (name === 'token' ? 'none' : value);

type File = { readonly status: number; readonly headers: Record<string, string>; readonly body: Buffer };

/** A page, or a part of one, as this run's service serves it. */
async function readFile(file: string): Promise<File> {
  const response = await fetch(base + file, { headers: { accept: 'text/html,*/*' } });
  const {
    'content-encoding': _encoding,
    'content-length': _length,
    ...headers
  } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
}

type Call = { readonly key: string };

/** The calls of one request: several if queries are batched. */
function callsOf(request: Request): { calls: Call[]; isBatch: boolean } {
  const { pathname, searchParams } = new URL(request.url());
  const [, root = '', paths = ''] = /^(.*\/trpc)\/(.*)$/.exec(pathname) ?? [];
  if (!paths) return { calls: [{ key: `${request.method()} ${pathname}` }], isBatch: false };
  const isBatch = searchParams.get('batch') === '1';
  const given = searchParams.get('input') ?? request.postData() ?? 'null';
  const inputs = JSON.parse(given) as Record<string, unknown> | null;
  const calls = decodeURIComponent(paths)
    .split(',')
    .map((path, index) => ({
      key: `${root}/${path} ${JSON.stringify(isBatch ? (inputs?.[index] ?? null) : inputs)}`,
    }));
  return { calls, isBatch };
}

const isStream = (url: URL) => /\/trpc\/events(\?|$)/.test(url.pathname + url.search);
const isAsked = (url: URL) => url.pathname.includes('/trpc/') || url.pathname.startsWith('/api/');

/**
 * Lets the service respond, and stores its first response: the page's next requests follow from that one. Returns a function that
 * sends all queries again, together: while pages are visited, orders fill, and the answers would be of different instants.
 */
export async function record(context: BrowserContext, world: Recording): Promise<() => Promise<void>> {
  const queries = new Map<string, string>();
  await context.route(isAsked, async (route) => {
    const request = route.request();
    if (isStream(new URL(request.url()))) return route.continue();
    const response = await route.fetch();
    const { calls, isBatch } = callsOf(request);
    const { origin, pathname } = new URL(request.url());
    if (request.method() === 'GET' && pathname.includes('/trpc/'))
      for (const { key } of calls) queries.set(key, origin);
    const body = JSON.parse((await response.text()) || 'null') as unknown;
    const answers = calls.map(({ key }, index) => {
      world.answers[key] ??= { status: response.status(), body: isBatch ? (body as unknown[])[index] : body };
      return world.answers[key];
    });
    await route.fulfill(answered(answers, isBatch));
  });
  return async () => {
    const again = [...queries].map(async ([key, origin]) => {
      const [procedure = '', input = ''] = key.split(/ (.*)/s);
      const response = await context.request.get(`${origin}${procedure}`, { params: { input } });
      if (response.ok()) world.answers[key] = { status: response.status(), body: await response.json() };
    });
    await Promise.all(again);
  };
}

function answered(answers: readonly Answer[], isBatch: boolean): { status: number; json: unknown } {
  const [first] = answers;
  return isBatch
    ? { status: 200, json: answers.map(({ body }) => body) }
    : { status: first?.status ?? 404, json: first?.body ?? null };
}

export type Replay = {
  /** Calls that were requested and never recorded. */
  readonly missed: string[];
  /** Answers no call whose key contains this, until it is null: loading does not end. */
  withhold: string | null;
  /** Answers calls whose key contains this with a server error. */
  fail: string | null;
  /** Changes the recorded response of calls whose key contains this, for states that only another account has. */
  alter: readonly { readonly of: string; readonly to: (answer: string) => string }[];
  readonly attach: (context: BrowserContext) => Promise<unknown>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

const BEAT_MS = 2_000;

/** The address of the console in pictures: texts with it are always the same, whatever the port of a run. */
export const ORIGIN = 'http://desk.localhost';

/** Replays a recording. */
export async function startReplay(world: Recording): Promise<Replay> {
  // A response of a route ends; an event stream must not.
  const stream = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' });
    const sign = `data: ${JSON.stringify({ type: 'beat', at: world.at, payload: {} })}\nid: 1\n\n`;
    response.write(`event: connected\ndata: {}\n\n${world.stream.join('')}${sign}`);
    const beat = setInterval(() => response.write(sign), BEAT_MS);
    response.on('close', () => clearInterval(beat));
  });
  await new Promise<void>((resolve) => stream.listen(0, '127.0.0.1', resolve));
  const { port } = stream.address() as AddressInfo;
  const replay: Replay = {
    missed: [],
    withhold: null,
    fail: null,
    alter: [],
    attach: (context) =>
      context.route(`${ORIGIN}/**`, (route) => {
        const url = new URL(route.request().url());
        if (isStream(url)) return route.continue({ url: `http://127.0.0.1:${port}/` });
        return isAsked(url) ? replayCalls(route) : handed(route, url.pathname + url.search);
      }),
    [Symbol.asyncDispose]: async () => {
      stream.closeAllConnections();
      await new Promise((resolve) => stream.close(resolve));
    },
  };
  const files = new Map<string, Promise<File>>();
  const handed = async (route: Route, file: string) => {
    const read = files.get(file) ?? readFile(file);
    files.set(file, read);
    await route.fulfill(await read);
  };
  const isAbout = (part: string | null, calls: readonly Call[]) =>
    part !== null && calls.some(({ key }) => key.includes(part));
  const replayCalls = async (route: Route) => {
    const { calls, isBatch } = callsOf(route.request());
    if (isAbout(replay.withhold, calls)) return;
    if (isAbout(replay.fail, calls)) return route.fulfill({ status: 503, json: {} });
    const answers = calls.map(({ key }) => {
      const answer = world.answers[key];
      if (!answer) replay.missed.push(key);
      const recorded = answer ?? { status: 404, body: null };
      const alterations = replay.alter.filter(({ of }) => key.includes(of));
      if (alterations.length === 0) return recorded;
      const body = alterations.reduce((text, { to }) => to(text), JSON.stringify(recorded.body));
      return { ...recorded, body: JSON.parse(body) };
    });
    await route.fulfill(answered(answers, isBatch));
  };
  return replay;
}
