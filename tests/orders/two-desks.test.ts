import { afterAll, beforeAll, test } from 'vitest';
import { type Desk, openDesk } from '../support/desk.ts';
import { deskMoves } from '../support/desk-moves.ts';
import { GAMES_TIMEOUT_MS, playGames } from '../support/games.ts';
import { playOnBoth } from '../support/two-desks.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

test(
  'row 11: after each move of any game, an account in memory has the stored rows of the service, and the same refusals',
  { tags: ['long'], timeout: GAMES_TIMEOUT_MS },
  () => playGames(deskMoves(60), (game) => playOnBoth(desk, game)),
);
