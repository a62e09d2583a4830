import { beforeAll, describe, expect, test } from 'vitest';
import { type ParityResult, paperAndBacktest } from '../support/parity.ts';
import { twentyGraphs } from '../support/parity-graphs.ts';
import { recordsOf, replay, type TickLog } from '../support/tick-log.ts';

const FROM_MS = Date.UTC(2026, 9, 5, 12);
const STEPS = 40;

let ran: ParityResult;
beforeAll(async () => {
  ran = await paperAndBacktest({
    fromMs: FROM_MS,
    steps: STEPS,
    visuals: twentyGraphs(FROM_MS),
    keepsTicks: true,
  });
}, 120_000);

describe('twenty blueprints that ran on paper in a pinned market', () => {
  test('row 12: a backtest over the recorded data has the same result', () => {
    const { pairs } = ran;
    for (const { paper, backtest } of pairs) expect(backtest).toEqual(paper);
    expect(pairs.filter(({ paper }) => paper.fills.length > 0).length).toBeGreaterThan(5);
  });

  test('row 13: their recorded inputs raise the same intents and leave the same memory at every tick', () => {
    const { ticks, replayed } = ran;
    expect(replayed).toEqual(ticks.map(() => ({ kind: 'equal', steps: STEPS, intents: expect.any(Number) })));
    expect(replayed.length).toBe(20);
  });

  test('row 13: a flipped byte in the log is reported with its instant, and so is an added input', () => {
    const { ticks, candlesOf } = ran;
    const log = ticks.find(({ lines }) => lines.some(raises)) as TickLog;
    const index = log.lines.findIndex(raises);
    const { atMs } = log.lines[index] ?? { atMs: 0 };
    const changed = (change: (body: string) => string) =>
      log.lines.map((line, at) => (at === index ? { ...line, body: change(line.body) } : line));
    const flip = (at: number) => (body: string) =>
      `${body.slice(0, at)}${String.fromCharCode(body.charCodeAt(at) ^ 1)}${body.slice(at + 1)}`;
    for (const at of [0, 100, 500]) {
      const flipped = { ...log, lines: changed(flip(at)) };
      expect(replay(flipped, candlesOf)).toEqual({ kind: 'diverged', atMs, what: 'log' });
    }
    // A log that agrees with itself but not with the events.
    const halted = recordsOf(changed((body) => body.replace('"isHalted":false', '"isHalted":true')));
    expect(replay({ ...log, lines: halted }, candlesOf)).toEqual({ kind: 'diverged', atMs, what: 'intents' });
  });
});

const raises = ({ body }: { body: string }): boolean => body.includes('\\"side\\":\\"buy\\"');
