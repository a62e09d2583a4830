import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changedTags,
  foldTag,
  hasTag,
  tagUses,
  uniqueTags,
} from '../../../../engine/usecases/blueprints/drafts/tags.ts';

const tag = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' });
const tags = fc.array(tag, { maxLength: 12 });

describe('tags', () => {
  test('are each stored once whatever their case, as first written, in one order', () => {
    expect(uniqueTags(['momentum', 'BTC', 'Momentum', 'btc'])).toEqual(['BTC', 'momentum']);
    expect(uniqueTags(['Äpfel', 'äpfel'])).toEqual(['Äpfel']);
    expect(uniqueTags([])).toEqual([]);
  });

  test('one written with a combining mark is the one written without', () => {
    expect(uniqueTags(['caf\u00e9', 'cafe\u0301'])).toEqual(['caf\u00e9']);
    expect(hasTag(['cafe\u0301'], 'CAF\u00c9')).toBe(true);
  });

  test('an existing tag keeps its spelling, and one both removed and added is stored as added', () => {
    expect(changedTags(['BTC', 'old'], { add: ['btc', 'new'], remove: ['OLD'] })).toEqual(['BTC', 'new']);
    expect(changedTags(['btc'], { add: ['BTC'], remove: ['btc'] })).toEqual(['BTC']);
  });

  test('the same change a second time changes nothing', () => {
    fc.assert(
      fc.property(tags, tags, tags, (now, add, remove) => {
        const once = changedTags(now, { add, remove });
        expect(changedTags(once, { add, remove })).toEqual(once);
        expect(new Set(once.map(foldTag)).size).toBe(once.length);
        for (const each of add) expect(hasTag(once, each)).toBe(true);
      }),
    );
  });

  test('the tags of several blueprints are listed once each, with their blueprints', () => {
    expect(
      tagUses([
        { id: 'a', tags: ['BTC', 'momentum'] },
        { id: 'b', tags: [] },
        { id: 'c', tags: ['btc'] },
      ]),
    ).toEqual([
      { tag: 'BTC', blueprintIds: ['a', 'c'] },
      { tag: 'momentum', blueprintIds: ['a'] },
    ]);
  });
});
