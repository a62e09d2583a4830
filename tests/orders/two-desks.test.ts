import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { type Desk, openDesk } from '../support/desk.ts';
import { deskMoves, playOnBoth } from '../support/two-desks.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** `FC_SEED=… FC_PATH=…` plays a reported failure again; `TWO_DESKS=2000` plays as many games. */
const { FC_SEED, FC_PATH, TWO_DESKS } = process.env;
const replay = {
  ...(FC_SEED === undefined ? {} : { seed: Number(FC_SEED) }),
  ...(FC_PATH === undefined ? {} : { path: FC_PATH }),
};
const GAMES = Number(TWO_DESKS ?? 4);

test(
  'after each move of any game, a desk in memory holds the rows that the service has stored, and refuses what it refuses',
  async () => {
    await fc.assert(
      fc.asyncProperty(deskMoves(70), (game) => playOnBoth(desk, game)),
      { numRuns: GAMES, endOnFailure: true, ...replay },
    );
  },
  60_000 + GAMES * 10_000,
);
