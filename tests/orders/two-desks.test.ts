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
  'row 11: after each move of any game, a desk in memory holds the rows that the service has stored, and refuses what it refuses',
  { tags: ['long'], timeout: GAMES_TIMEOUT_MS },
  () => playGames(deskMoves(60), (game) => playOnBoth(desk, game)),
);
