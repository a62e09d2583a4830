import fc from 'fast-check';
import { test } from 'vitest';
import { openedForFile } from '../support/opened.ts';
import { openTradingFixture } from '../support/trading-fixture.ts';
import { inOtherProcess, inThisProcess, playWaves } from '../support/trading-model.ts';
import { waves } from '../support/trading-moves.ts';

const fixture = openedForFile(() => openTradingFixture({ poolMax: 30 }));

/** `FC_SEED=… FC_PATH=…` plays a reported failure again. */
const { FC_SEED, FC_PATH } = process.env;
const replay = {
  ...(FC_SEED === undefined ? {} : { seed: Number(FC_SEED) }),
  ...(FC_PATH === undefined ? {} : { path: FC_PATH }),
};

test('no sequence of rule changes, intents, approvals, fills, cancels and stops breaks a rule, oversells or loses a cent', {
  tags: ['long'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(waves({ waves: 45, clients: 1 }), (game) => playWaves(fixture, game)),
    { numRuns: 8, endOnFailure: true, ...replay },
  );
});

test.each([
  ['one process', inThisProcess],
  ['many processes', inOtherProcess],
])('nor do the clients of %s, all at once', { tags: ['long'] }, async (_where, place) => {
  await fc.assert(
    fc.asyncProperty(waves({ waves: 12, clients: 8 }), (game) => playWaves(fixture, game, place)),
    { numRuns: 6, endOnFailure: true, ...replay },
  );
});
