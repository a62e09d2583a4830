import { expect, test } from 'vitest';
import {
  type PriceAlert,
  priceAlertGraph,
  shortMarketName,
} from '../../web/src/pages/markets/price-alert-graph.ts';
import { MINUTE_MS, marketOf, Player, T0 } from '../engine/strategy/graph/graph-fixtures.ts';

const TOKEN = 'BTCUSDT';

/** The notifications of an alert at each of these prices, two minutes apart. */
function notifiedBy(alert: Omit<PriceAlert, 'tokenId' | 'field'>, prices: readonly number[]): string[] {
  const player = new Player(priceAlertGraph({ tokenId: TOKEN, field: 'last', ...alert }));
  return prices.flatMap((last, index) => {
    const now = T0 + 2 * MINUTE_MS * index;
    return player
      .at(now, marketOf(TOKEN, now, { bid: 1, ask: null, last }))
      .notifications.map(({ text }) => text);
  });
}

test('a price alert notifies once that the compared price reached its level, however often it does', () => {
  expect(notifiedBy({ op: 'gte', level: 100, text: 'High' }, [90, 100, 90, 110])).toEqual(['High: 100']);
  expect(notifiedBy({ op: 'lte', level: 100, text: 'Low' }, [110, 90, 110, 80])).toEqual(['Low: 90']);
});

test('a market has a short name in its alert, which refers to no node and has no character that is refused', () => {
  const name = shortMarketName('Will {level} hold\u200b?\n');
  expect(notifiedBy({ op: 'gte', level: 1, text: name }, [2])).toEqual(['Will  level  hold ? : 2']);
  expect(shortMarketName('😀'.repeat(100))).toBe(`${'😀'.repeat(59)}…`);
});
