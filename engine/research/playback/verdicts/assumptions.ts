import type { PriceChoice } from '../bars/prices.ts';
import { SETTLED_AFTER_MS } from '../facts.ts';
import type { BacktestInput } from '../input.ts';
import { BACKTEST_DEFAULTS } from '../request.ts';
import type { Assumption, BacktestSummary } from '../result.ts';

const MINUTE_MS = 60_000;

const PRICES: Readonly<Record<PriceChoice['kind'], string>> = {
  recorded: 'Quotes as they were recorded, with their sizes.',
  bid_ask: 'Best bid and ask of candles: the close at its instant, inside a candle its open.',
  candle: 'Trades of candles with a spread about them: bids and asks were not recorded.',
  midpoint: 'Midpoints with a spread about them; any amount is taken at it. The least there is to go by.',
};

/** Lists all assumptions of a run, in the words of its report. Pure. */
export function assumptionsOf(
  { request }: BacktestInput,
  choices: readonly PriceChoice[],
  pace: BacktestSummary['pace'],
  desks: number,
): Assumption[] {
  const { fills, fees, risk } = request;
  const asked = (isDefault: boolean): string => (isDefault ? 'By default.' : 'Asked for.');
  const kinds = [...new Set(choices.map(({ kind }) => kind))].sort();
  const hasBars = kinds.includes('candle');
  const list: Assumption[] = [
    ...kinds.map((kind) => ({ name: `prices.${kind}`, value: namesOf(choices, kind), why: PRICES[kind] })),
    {
      name: 'fills.latencyMs',
      value: String(fills.latencyMs),
      why: `${asked(fills.latencyMs === BACKTEST_DEFAULTS.fills.latencyMs)} An order arrives so long after its decision${
        hasBars ? '; of candles it meets the open of the one it arrives in, which was printed before' : ''
      }.`,
    },
    {
      name: 'fills.halfSpread',
      value: spreadsOf(choices, fills.halfSpread),
      why: `${asked(fills.halfSpread === 'auto')} Half of it to either side, away from the price to the tick.`,
    },
    {
      name: 'fills.slippageTicks',
      value: String(fills.slippageTicks),
      why: 'Each arriving order trades this number of ticks worse.',
    },
    {
      name: 'fills.liquidity',
      value: fills.liquidity === 'unlimited' ? 'unlimited' : `share ${fills.share}`,
      why:
        fills.liquidity === 'unlimited'
          ? 'Asked for: any amount trades at the price shown, which no market gives.'
          : 'Of the volume of the candle that closed last, all orders of a side together get so much at most; recorded quotes give what they show.',
    },
    {
      name: 'fees',
      value: fees,
      why:
        fees === 'none'
          ? 'Asked for: no venue trades for nothing.'
          : 'The schedule of each instrument as it is known.',
    },
    {
      name: 'risk.rules',
      value: risk.rules === 'account' ? 'account' : 'given',
      why:
        risk.rules === 'account'
          ? 'By default. The rules of the account as they were when the run was asked for.'
          : 'Asked for. Every order is judged by these.',
    },
    {
      name: 'risk.approvals',
      value: risk.approvals.policy === 'auto' ? `auto after ${risk.approvals.delaySec} s` : 'never',
      why: 'What would wait for a person is judged again by the same rules at that time, or expires.',
    },
    {
      name: 'account',
      value: request.cash,
      why: 'Other blueprints of the account do not exist in a backtest.',
    },
    {
      name: 'settlement',
      value: `${SETTLED_AFTER_MS / MINUTE_MS} min after the close`,
      why: 'Where it was not recorded when the venue stated a value.',
    },
  ];
  if (pace === 'path') {
    list.push({
      name: 'fills.highLow',
      value: fills.highLow,
      why: 'Inside a candle a path is drawn by the seed: a random walk that opens, turns and closes as the candle did. No price on it tells how the candle ends.',
    });
  }
  if (desks > 1) {
    list.push({
      name: 'data.substitute',
      value: `${desks} instruments`,
      why: 'Each is traded on a desk of its own with its own cash; equity is that of all desks together.',
    });
  }
  return list;
}

const namesOf = (choices: readonly PriceChoice[], kind: PriceChoice['kind']): string => {
  const tokens = choices.filter((choice) => choice.kind === kind).map(({ tokenId }) => tokenId);
  return tokens.length > 3 ? `${tokens.length} instruments` : tokens.join(', ');
};

function spreadsOf(choices: readonly PriceChoice[], asked: string): string {
  if (asked !== 'auto') return asked;
  const texts = choices.flatMap(({ halfSpread }) =>
    halfSpread === null
      ? []
      : [
          halfSpread.share > 0
            ? `${halfSpread.fixed} or ${halfSpread.share * 10_000} bp`
            : String(halfSpread.fixed),
        ],
  );
  return texts.length === 0 ? 'as recorded' : [...new Set(texts)].join(', ');
}
