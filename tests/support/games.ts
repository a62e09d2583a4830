import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import type { RecordedGame } from './recorded-game.ts';

/**
 * `FC_SEED=… FC_PATH=…` replays a reported failure; `TWO_ACCOUNTS=2000` plays 2,000 games. `RECORD_GAMES=…` writes them to that
 * file, a line each, for `tests/engine/research/account/recorded-games.test.ts`.
 */
const { FC_SEED, FC_PATH, TWO_ACCOUNTS, RECORD_GAMES } = process.env;
export const GAMES = Number(TWO_ACCOUNTS ?? 3);
const REPLAY = {
  ...(FC_SEED === undefined ? {} : { seed: Number(FC_SEED) }),
  ...(FC_PATH === undefined ? {} : { path: FC_PATH }),
};

/** The timeout for this number of games. */
export const GAMES_TIMEOUT_MS = 180_000 + GAMES * 10_000;

/** Plays random games on two accounts, and records them if `RECORD_GAMES` is set. */
export const playRandomGames = <Move>(
  games: fc.Arbitrary<Move[]>,
  play: (game: readonly Move[]) => Promise<RecordedGame>,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(games, async (game) => {
      const recorded = await play(game);
      if (RECORD_GAMES !== undefined) appendFileSync(RECORD_GAMES, `${JSON.stringify(recorded)}\n`);
    }),
    { numRuns: GAMES, endOnFailure: true, ...REPLAY },
  );
