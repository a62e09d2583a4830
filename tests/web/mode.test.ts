import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modeOf, samePageIn } from '../../web/src/api/mode.ts';

test('an address is about paper unless its path begins with the live one', () => {
  for (const path of ['/', '/orders', '/lively', '/orders/live', '/livetrading', '']) {
    expect(modeOf(path), path).toBe('paper');
  }
  for (const path of ['/live', '/live/', '/live/orders', '/live/blueprints/1']) {
    expect(modeOf(path), path).toBe('live');
  }
});

test('switching a page to the other mode and back gives the same page', () => {
  expect(samePageIn('live', '/')).toBe('/live/');
  expect(samePageIn('live', '/orders')).toBe('/live/orders');
  expect(samePageIn('paper', '/live')).toBe('/');
  expect(samePageIn('paper', '/live/blueprints/1')).toBe('/blueprints/1');
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { maxLength: 3 }), (parts) => {
      const page = `/${parts.filter((part) => part !== 'live').join('/')}`;
      expect(samePageIn('paper', samePageIn('live', page))).toBe(page);
      expect(modeOf(samePageIn('live', page))).toBe('live');
      expect(samePageIn('paper', page)).toBe(page);
    }),
  );
});
