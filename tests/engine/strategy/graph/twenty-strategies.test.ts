import { expect, test } from 'vitest';
import { templateTexts } from '../../../../docs/write-templates.ts';

/**
 * Known strategies, each with its template. A pair, a basis and a hedge have their long legs only: there are no short sales, and
 * no venue states a funding rate.
 */
const TWENTY: Readonly<Record<string, string>> = {
  'crossing averages': 'momentum',
  'reversion by RSI': 'mean-reversion',
  'breakout of a Bollinger band': 'bollinger-breakout',
  MACD: 'macd',
  'a grid of three levels': 'grid',
  'the same sum at each beat': 'accumulation',
  'rotation over four coins': 'rotation',
  'the long leg of a pair': 'pair',
  'the spot leg of a basis, with the funding rate as a signal': 'basis',
  'a part of the Kelly stake': 'probability-edge',
  'a bracket with a trailing stop': 'bracket',
  'arbitrage of one question at two venues': 'arbitrage',
  'two-sided quoting': 'two-sided-quoting',
  'news, and out before the close': 'news',
  'a probability with hysteresis': 'probability-range',
  'the first hour of a month': 'first-of-month',
  'rebalancing to a share of the equity': 'rebalancing',
  TWAP: 'twap',
  'a binary hedged with its coin': 'hedged-contract',
  'a ladder of bids that is withdrawn': 'ladder',
};

const LINES_MAX = 15;

test.each(Object.entries(TWENTY))('%s is a template of at most fifteen lines', (_, key) => {
  const text = templateTexts().find((template) => template.key === key)?.text;
  expect(text?.trim().split('\n').length).toBeLessThanOrEqual(LINES_MAX);
});

test('twenty known strategies are held to this', () => {
  expect(new Set(Object.values(TWENTY)).size).toBe(20);
});
