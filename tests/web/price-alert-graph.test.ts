import { expect, test } from 'vitest';
import { type PriceAlert, priceAlertGraph } from '../../web/src/pages/markets/price-alert-graph.ts';
import { MINUTE_MS, marketOf, Player, T0 } from '../engine/strategy/graph/graph-fixtures.ts';

const TOKEN = 'BTCUSDT';

/** The texts of an alert at each of these prices, two minutes apart. */
function said(alert: Omit<PriceAlert, 'tokenId'>, prices: readonly number[]): string[] {
  const player = new Player(priceAlertGraph({ tokenId: TOKEN, ...alert }));
  return prices.flatMap((price, index) => {
    const now = T0 + 2 * MINUTE_MS * index;
    const { notifications } = player.at(now, marketOf(TOKEN, now, { bid: price, ask: price }));
    return notifications.map(({ text }) => text);
  });
}

test('a price alert tells once that the price reached its level, with the price, however often it does', () => {
  expect(said({ op: 'gte', level: 100, text: 'High' }, [90, 100, 90, 110])).toEqual(['High: 100']);
  expect(said({ op: 'lte', level: 100, text: 'Low' }, [110, 90, 110, 80])).toEqual(['Low: 90']);
});

test('the name of a market in an alert refers to no node of its graph', () => {
  expect(said({ op: 'gte', level: 1, text: 'Will {level} hold?' }, [2])).toEqual(['Will level hold?: 2']);
});
