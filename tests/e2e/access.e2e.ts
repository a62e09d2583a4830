import { expect, test } from 'vitest';
import { axeFinds } from './support/axe.ts';

test('R4: axe finds nothing on any page, menu or open dialog, empty or full, dark or light', async () => {
  expect(await axeFinds()).toEqual([]);
}, 300_000);
