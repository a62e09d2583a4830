import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLAIN_PASS } from '../../../../engine/research/playback/run-backtest.ts';
import { runPass } from '../../../../engine/research/playback/run-pass.ts';
import { truncateInputAt } from '../../../../engine/research/playback/verdicts/truncate-input.ts';
import { RANDOM_SPAN_MS, randomInput } from '../../../support/random-input.ts';
import { DRAWN_TYPES, graphWith } from '../../strategy/graph/arbitraries.ts';

/** Most of them lie inside the five-minute candles. The price within a minute is drawn of its bar, so that is not cut. */
const minutes = fc.integer({ min: 1, max: RANDOM_SPAN_MS / 60_000 - 1 });

test.each(DRAWN_TYPES)(
  'a run of random graphs with %s, cut off inside bars too, did the same before it',
  (type) => {
    fc.assert(
      fc.property(graphWith(type), fc.nat(), minutes, (visual, seed, minute) => {
        const input = randomInput(visual, seed);
        const at = Date.parse(input.request.from) + 60_000 * minute;
        const noted = (cut: typeof input) => runPass(cut, { ...PLAIN_PASS, marks: [at] }).noted.get(at);
        const whole = noted(input);
        expect(whole?.length).toBeGreaterThan(100);
        expect(noted(truncateInputAt(input, at))).toBe(whole);
      }),
      { numRuns: 2, seed: 33 },
    );
  },
);
