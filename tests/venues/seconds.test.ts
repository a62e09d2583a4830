/** Prices of the simulated world within five minutes: past seconds do not predict later ones. */
import { describe, expect, test } from 'vitest';
import { kalshiCatalogue } from '../../simulator/kalshi-catalogue.ts';
import { BAR_SEC, barPricePath } from '../../simulator/world/bar-price-path.ts';
import { CoinPath, SYMBOLS } from '../../simulator/world/crypto-path.ts';

const DAY_SEC = 86_400;
const NOON = Date.UTC(2026, 10, 20, 12);

/** Correlation of each change with the next one: −1 to 1. */
function echo(values: readonly number[], step: number): number {
  const changes = values
    .slice(step)
    .flatMap((value, index) => (index % step === 0 ? [value - (values[index] ?? 0)] : []));
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const spread = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0);
  const together = changes
    .slice(1)
    .reduce((sum, change, index) => sum + (change - mean) * ((changes[index] ?? 0) - mean), 0);
  return together / spread;
}

describe.each(SYMBOLS.slice(0, 8).map((spec) => [spec.symbol, spec] as const))(
  'the seconds of %s',
  (_, spec) => {
    const path = new CoinPath(spec, 'tests');
    const days = 5;
    const seconds = Array.from({ length: days * DAY_SEC }, (_, second) =>
      path.logPriceAt(NOON + second * 1_000),
    );

    // Recorded: 0.02 at 30 s and 0.05 at a minute; straight lines between turning points had 0.35 and 0.2.
    test.each([1, 2, 5, 10, 30, 60])('do not predict the next %i seconds', (step) => {
      expect(Math.abs(echo(seconds, step))).toBeLessThan(0.12);
    });

    test('never jump', () => {
      const jumps = seconds
        .slice(1)
        .filter((value, index) => Math.abs(value - (seconds[index] ?? 0)) > 0.002);
      expect(jumps).toEqual([]);
    });

    test('touch the high and the low of their bar, begin at its open, end at its close, and leave it nowhere', () => {
      const first = Math.floor(NOON / 300_000);
      for (let index = first; index < first + 2_000; index += 1) {
        const bar = path.bar(index);
        const way = Array.from({ length: BAR_SEC + 1 }, (_, second) => path.within(index, second));
        expect([way[0], way[BAR_SEC]]).toEqual([bar.open, bar.close]);
        expect([Math.min(...way), Math.max(...way)]).toEqual([bar.low, bar.high]);
      }
    });
  },
);

describe('the path through a bar', () => {
  test('is another with another seed, and the same with the same', () => {
    const bar = { open: 0, high: 0.002, low: -0.001, close: 0.001 };
    expect(barPricePath(bar, 1)).toEqual(barPricePath(bar, 1));
    expect(barPricePath(bar, 1)).not.toEqual(barPricePath(bar, 2));
  });

  test('of a bar without movement is flat, and of one without wicks stays within its body', () => {
    expect(new Set(barPricePath({ open: 1, high: 1, low: 1, close: 1 }, 7))).toEqual(new Set([1]));
    const way = [...barPricePath({ open: 0, high: 0.003, low: 0, close: 0.003 }, 7)];
    expect([Math.min(...way), Math.max(...way)]).toEqual([0, 0.003]);
  });
});

describe('odds of the simulated world', () => {
  const catalogue = kalshiCatalogue('tests', () => new CoinPath(SYMBOLS[0] ?? expect.unreachable(), 'tests'));

  test.each([1, 10, 30, 60, 600])('do not predict the next %i seconds', (step) => {
    const echoes = ['KXPRESPARTY-2028-D', 'KXPRESPARTY-2028-R', 'KXELONMARS-99'].map((id) => {
      const market = catalogue.market(id) ?? expect.unreachable();
      const span = Math.min(DAY_SEC * 3, step * 4_000);
      return echo(
        Array.from({ length: span }, (_, second) => market.odds(NOON + second * 1_000)),
        step,
      );
    });
    for (const one of echoes) expect(Math.abs(one)).toBeLessThan(0.1);
  });
});
