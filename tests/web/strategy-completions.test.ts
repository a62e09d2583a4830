import { describe, expect, test } from 'vitest';
import { completionsAt } from '../../web/src/pages/blueprints/detail/strategy-completions.ts';

const TEXT = 'param fast = 12\nclose = crypto.candle("BTCUSDT", 5m)\noff slow = ema(close, 26)\n';
const labels = (before: string) => completionsAt(TEXT, before).map(({ label }) => label);

describe('completion of a strategy’s text', () => {
  test('offers names of this strategy, then every function with its inputs and settings', () => {
    expect(labels('up = ').slice(0, 3)).toEqual(['fast', 'close', 'slow']);
    const functions = completionsAt(TEXT, 'up = ').filter(({ type }) => type === 'function');
    expect(functions).toContainEqual({
      label: 'ema',
      type: 'function',
      detail: '(in, period, sampleSec)',
    });
    expect(functions.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['crypto.candle', 'correlation', 'crossesAbove', 'order']),
    );
  });

  test('offers the arguments of the innermost open call that are not given', () => {
    expect(labels('fit = guard(ema(close, 9) > 2, "BTC)", maxSpread: 5, ').slice(0, 3)).toEqual([
      'in: ',
      'instrument: ',
      'minDepth: ',
    ]);
    expect(labels('x = guard(ema(close, ').slice(0, 3)).toEqual(['in: ', 'period: ', 'sampleSec: ']);
    expect(labels('x = (close + ')[0]).toBe('fast');
  });

  test('offers the choices of a setting, in quotes or within one that is open', () => {
    expect(labels('ask = crypto.price("BTCUSDT", field: ')).toEqual([
      '"last"',
      '"bid"',
      '"ask"',
      '"change24h"',
    ]);
    expect(labels('ask = crypto.price("BTCUSDT", field: "')).toEqual(['last', 'bid', 'ask', 'change24h']);
  });

  test('offers nothing within a text or a comment', () => {
    expect(labels('notify("The price of ')).toEqual([]);
    expect(labels('close = 5 // a note on ')).toEqual([]);
  });
});
