import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { pictureFault } from './support/picture.ts';
import { VIEWS, type View } from './support/picture-scenes.ts';
import { recordScenes } from './support/record-scenes.ts';
import { fileOf, showReplayed, WORLDS, type World } from './support/replayed.ts';

/**
 * `accept` takes the present pictures as the reference; `record` first records a service again. Otherwise they are compared.
 */
const PICTURES = process.env['PICTURES'] ?? 'compare';

/** The pictures of a view that differ from the accepted ones. */
async function faultsOf(world: World, view: View): Promise<string[]> {
  const found: string[] = [];
  const scenes = WORLDS[world].filter(({ views }) => views.includes(view));
  const missed = await showReplayed(world, scenes, VIEWS[view], async (page, { name }) => {
    const difference = await pictureFault(page, `${name} ${view}`, PICTURES !== 'compare');
    if (difference) found.push(difference);
  });
  return [...found, ...missed];
}

describe('what the console looks like, as it was accepted', () => {
  beforeAll(async () => {
    if (PICTURES === 'record') await recordScenes(WORLDS, fileOf);
  }, 600_000);

  describe.each(Object.keys(WORLDS) as World[])('%s', (name) => {
    const views = (Object.keys(VIEWS) as View[]).filter((view) =>
      WORLDS[name].some((scene) => scene.views.includes(view)),
    );
    test.each(views)(
      '%s',
      async (view) => {
        expect(existsSync(fileOf(name)), 'npm run pictures -- record').toBe(true);
        expect(await faultsOf(name, view)).toEqual([]);
      },
      180_000,
    );
  });
});
