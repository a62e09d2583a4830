import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

type Closable = { close(): Promise<unknown> };

/**
 * Opens a world before the tests of a file and closes it after the last. The returned object is that world once tests and hooks
 * run; before, it is empty.
 */
export function openedForFile<T extends Closable>(open: () => Promise<T>): T {
  const world = {} as T;
  beforeAll(async () => {
    Object.assign(world, await open());
  });
  afterAll(() => world.close());
  return world;
}

/** As `openedForFile`, with a new world for each test. */
export function openedForEachTest<T extends Closable>(open: () => Promise<T>): T {
  const world = {} as T;
  beforeEach(async () => {
    Object.assign(world, await open());
  });
  afterEach(() => world.close());
  return world;
}
