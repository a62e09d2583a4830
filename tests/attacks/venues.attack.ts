import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fortress, openFortress, scaled } from './support/fortress.ts';
import { withstands } from './support/witness.ts';

let fortress: Fortress;
beforeAll(async () => {
  fortress = await openFortress();
});
afterAll(() => fortress.close());

/** A drawing that looks at so many markets that no venue has. */
const madeUp = (count: number, from: number) => ({
  nodes: Array.from({ length: count }, (_, n) => ({
    id: `n${n}`,
    type: 'market.price',
    data: { config: { instrument: `KXNOPE-${from + n}:yes`, field: 'mid' } },
  })),
  edges: [],
});

test('X12: checking drawings full of made-up markets silences no venue for anybody else', async () => {
  const [attacker, neighbour] = [await fortress.account(), await fortress.account()];
  const { id } = (await attacker.http('POST', '/api/blueprints', { name: 'x' })).body as { id: string };
  const seen: number[] = [];
  let from = 0;
  await withstands(fortress, async () => {
    for (let round = 0; round < scaled(4, 20); round++) {
      const sizes = [200, 30, 30, 30];
      const checks = sizes.map((count) => {
        from += count;
        return attacker.http('POST', `/api/blueprints/${id}/validate`, { visual: madeUp(count, from) });
      });
      for (const path of ['/api/venue-a?ticker=KXELONMARS-99', '/api/crypto?symbol=BTCUSDT'])
        seen.push((await neighbour.http('GET', path)).status);
      await Promise.all(checks);
      await sleep(500);
    }
  });
  expect(new Set(seen)).toEqual(new Set([200]));
});
