import { describe, expect, test } from 'vitest';
import { lineChart } from '../../../../engine/research/backtests/report/charts.ts';
import { type ReportParts, reportPage } from '../../../../engine/research/backtests/report/page.ts';
import { REPORT_POLICY, STYLE } from '../../../../engine/research/backtests/report/style.ts';
import type { ChartInstrument } from '../../../../engine/research/backtests/result-charts.ts';
import { trimSummaryForStorage } from '../../../../engine/research/backtests/trim-summary.ts';
import { REQUEST, resultOf } from '../../../support/backtests.ts';

const CANDLES = Array.from({ length: 700 }, (_, at) => {
  const close = 100 + (at % 7);
  return {
    atMs: Date.parse(REQUEST.from) + at * 60_000,
    open: close,
    high: close,
    low: close,
    close,
    volume: null,
  };
});

function partsOf(trades: number, name = 'Dip buyer'): ReportParts {
  const { summary, rows } = resultOf(trades);
  const row = {
    name,
    request: REQUEST,
    status: 'done',
    request_hash: 'a'.repeat(64),
    result_hash: 'b'.repeat(64),
    coverage: [],
  };
  return {
    row: row as unknown as ReportParts['row'],
    summary: trimSummaryForStorage(summary),
    curve: rows.equity.slice(0, 1_000) as ReportParts['curve'],
    hold: CANDLES.map(({ atMs, close }) => ({ atMs, equity: 100 * close })),
    instrument: {
      tokenId: 'BTCUSDT',
      candles: CANDLES,
      fills: rows.fill.slice(0, 500) as ChartInstrument['fills'],
      fillCount: rows.fill.length,
    },
    trades: rows.trade.slice(0, 1_000) as ReportParts['trades'],
    tradeCount: trades,
    returns: [
      { label: '< 0', count: 3 },
      { label: '≥ 0', count: 4 },
    ],
  };
}

const VOID = new Set(['meta', 'br', 'line', 'rect', 'path']);

/** The names of elements that are unclosed where another is closed, or at the end: none in a well-formed page. */
function unbalanced(page: string): string[] {
  const open: string[] = [];
  const strays: string[] = [];
  for (const [, end, name = '', rest = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>/g)) {
    if (end === '/') {
      if (open.at(-1) === name) open.pop();
      else strays.push(name);
    } else if (!VOID.has(name) && !rest.endsWith('/')) open.push(name);
  }
  return [...open, ...strays];
}

describe('row 51: the report', () => {
  test('states what spoils the result before any figure, and refuses scripts by its own policy', () => {
    const page = reportPage(partsOf(9));
    expect(page.indexOf('2 orders were refused.')).toBeGreaterThan(0);
    expect(page.indexOf('2 orders were refused.')).toBeLessThan(page.indexOf('<h2>Figures'));
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\son[a-z]+=|https?:\/\//i);
    expect(REPORT_POLICY).toContain("default-src 'none'");
    expect(REPORT_POLICY).not.toContain('unsafe');
    expect(page).toContain(REPORT_POLICY.split(' ')[3]?.replace(';', '').replaceAll("'", '&#39;') ?? 'none');
  });

  test('is well formed, with a language, a title, and a name for every picture and table', () => {
    const page = reportPage(partsOf(40));
    expect(page.startsWith('<!DOCTYPE html>\n<html lang="en">')).toBe(true);
    expect(unbalanced(page)).toEqual([]);
    expect(page.match(/<svg[^>]*role="img" aria-label="[^"]+"/g)?.length).toBe(4);
    expect(page.match(/<table>/g)?.length).toBe(page.match(/<caption>/g)?.length);
    expect(page).not.toMatch(/NaN|undefined|Infinity|\[object/);
  });

  test('draws the money held as the console does, or not at all where that is not known', () => {
    const parts = partsOf(9);
    expect(reportPage(parts)).toContain('Buy and hold');
    expect(parts.summary.buyAndHold).not.toBeNull();
    const unknown = reportPage({ ...parts, hold: [], instrument: null });
    expect(unknown.slice(unknown.indexOf('<h2>Equity'), unknown.indexOf('<h2>Months'))).not.toContain('hold');
    expect(unknown).toContain('there is no chart of them');
  });

  test('separates the levels of an axis, and shows none with the noise of a division', () => {
    const levelsOf = (...values: number[]): string[] => {
      const points = values.map((value, atMs) => ({ atMs, value }));
      const chart = lineChart('Line', [{ name: 'Line', color: '#000', points }]).text;
      return [...chart.matchAll(/text-anchor="end">(-?[\d.]+)</g)].map(([, level = '']) => level);
    };
    expect(levelsOf(-0.028, 0)).toEqual(['-0.0280', '-0.0210', '-0.0140', '-0.0070', '0.0000']);
    expect(levelsOf(74_524.98, 78_236.94)).toEqual(['74525', '75453', '76381', '77309', '78237']);
    expect(levelsOf(0.1, 0.3)).toEqual(['0.100', '0.150', '0.200', '0.250', '0.300']);
    expect(levelsOf(5, 5)).toEqual(Array.from({ length: 5 }, () => '5.0'));
  });

  test('renders names and words as text, whatever they are', () => {
    const page = reportPage(partsOf(2, `<script>alert("1")</script>&'`));
    expect(page).toContain('Backtest of &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;');
    expect(page).not.toContain('<script');
  });

  test('stays below two megabytes with 100,000 trades, and states that it lists only the first of them', () => {
    const parts = partsOf(1_500);
    const page = reportPage({ ...parts, tradeCount: 100_000 });
    expect(Buffer.byteLength(page)).toBeLessThan(2 * 1_048_576);
    expect(page).toContain('The first 1000 of 100000 trades.');
  });

  test('has a contrast of 4.5 and more wherever there is text', () => {
    const pairs = [
      ['#1a1f29', '#ffffff'],
      ['#4b5563', '#ffffff'],
      ['#4b5563', '#f3f4f6'],
      ['#1a1f29', '#f3f4f6'],
      ['#991b1b', '#fef2f2'],
      ['#7c4a03', '#fffbeb'],
    ] as const;
    for (const [text, ground] of pairs) {
      expect(STYLE).toContain(text);
      expect(contrastOf(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
    const colors = new Set(STYLE.match(/#[0-9a-f]{6}/g));
    const known = new Set(pairs.flat() as string[]).add('#d1d5db').add('#92400e');
    expect([...colors].filter((color) => !known.has(color))).toEqual([]);
  });
});

/** WCAG 2.1, relative luminance and contrast. */
function contrastOf(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
