import { expect, test } from 'vitest';
import { delayWords } from '../../web/src/live/store.ts';

test('rows that do not come have a reason once the service is silent, and none before', () => {
  expect(delayWords('stale')).toMatch(/^The service does not answer\./);
  expect((['live', 'connecting', 'reconnecting'] as const).map(delayWords)).toEqual([null, null, null]);
});
