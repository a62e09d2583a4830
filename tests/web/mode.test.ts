import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modeOf, sameIn } from '../../web/src/api/mode.ts';

test('an address is about paper unless its path begins with the live one', () => {
  for (const path of ['/', '/orders', '/lively', '/orders/live', '/livetrading', '']) {
    expect(modeOf(path), path).toBe('paper');
  }
  for (const path of ['/live', '/live/', '/live/orders', '/live/blueprints/1']) {
    expect(modeOf(path), path).toBe('live');
  }
});

test('switching a page to the other mode and back gives the same page', () => {
  expect(sameIn('live', '/')).toBe('/live/');
  expect(sameIn('live', '/orders')).toBe('/live/orders');
  expect(sameIn('paper', '/live')).toBe('/');
  expect(sameIn('paper', '/live/blueprints/1')).toBe('/blueprints/1');
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { maxLength: 3 }), (parts) => {
      const page = `/${parts.filter((part) => part !== 'live').join('/')}`;
      expect(sameIn('paper', sameIn('live', page))).toBe(page);
      expect(modeOf(sameIn('live', page))).toBe('live');
      expect(sameIn('paper', page)).toBe(page);
    }),
  );
});
