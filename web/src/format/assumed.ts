import { shortToken, usd } from './number.ts';
import { duration } from './time.ts';

type Told = { readonly name: string; readonly value: string };

/** How a run writes what it took for granted, by the field of its request; here in words. */
const WORDS: Readonly<Record<string, { title: string; write?: (value: string) => string }>> = {
  'prices.recorded': { title: 'Recorded prices', write: tokens },
  'prices.bid_ask': { title: 'Bid and ask of bars', write: tokens },
  'prices.candle': { title: 'Prices of bars', write: tokens },
  'prices.midpoint': { title: 'Midpoints', write: tokens },
  'fills.latencyMs': {
    title: 'An order arrives',
    write: (ms) => (ms === '0' ? 'at once' : `${duration(Number(ms))} after the decision`),
  },
  'fills.halfSpread': { title: 'Half the spread' },
  'fills.slippageTicks': { title: 'Slippage', write: (ticks) => `${ticks} ticks against it` },
  'fills.liquidity': {
    title: 'It is filled by',
    write: (value) =>
      value === 'unlimited'
        ? 'as much as it wants'
        : `at most ${Number((Number(value.replace('share ', '')) * 100).toPrecision(12))}% of the last bar’s volume`,
  },
  fees: { title: 'Fees', write: (value) => (value === 'none' ? 'none' : 'the venue’s schedule') },
  'risk.rules': {
    title: 'Risk rules',
    write: (value) => (value === 'given' ? 'those given' : 'the account’s'),
  },
  'risk.approvals': {
    title: 'Approvals',
    write: (value) => (value === 'never' ? 'never given' : value.replace('auto after', 'given after')),
  },
  account: { title: 'Cash at the start', write: (value) => usd(Number(value)) },
  settlement: { title: 'Contracts settle' },
  'fills.highLow': {
    title: 'Inside a bar',
    write: (value) =>
      ({
        likely: 'the likelier way',
        high_first: 'the high first',
        low_first: 'the low first',
        both: 'both ways, as a range',
      })[value] ?? value,
  },
  'data.substitute': { title: 'Run over' },
};

function tokens(value: string): string {
  return value.split(', ').map(shortToken).join(', ');
}

/** An assumption in words; one that a newer server made stays as it is told. */
export function assumedWords({ name, value }: Told): { title: string; value: string } {
  const words = WORDS[name];
  return { title: words?.title ?? name, value: words?.write?.(value) ?? value };
}
