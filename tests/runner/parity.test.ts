import { expect, test } from 'vitest';
import { paperAndBacktest } from '../support/parity.ts';
import { twentyDrawings } from '../support/parity-drawings.ts';

const FROM_MS = Date.UTC(2026, 9, 5, 12);

test('row 12: what twenty blueprints did on paper in a pinned market, a backtest over what was recorded does as well', async () => {
  const pairs = await paperAndBacktest({
    fromMs: FROM_MS,
    steps: 40,
    visuals: twentyDrawings(['KXELONMARS-99:yes', 'KXPRESPARTY-2028-R:yes']),
  });
  for (const { paper, backtest } of pairs) expect(backtest).toEqual(paper);
  expect(pairs.filter(({ paper }) => paper.fills.length > 0).length).toBeGreaterThan(5);
}, 120_000);
