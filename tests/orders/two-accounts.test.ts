import { test } from 'vitest';
import { accountMoves } from '../support/account-moves.ts';
import { GAMES_TIMEOUT_MS, playRandomGames } from '../support/games.ts';
import { openedForFile } from '../support/opened.ts';
import { openTradingFixture } from '../support/trading-fixture.ts';
import { playOnBothAccounts } from '../support/two-accounts.ts';

const fixture = openedForFile(openTradingFixture);

test(
  'row 11: after each move of any game, an account in memory has the stored rows of the service, and the same refusals',
  { tags: ['long'], timeout: GAMES_TIMEOUT_MS },
  () => playRandomGames(accountMoves(60), (game) => playOnBothAccounts(fixture, game)),
);
