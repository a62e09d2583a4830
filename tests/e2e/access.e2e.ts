import { beforeAll, describe, expect, test } from 'vitest';
import { type Faults, faultsOfAll } from './support/axe.ts';

describe('on any page, menu or open dialog, empty or full', () => {
  let faults: Faults;
  beforeAll(async () => {
    faults = await faultsOfAll();
  }, 900_000);

  test('R4: axe finds nothing, dark or light', () => {
    expect(faults.axe).toEqual([]);
  });

  test('R6: nothing to press is too small: with a mouse, 24 px', () => {
    expect(faults.small).toEqual([]);
  });
});
