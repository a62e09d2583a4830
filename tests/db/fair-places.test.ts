import { expect, test } from 'vitest';
import { FairPlaces } from '../../db/fair-places.ts';

/** Takes places in the order of the names, and notes who got one. */
function takeAll(places: FairPlaces, names: readonly string[]): string[] {
  const got: string[] = [];
  for (const name of names) void places.take(name, 10_000).then(() => got.push(name));
  return got;
}
const settle = () => new Promise(setImmediate);

test('no more than so many have a place, and one that is given back goes to whoever waits', async () => {
  const places = new FairPlaces(2);
  const got = takeAll(places, ['a', 'b', 'c']);
  await settle();
  expect(got).toEqual(['a', 'b']);
  expect(places.waiting).toBe(1);
  places.giveBack();
  await settle();
  expect(got).toEqual(['a', 'b', 'c']);
  places.giveBack();
  places.giveBack();
  const again = takeAll(places, ['d', 'e', 'f']);
  await settle();
  expect(again).toEqual(['d', 'e']);
});

test('of those who wait each name has its turn, however much one of them asks for', async () => {
  const places = new FairPlaces(1);
  const got = takeAll(places, ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
  for (let given = 0; given < 7; given += 1) {
    await settle();
    places.giveBack();
  }
  await settle();
  expect(got).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
});

test('who waits for too long gets none, and takes none from others', async () => {
  const places = new FairPlaces(1);
  await places.take('a', 1);
  const late = places.take('b', 1);
  await expect(late).rejects.toThrow('timeout exceeded when trying to connect');
  const got = takeAll(places, ['c']);
  places.giveBack();
  await settle();
  expect(got).toEqual(['c']);
  places.giveBack();
  const free = takeAll(places, ['d']);
  await settle();
  expect(free).toEqual(['d']);
});
