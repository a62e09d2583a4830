import { test } from 'vitest';
import { GAMES_TIMEOUT_MS, playRandomGames } from '../support/games.ts';
import { openedForFile } from '../support/opened.ts';
import { openTradingFixture } from '../support/trading-fixture.ts';
import { paperMoves, playOnPaperAccounts } from '../support/two-paper-accounts.ts';

const fixture = openedForFile(openTradingFixture);

test(
  'row 11: orders that trade on paper, in memory, meet the same offers as in the service: after each move both hold the same rows',
  { tags: ['long'], timeout: GAMES_TIMEOUT_MS },
  () => playRandomGames(paperMoves(40), (game) => playOnPaperAccounts(fixture, game)),
);
