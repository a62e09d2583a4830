import { afterAll, beforeAll, test } from 'vitest';
import { type Desk, openDesk } from '../support/desk.ts';
import { GAMES_TIMEOUT_MS, playGames } from '../support/games.ts';
import { paperMoves, playOnPaper } from '../support/two-paper-desks.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

test(
  'row 11: orders that trade on paper, in memory, meet the same offers as in the service: after each move both hold the same rows',
  { tags: ['long'], timeout: GAMES_TIMEOUT_MS },
  () => playGames(paperMoves(40), (game) => playOnPaper(desk, game)),
);
