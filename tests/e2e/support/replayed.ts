import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { browser } from './browser.ts';
import { EMPTY, FULL, type Scene } from './picture-scenes.ts';
import { ORIGIN, type Replay, readRecording, startReplay } from './recording.ts';

export const WORLDS = { full: FULL, empty: EMPTY };
export type World = keyof typeof WORLDS;

export const fileOf = (world: World): string =>
  path.join(import.meta.dirname, '../pictures', `${world}.json`);

/** Shows scenes of a recorded world, one after another, and checks each. Returns the calls that were never recorded. */
export async function showReplayed(
  name: World,
  scenes: readonly Scene[],
  view: BrowserContextOptions,
  check: (page: Page, scene: Scene) => Promise<void>,
): Promise<string[]> {
  const world = readRecording(fileOf(name));
  await using replay = await startReplay(world);
  await using context = await (await browser()).newContext({
    locale: 'en-US',
    ...view,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(15_000);
  await replay.attach(context);
  // The headless shell denies notifications; a browser with windows has not asked yet.
  await context.addInitScript(() =>
    Object.defineProperty(Notification, 'permission', { get: () => 'default' }),
  );
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(world.at));
  await page.goto(ORIGIN);
  for (const scene of scenes) {
    Object.assign(replay, { withhold: null, fail: null, alter: [] } satisfies Partial<Replay>);
    await scene.show({ page, ids: world.ids, replay });
    await check(page, scene);
  }
  return [...new Set(replay.missed.map((call) => `never recorded: ${call}`))];
}
