import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { expect } from 'vitest';
import { browser } from './browser.ts';
import { type Scene, VIEWS } from './picture-scenes.ts';
import { type Recording, record, writeRecording } from './recording.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { buysAtOnce, withAverages } from './strategies.ts';

/** Until the demo has traded for a while, and its curves have a shape. */
const LIVED_MS = 120_000;
const STREAM_MS = 6_000;
const DAY_MS = 86_400_000;
const SWEPT_DAYS = 15;
const SWEPT_WITHIN_MS = 240_000;

/** Records a service's responses for all scenes: once for an old user, once for a new one. */
export async function recordScenes<Name extends string>(
  worlds: Record<Name, readonly Scene[]>,
  fileOf: (world: Name) => string,
): Promise<void> {
  const service = await startServiceProcess({ CONSOLE_BUILD: '0', DEMO: '1', LOG_LEVEL: 'warn' });
  try {
    await sleep(LIVED_MS);
    for (const name of Object.keys(worlds) as Name[]) {
      const context = await (await browser()).newContext({ ...VIEWS['desk-dark'], timezoneId: 'UTC' });
      const ids = name === 'full' ? await used(context, service) : await fresh(context, service);
      writeRecording(fileOf(name), await recorded(context, service, worlds[name], ids));
      await context.close();
    }
  } finally {
    await service.stop();
  }
}

async function recorded(
  context: BrowserContext,
  { base }: ServiceProcess,
  scenes: readonly Scene[],
  ids: Record<string, string>,
): Promise<Recording> {
  const world: Recording = {
    at: new Date().toISOString(),
    ids,
    stream: [],
    answers: {},
  };
  const readAgain = await record(context, world);
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(world.at));
  for (const device of ['desk', 'phone'] as const) {
    await page.setViewportSize(VIEWS[`${device}-dark`].viewport);
    for (const { show } of scenes.filter(({ views }) => views.some((view) => view.startsWith(device)))) {
      await page.goto(base);
      await show({ page, ids });
      await page.waitForLoadState('networkidle').catch(() => undefined);
    }
  }
  const stream = await streamed(context, base, ids);
  await readAgain();
  return { ...world, stream, at: new Date().toISOString() };
}

/**
 * The states of the steps, from the last event of the stream. Marks and money are left out: pages also request them, and which
 * of the two responses arrives later is chance.
 */
async function streamed(
  context: BrowserContext,
  base: string,
  ids: Record<string, string>,
): Promise<string[]> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const input = encodeURIComponent(JSON.stringify({ blueprintIds: ids['running'] ? [ids['running']] : [] }));
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), STREAM_MS);
  let said = '';
  try {
    const { body } = await fetch(`${base}/trpc/events?input=${input}`, {
      headers: { cookie },
      signal: ended.signal,
    });
    for await (const chunk of body ?? []) said += new TextDecoder().decode(chunk);
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return said
    .split('\n\n')
    .slice(0, -1)
    .filter((message) => message.includes('"type":"node_states"'))
    .slice(-1)
    .map((message) => `${message}\n\n`);
}

/** One is folded, one shows its steps. */
const GROUPS = [
  { id: 'a', name: 'Market', color: 'violet', collapsed: true, nodes: ['price', 'floor'] },
  { id: 'b', name: 'Entry', color: 'blue', nodes: ['above', 'amount'] },
];

type Listed = { id: string; name: string; status: string };

