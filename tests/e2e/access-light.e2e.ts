import { expect, test } from 'vitest';
import { axeFinds } from './support/axe.ts';

test('R4: axe finds nothing on any page, menu or open dialog, empty or full, light', async () => {
  expect(await axeFinds('light')).toEqual([]);
}, 300_000);
