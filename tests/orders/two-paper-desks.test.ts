import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { type Desk, openDesk } from '../support/desk.ts';
import { paperMoves, playOnPaper } from '../support/two-paper-desks.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** Played again, played longer and recorded as `two-desks.test.ts` says. */
const { FC_SEED, FC_PATH, TWO_DESKS, RECORD_GAMES } = process.env;
const replay = {
  ...(FC_SEED === undefined ? {} : { seed: Number(FC_SEED) }),
  ...(FC_PATH === undefined ? {} : { path: FC_PATH }),
};
const GAMES = Number(TWO_DESKS ?? 3);

test(
  'orders that trade on paper, in memory, meet what they meet in the service: after each move both hold the same rows',
  async () => {
    await fc.assert(
      fc.asyncProperty(paperMoves(40), async (game) => {
        const recorded = await playOnPaper(desk, game);
        if (RECORD_GAMES !== undefined) appendFileSync(RECORD_GAMES, `${JSON.stringify(recorded)}\n`);
      }),
      { numRuns: GAMES, endOnFailure: true, ...replay },
    );
  },
  60_000 + GAMES * 10_000,
);
