import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { browser } from './support/browser.ts';
import { pictureFault } from './support/picture.ts';
import { EMPTY, FULL, type Scene, VIEWS, type View } from './support/picture-scenes.ts';
import { recordScenes } from './support/record-scenes.ts';
import { ORIGIN, type Recording, type Replay, readRecording, startReplay } from './support/recording.ts';

/**
 * `accept` takes the present pictures as the reference; `record` first records a service again. Otherwise they are compared.
 */
const PICTURES = process.env['PICTURES'] ?? 'compare';

const fileOf = (world: string) => path.join(import.meta.dirname, 'pictures', `${world}.json`);
const WORLDS = { full: FULL, empty: EMPTY };

/** The pictures of a view that differ from the accepted ones. */
async function faultsOf(world: Recording, scenes: readonly Scene[], view: View): Promise<string[]> {
  await using replay = await startReplay(world);
  const context = await (await browser()).newContext({
    locale: 'en-US',
    ...VIEWS[view],
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(15_000);
  await replay.attach(context);
  const found: string[] = [];
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(world.at));
  await page.goto(ORIGIN);
  for (const scene of scenes) {
    Object.assign(replay, { withhold: null, fail: null, alter: null } satisfies Partial<Replay>);
    await scene.show({ page, ids: world.ids, replay: replay });
    const difference = await pictureFault(page, `${scene.name} ${view}`, PICTURES !== 'compare');
    if (difference) found.push(difference);
  }
  await context.close();
  return [...found, ...new Set(replay.missed.map((call) => `never recorded: ${call}`))];
}

describe('what the console looks like, as it was accepted', () => {
  beforeAll(async () => {
    if (PICTURES === 'record') await recordScenes(WORLDS, fileOf);
  }, 600_000);

  describe.each(Object.keys(WORLDS) as (keyof typeof WORLDS)[])('%s', (name) => {
    const views = (Object.keys(VIEWS) as View[]).filter((view) =>
      WORLDS[name].some((scene) => scene.views.includes(view)),
    );
    test.each(views)(
      '%s',
      async (view) => {
        expect(existsSync(fileOf(name)), 'npm run pictures -- record').toBe(true);
        const scenes = WORLDS[name].filter(({ views }) => views.includes(view));
        expect(await faultsOf(readRecording(fileOf(name)), scenes, view)).toEqual([]);
      },
      180_000,
    );
  });
});
