import { expect, test } from 'vitest';
import { newGuest } from './support/browser.ts';
import { showAll } from './support/scenes.ts';
import { tooSmall } from './support/targets.ts';

test('R6: nothing to press is too small on any page, menu or open dialog: on touch, 44 px', async () => {
  const options = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
  await using guest = await newGuest(options);
  const small = new Map<string, string>();
  await showAll(guest, async (scene) => {
    for (const control of await tooSmall(guest.page, 44)) small.set(control, scene);
  });
  expect([...small].map(([control, scene]) => `${scene}: ${control}`)).toEqual([]);
}, 300_000);
