import { expect, test } from 'vitest';
import {
  deviationsOf,
  exploits,
  HOURS,
  MINUTES,
  type Noise,
  playOn,
  QUARTERS,
  randomGraph,
} from '../../../support/noise.ts';

/** Small and of fixed seeds; `npm run test:faults noise` runs all of it. */
const SMALL: readonly Noise[] = [
  { ...MINUTES, bars: 240 },
  { ...HOURS, bars: 120 },
  { ...QUARTERS, bars: 80 },
];
const PARTS = 4;
const parts = SMALL.flatMap((noise) =>
  Array.from({ length: PARTS }, (_, part) => ({ name: noise.name, part: part + 1, noise })),
);

test.each(parts)(
  'on a random walk in $name no graph earns more than its costs, however it is built: part $part',
  ({ noise, part }) => {
    const graphs = [...exploits(noise), randomGraph(noise, 1)].filter(
      (_, index) => index % PARTS === part - 1,
    );
    const outcomes = graphs.map((graph, index) => playOn(noise, graph, { seed: 100 + index }));
    for (const { name, net, costs, error } of outcomes)
      expect((net + costs) / error, `standard errors of “${name}”`).toBeLessThan(3);
    const taking = outcomes.filter((_, index) => graphs[index]?.rests === false);
    expect(Math.abs(deviationsOf(taking))).toBeLessThan(3);
    expect(taking.reduce((sum, { trades }) => sum + trades, 0)).toBeGreaterThan(50);
  },
);