/** The demo's account, with decisions to make and data to show. */
async function used(context: BrowserContext, service: ServiceProcess): Promise<Record<string, string>> {
  const password = readFileSync(path.join(service.dataDir, 'demo-password'), 'utf8').trim();
  await post(context, service, '/api/auth/sign-in/email', { email: 'demo@example.com', password });
  const visual = buysAtOnce(80);
  const deploy = async (name: string, drawing: object) => {
    const { id } = await post<Listed>(context, service, '/api/blueprints', { name, visual: drawing });
    await post(context, service, `/api/blueprints/${id}/deploy`, {});
    return id;
  };
  const waiting = [await deploy('Larger buy', visual), await deploy('Another buy', visual)];
  const average = await deploy('Above its average', buysAtOnce(20));
  await post(context, service, `/api/blueprints/${average}/stop`, {});
  await put(context, service, `/api/blueprints/${average}`, { visual: withAverages(buysAtOnce(25)) });
  await post(context, service, `/api/blueprints/${average}/deploy`, {});
  const draft = await post<Listed>(context, service, '/api/blueprints', { name: 'A draft', visual });
  const grouped = await post<Listed>(context, service, '/api/blueprints', {
    name: 'In groups',
    visual: { ...visual, groups: GROUPS },
  });
  await post(context, service, '/api/api-keys', { name: 'Reporting', scopes: ['portfolio:read'] });
  const all = (await (await context.request.get(`${service.base}/api/blueprints`)).json()) as Listed[];
  const running = all.find(({ id, status }) => status === 'running' && ![...waiting, average].includes(id));
  if (!running) throw new Error('The demo runs nothing.');
  const runs = (await (await context.request.get(`${service.base}/api/backtests`)).json()) as Listed[];
  const backtest = runs.find(({ status }) => status === 'done');
  if (!backtest) throw new Error('The demo has no backtest that is done.');
  const momentum = all.find(({ name }) => name === 'Momentum on candles');
  if (!momentum) throw new Error('The demo has no strategy of two averages.');
  const sweep = await swept(context, service, momentum.id);
  await sleep(STREAM_MS);
  return { draft: draft.id, grouped: grouped.id, running: running.id, average, backtest: backtest.id, sweep };
}

/** A sweep of two averages of the demo's strategy that has ended. */
async function swept(context: BrowserContext, service: ServiceProcess, blueprintId: string): Promise<string> {
  const read = async <Body>(where: string) =>
    (await (await context.request.get(`${service.base}/api/${where}`)).json()) as Body;
  const { visual } = await read<{ visual: { nodes: { id: string }[] } }>(`blueprints/${blueprintId}`);
  const periodOf = (node: string) =>
    `/nodes/${visual.nodes.findIndex(({ id }) => id === node)}/data/config/period`;
  const today = Date.now() - (Date.now() % DAY_MS);
  const { id } = await post<Listed>(context, service, '/api/sweeps', {
    blueprintId,
    from: new Date(today - SWEPT_DAYS * DAY_MS).toISOString(),
    to: new Date(today).toISOString(),
    space: {
      dimensions: [
        { pointer: periodOf('fast'), from: 5, to: 17, step: 3 },
        { pointer: periodOf('slow'), from: 21, to: 51, step: 6 },
      ],
    },
    objective: { statistic: 'totalReturn', minTrades: 0 },
    walkForward: { trainDays: 4, testDays: 2 },
  });
  await expect
    .poll(async () => (await read<Listed>(`sweeps/${id}`)).status, { timeout: SWEPT_WITHIN_MS })
    .toBe('done');
  return id;
}

async function fresh(context: BrowserContext, service: ServiceProcess): Promise<Record<string, string>> {
  await post(context, service, '/api/auth/sign-up/email', {
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse battery',
  });
  return {};
}

const post = <Answer>(context: BrowserContext, service: ServiceProcess, at: string, data: unknown) =>
  send<Answer>(context, service, ['POST', at], data);
const put = (context: BrowserContext, service: ServiceProcess, at: string, data: unknown) =>
  send<unknown>(context, service, ['PUT', at], data);

async function send<Answer>(
  context: BrowserContext,
  { base }: ServiceProcess,
  [method, at]: readonly [string, string],
  data: unknown,
): Promise<Answer> {
  const response = await context.request.fetch(base + at, { method, headers: { origin: base }, data });
  if (!response.ok())
    throw new Error(`${method} ${at} answered ${response.status()}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
