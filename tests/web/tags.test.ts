import { expect, test } from 'vitest';
import { tagChange, tagsIn, typedTags } from '../../web/src/format/tags.ts';

test('typed tags are separated by commas; empty ones are dropped', () => {
  expect(typedTags(' momentum, BTC ,, ,two words')).toEqual(['momentum', 'BTC', 'two words']);
  expect(typedTags('  ')).toEqual([]);
});

test('a tag of several blueprints is on all of them or on some, whatever its case', () => {
  expect(tagsIn([{ tags: ['BTC', 'slow'] }, { tags: ['btc'] }])).toEqual([
    { tag: 'BTC', isOnAll: true },
    { tag: 'slow', isOnAll: false },
  ]);
});

test('only pressed boxes change a tag, and a typed tag is added whatever its box says', () => {
  expect(tagChange(new Map(), [])).toEqual({ add: [], remove: [] });
  expect(
    tagChange(
      new Map([
        ['slow', true],
        ['BTC', false],
        ['old', false],
      ]),
      ['btc', 'new'],
    ),
  ).toEqual({ add: ['slow', 'btc', 'new'], remove: ['old'] });
});
