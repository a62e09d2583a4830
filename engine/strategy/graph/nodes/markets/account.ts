import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import type { AccountFacts, Value } from '../../types.ts';
import { finite, unknown } from '../../values.ts';
import { type Behavior, defineNode, output, type Wiring } from '../node.ts';
import { CATCHING_UP } from '../quote-readers.ts';
import { instrument } from '../shared-settings.ts';

const field = <const F extends string>(name: F, description: string) =>
  z.strictObject({ field: z.literal(name).meta({ description }) });

const settings = z.discriminatedUnion('field', [
  field('equity', 'Cash and all holdings at their marks, USD.'),
  field('freeCash', 'Cash less what live buys reserve, USD.'),
  field('dayPnl', 'Profit and loss since 00:00 UTC, realized and at marks, USD.'),
  z.strictObject({
    field: z
      .literal('exposure')
      .meta({ description: 'At stake: what is held at cost, and what live buys may still cost, USD.' }),
    instrument: instrument().optional(),
  }),
  field('drawdown', 'How far the equity is below its highest since the deploy: 0.1 is 10 %.'),
]);
type Settings = z.output<typeof settings>;
/** Highest equity since the deploy. */
type PeakMemory = { peak: number };

const NO_ACCOUNT = unknown('no_account_data', 'Equity and cash of the account are not known now.');

export const account = defineNode({
  type: 'account',
  group: 'source',
  title: 'Account',
  help: 'A number of the whole account in the mode of this deployment: money of all blueprints and orders by hand count. It is at most five seconds old.',
  phrase: ({ field }, { name, word }) => `${word(field)} of the account${name === '' ? '' : ` to ${name}`}`,
  laws: {
    unknown: 'While the account cannot be read; while missed candles are stepped.',
    gap: 'The highest equity of `drawdown` counts what was seen.',
  },
  outputs: [output('number', 'The number chosen by `field`.')],
  config: settings,
  bind: (config) => ({
    moves: 'tick',
    needs: { account: true },
    build: (wiring) => ({
      ...(config.field === 'drawdown' ? drawdown(wiring) : { compute: reading(readerOf(config)) }),
      asOf: (run) => run.world.account?.asOf ?? null,
    }),
  }),
});

type Reader = (facts: AccountFacts) => number | null;

const reading =
  (read: Reader) =>
  (run: Run): Value => {
    if (!run.isLive) return CATCHING_UP;
    const { account } = run.world;
    const value = account === null ? null : read(account);
    return value === null ? NO_ACCOUNT : finite(value);
  };

function readerOf(config: Exclude<Settings, { field: 'drawdown' }>): Reader {
  if (config.field !== 'exposure') return (facts) => facts[config.field];
  const { instrument: tokenId } = config;
  if (tokenId !== undefined) return ({ exposures }) => exposures[tokenId] ?? 0;
  return ({ exposures }) => Object.values(exposures).reduce((sum, one) => sum + one, 0);
}

function drawdown({ slot }: Wiring): Behavior {
  const equityOf = reading(({ equity }) => equity);
  return {
    compute(run) {
      const equity = equityOf(run);
      if (typeof equity !== 'number') return equity;
      const known = run.recall<PeakMemory>(slot)?.peak ?? Number.NEGATIVE_INFINITY;
      const peak = Math.max(known, equity);
      if (peak > known) run.remember(slot, { peak });
      return finite(1 - equity / peak);
    },
  };
}
