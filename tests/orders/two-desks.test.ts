import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { type Desk, openDesk } from '../support/desk.ts';
import { deskMoves, playOnBoth } from '../support/two-desks.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/**
 * `FC_SEED=… FC_PATH=…` plays a reported failure again; `TWO_DESKS=2000` plays as many games; `RECORD_GAMES=…` writes them to
 * that file, a line each, for `tests/engine/simulation/recorded-games.test.ts`.
 */
const { FC_SEED, FC_PATH, TWO_DESKS, RECORD_GAMES } = process.env;
const replay = {
  ...(FC_SEED === undefined ? {} : { seed: Number(FC_SEED) }),
  ...(FC_PATH === undefined ? {} : { path: FC_PATH }),
};
const GAMES = Number(TWO_DESKS ?? 3);

test(
  'after each move of any game, a desk in memory holds the rows that the service has stored, and refuses what it refuses',
  async () => {
    await fc.assert(
      fc.asyncProperty(deskMoves(60), async (game) => {
        const recorded = await playOnBoth(desk, game);
        if (RECORD_GAMES !== undefined) appendFileSync(RECORD_GAMES, `${JSON.stringify(recorded)}\n`);
      }),
      { numRuns: GAMES, endOnFailure: true, ...replay },
    );
  },
  60_000 + GAMES * 10_000,
);
