/**
 * Latency from the decision on a live order to its request at the simulated venue. Also measured: from the intent to that
 * request, and from the decision to the answer on the books. Orders run one after another, through order work, opened
 * connections and adapters, with production database settings. Each is immediate-or-cancel and finds no offer, so it has ended
 * before the next one.
 *
 *   node bench/live-orders.ts [--orders 200]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import { parseArgs } from 'node:util';
import { verifyLedger } from '../engine/ledger/verify-ledger.ts';
import { openLiveWorld } from './support/live-world.ts';
import { quantileOf } from './support/quantile.ts';

const TARGETS = { decisionToPostP50Ms: 15, decisionToPostP99Ms: 60 };
const WARM_UP = 20;

const { values } = parseArgs({ options: { orders: { type: 'string', default: '200' } } });
const orders = Number(values.orders);

type Measured = { intentToPostMs: number; decisionToPostMs: number; decisionToBookedMs: number };
type Figures = {
  decisionToPostP50Ms: number;
  decisionToPostP99Ms: number;
  intentToPostP50Ms: number;
  decisionToBookedP50Ms: number;
};

await using world = await openLiveWorld();
const figures: Record<string, Figures> = {};
for (const market of world.markets) {
  for (let order = 0; order < Math.min(WARM_UP, orders); order += 1) await world.trade(market);
  const measured: Measured[] = [];
  for (let order = 0; order < orders; order += 1) measured.push(await world.trade(market));
  figures[market.venue] = summary(measured);
}
// Speed counts only if every number is right.
const differences = await verifyLedger(world.db);
if (differences.length > 0) throw new Error(`The ledger differs: ${JSON.stringify(differences.slice(0, 3))}`);
report();

function summary(measured: readonly Measured[]): Figures {
  const of = (name: keyof Measured, share: number) =>
    quantileOf(
      measured.map((one) => one[name]),
      share,
      1,
    );
  return {
    decisionToPostP50Ms: of('decisionToPostMs', 0.5),
    decisionToPostP99Ms: of('decisionToPostMs', 0.99),
    intentToPostP50Ms: of('intentToPostMs', 0.5),
    decisionToBookedP50Ms: of('decisionToBookedMs', 0.5),
  };
}

function report(): void {
  console.table(figures);
  const ok = Object.values(figures).every(
    ({ decisionToPostP50Ms, decisionToPostP99Ms }) =>
      decisionToPostP50Ms <= TARGETS.decisionToPostP50Ms &&
      decisionToPostP99Ms <= TARGETS.decisionToPostP99Ms,
  );
  console.log(JSON.stringify({ bench: 'live-orders', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}
