/** Backtests on noise: on random walks, at every fidelity, graphs pay their costs and earn nothing else. */
import { expect, test } from 'vitest';
import { printFigure } from '../support/fault-figures.ts';
import {
  type Drawn,
  deviationsOf,
  dips,
  exploits,
  HOURS,
  MINUTES,
  mostOf,
  type Noise,
  type Outcome,
  playOn,
  QUARTERS,
  randomGraph,
  type Terms,
} from '../support/noise.ts';
import {
  BOOKS,
  type ContractNoise,
  contractExploits,
  MIDPOINTS,
  playOnContract,
  QUOTES,
  randomContractGraph,
} from '../support/noise-contracts.ts';
import { sweepOn } from '../support/noise-sweeps.ts';

/** Graphs at each fidelity, those built to exploit among them. */
const GRAPHS = Number(process.env['NOISE_GRAPHS'] ?? 200);
/** Shares of the price; a swept graph buys below one of them. */
const SWEPT = [0.9995, 0.998, 0.995];

/** The graphs of one fidelity: those built to exploit first, then random ones. */
function graphsOf(built: readonly Drawn[], randomly: (seed: number) => Drawn): Drawn[] {
  const others = Math.max(0, GRAPHS - built.length);
  return [...built, ...Array.from({ length: others }, (_, seed) => randomly(seed))];
}

type Played = { readonly graphs: readonly Drawn[]; readonly outcomes: readonly Outcome[] };
type Fidelity = { readonly name: string; readonly play: () => Played };

const coin = (name: string, noise: Noise, more: Omit<Terms, 'seed'> = {}): Fidelity => ({
  name,
  play: () => {
    const graphs = graphsOf(exploits(noise), (seed) => randomGraph(noise, seed));
    const terms = { takerRate: '0.001', ...more };
    return {
      graphs,
      outcomes: graphs.map((graph, index) => playOn(noise, graph, { ...terms, seed: 1_000 + index })),
    };
  },
});

const contracts = (noise: ContractNoise): Fidelity => ({
  name: noise.name,
  play: () => {
    const graphs = graphsOf(contractExploits(), randomContractGraph);
    return { graphs, outcomes: graphs.map((graph, index) => playOnContract(noise, graph, 1_000 + index)) };
  },
});

const FIDELITIES: readonly Fidelity[] = [
  coin('bars of 1 m', { ...MINUTES, bars: 960 }),
  coin('bars of 1 h', HOURS),
  coin('bars of 4 h', QUARTERS),
  coin('bars of 1 h, minutes inside', { ...HOURS, bars: 120 }, { finer: 60 }),
  coin('bars of 1 m, seconds inside', { ...MINUTES, bars: 360 }, { finer: 1 }),
  coin('quotes of every 10 s', { ...MINUTES, bars: 480 }, { finer: 10, isQuoted: true }),
  contracts(QUOTES),
  contracts(BOOKS),
  contracts(MIDPOINTS),
];

/** Compares the mean of all graphs that trade with their costs. The bound of each graph allows for their number. */
function hold(name: string, { graphs, outcomes }: Played): void {
  const taking = outcomes.filter((_, index) => graphs[index]?.rests === false);
  const scores = outcomes.map(({ net, costs, error }) => (error === 0 ? 0 : (net + costs) / error));
  const trades = outcomes.reduce((sum, each) => sum + each.trades, 0);
  const worst = scores.indexOf(Math.max(...scores));
  const most = mostOf(GRAPHS * (FIDELITIES.length + 2));
  printFigure(`${name}: graphs, trades`, `${graphs.length}, ${trades}`);
  printFigure(`${name}: standard errors above costs, all that take`, deviationsOf(taking).toFixed(2));
  printFigure(
    `${name}: the most of one graph, and the bound`,
    `${scores[worst]?.toFixed(2)} (${outcomes[worst]?.name}), ${most.toFixed(2)}`,
  );
  expect(trades).toBeGreaterThan(2 * outcomes.length);
  expect(Math.abs(deviationsOf(taking))).toBeLessThan(3);
  for (const [index, score] of scores.entries()) expect(score, outcomes[index]?.name).toBeLessThan(most);
}

test.each(FIDELITIES)(
  'on a random walk seen as $name graphs pay their costs and earn nothing else',
  ({ name, play }) => hold(name, play()),
  7_200_000,
);

test('on random walks neither the trials of a sweep nor the choices of a walk-forward earn anything', () => {
  const noise = { ...QUARTERS, bars: 240 };
  const walks = Math.ceil(GRAPHS / SWEPT.length);
  const graphs = Array.from({ length: walks }, (_, walk) => dips(noise, walk));
  const results = graphs.map((graph, walk) => sweepOn(noise, graph, SWEPT, 5_000 + walk));
  hold('sweeps', { graphs, outcomes: results.map(({ swept }) => swept) });
  hold('walk-forward', { graphs, outcomes: results.map(({ walked }) => walked) });
}, 7_200_000);
