/** Prints the hash of a run of the given graph, over bars that tests have. */
import { coin, factFromStart, inputOf, requestOf, run } from './backtest.ts';
import { BAR_MS, cut, historyOf, recordedBars } from './bars.ts';

const [START, ROWS, WARM] = [1_000, 150, 60];
const rows = cut(recordedBars(), START, START + ROWS);
const iso = (ms: number | undefined): string => new Date(ms ?? Number.NaN).toISOString();
const { openTimeMs, closeTimeMs } = rows.columns;
const span = { from: iso(openTimeMs[WARM]), to: iso((closeTimeMs[ROWS - 1] ?? Number.NaN) + 1) };
const visual: unknown = JSON.parse(process.argv[2] ?? 'null');
const { summary } = run(
  inputOf(requestOf(span), {
    visual,
    facts: [factFromStart(coin())],
    histories: [historyOf('BTCUSDT', BAR_MS, rows)],
  }),
);
console.log(summary.resultHash);
