import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseGame, replayGame } from '../../../support/recorded-game.ts';

/**
 * Games that were played on the service's database and on a simulated account in memory at once. The rows were equal after each
 * move (`tests/orders/two-accounts.test.ts`). `RECORD_GAMES` there writes such lines.
 */
const games = readFileSync(path.join(import.meta.dirname, 'games.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(parseGame);

describe('a game that was played on the database, replayed in memory', () => {
  test.each(games.map((game, index) => [index + 1, game] as const))(
    'refuses what was refused and ends with the same rows: %i',
    (_number, game) => {
      const again = replayGame(game);
      expect(again.refusals).toEqual(game.calls.map(([, , refusal]) => refusal));
      expect(JSON.parse(JSON.stringify(again.rows))).toEqual(JSON.parse(JSON.stringify(game.rows)));
    },
  );

  test('the games include a close that loses a part, a daily loss limit that trips, and a settlement', () => {
    const actions = games.flatMap(({ rows }) => (rows['audits'] ?? []).map(({ action }) => action));
    expect(actions).toEqual(
      expect.arrayContaining(['order.reduced', 'daily_loss.tripped', 'position.settled', 'fill.late']),
    );
  });
});
