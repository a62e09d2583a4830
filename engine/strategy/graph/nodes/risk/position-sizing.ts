import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import type { AccountFacts, Unknown, Value } from '../../types.ts';
import { finite, unknown } from '../../values.ts';
import { defineNode, input, output, type RawSettings, type Wiring, type Words } from '../node.ts';
import { CATCHING_UP } from '../quote-readers.ts';
import { amount, fraction } from '../shared-settings.ts';

const cap = z.boolean().default(false).meta({
  description:
    'True: never more than free cash and the risk rules would let pass now (needs the price). False: what is too large is refused by the rules.',
});
const PRICED = ['notional', 'equity'] as const;

const settings = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('amount').meta({ description: 'A fixed number of units.' }),
    amount: amount('Units.'),
    capByHeadroom: cap,
  }),
  z.strictObject({
    mode: z.literal('notional').meta({ description: 'Units for a fixed sum of USD.' }),
    notional: amount('USD.'),
    capByHeadroom: cap,
  }),
  z.strictObject({
    mode: z.literal('equity').meta({ description: 'Units for a fraction of the account’s equity.' }),
    fraction: fraction('Fraction of the equity: 0.02 is 2 %.'),
    capByHeadroom: cap,
  }),
  z.strictObject({
    mode: z.literal('kelly').meta({
      description:
        'Units for a fraction of the Kelly stake in a contract that pays 1: (fair − cost) ÷ (1 − cost) of the equity, where cost is the price and the fee as stated here. The stake pays both.',
    }),
    fraction: fraction('Fraction of the full Kelly stake; 0.25 is usual.'),
    feeRate: z.number().min(0).max(1).default(0).meta({
      description:
        'The venue’s taker rate (`takerRate` of the market’s `fees`), so that the fee counts as cost: rate × (price × (1 − price))^exponent. 0 leaves fees out of account, and the stake is larger than Kelly’s.',
    }),
    feeExponent: z.number().min(0).max(10).default(1).meta({
      description: 'The exponent of that formula: `exponent` of the market’s `fees`.',
    }),
    capByHeadroom: cap,
  }),
]);
type Settings = z.output<typeof settings>;
/** Returns the notional to order, in USD. */
type TargetNotional = (run: Run, price: number, account: AccountFacts | null) => Value;

const NO_ACCOUNT = unknown('no_account_data', 'Equity and free cash of the account are not known now.');
const BAD_PRICE = unknown('out_of_range', 'A size needs a price above 0.');
const NOT_A_PROBABILITY = unknown('out_of_range', 'Kelly needs a fair value and a price between 0 and 1.');

export const positionSizing = defineNode({
  type: 'size',
  group: 'risk',
  title: 'Size',
  help: 'How many units to trade. The order rounds down to the venue’s step; a size of 0 trades nothing.',
  phrase: (config, words) => `${config['capByHeadroom'] === true ? 'up to ' : ''}${sized(config, words)}`,
  laws: {
    unknown: 'While an input, or what it needs of the account, is; for a price that is not above 0.',
  },
  inputs: [
    input('price', 'number', 'What a unit costs.', { when: { setting: 'mode', in: [...PRICED, 'kelly'] } }),
    input('price', 'number', 'What a unit costs; needed to cap by headroom.', {
      optional: true,
      when: { setting: 'mode', in: ['amount'] },
    }),
    input('fair', 'number', 'Your probability of the outcome.', { when: { setting: 'mode', in: ['kelly'] } }),
  ],
  outputs: [output('number', 'Units.')],
  config: settings,
  bind: (config) => {
    const usesAccount = config.capByHeadroom || config.mode === 'equity' || config.mode === 'kelly';
    return {
      ...(usesAccount ? { moves: 'tick', needs: { account: true } } : {}),
      object: (view) =>
        config.mode === 'amount' && config.capByHeadroom && view('price') === null
          ? [
              {
                code: 'missing_input',
                setting: 'capByHeadroom',
                message: 'To cap by headroom, connect “price”: headroom is money, the size is units.',
              },
            ]
          : [],
      build: (wiring) => ({
        compute:
          config.mode === 'amount' && !config.capByHeadroom ? () => config.amount : sizing(config, wiring),
        asOf: (run) => (usesAccount ? (run.world.account?.asOf ?? null) : null),
      }),
    };
  },
});

function sizing(config: Settings, wiring: Wiring): (run: Run) => Value {
  const priceSlot = wiring.input('price');
  const wish = targetNotionalOf(config, wiring);
  return (run) => {
    const price = run.values[priceSlot] as Value;
    if (typeof price !== 'number') return price;
    if (price <= 0) return BAD_PRICE;
    const account = run.isLive ? run.world.account : null;
    const wanted = wish(run, price, account);
    if (typeof wanted !== 'number') return wanted;
    const room = config.capByHeadroom ? headroom(run, account) : wanted;
    if (typeof room !== 'number') return room;
    return finite(Math.max(0, Math.min(wanted, room)) / price);
  };
}

function targetNotionalOf(config: Settings, wiring: Wiring): TargetNotional {
  switch (config.mode) {
    case 'amount':
      return (_run, price) => config.amount * price;
    case 'notional':
      return () => config.notional;
    case 'equity':
      return (run, _price, account) => shareOfEquity(run, account, config.fraction);
    case 'kelly': {
      const fairSlot = wiring.input('fair');
      return (run, price, account) => {
        const fair = run.values[fairSlot] as Value;
        if (typeof fair !== 'number') return fair;
        if (fair < 0 || fair > 1 || price >= 1) return NOT_A_PROBABILITY;
        const cost = price + config.feeRate * (price * (1 - price)) ** config.feeExponent;
        const stake = cost >= 1 ? 0 : Math.max(0, (fair - cost) / (1 - cost));
        // The stake pays the fee too: what is left for the price is its share of the cost.
        return shareOfEquity(run, account, (stake * config.fraction * price) / cost);
      };
    }
  }
}

function shareOfEquity(run: Run, account: AccountFacts | null, part: number): Value {
  const equity = account?.equity ?? null;
  return equity === null ? accountUnknown(run) : equity * part;
}

function headroom(run: Run, account: AccountFacts | null): Value {
  if (account?.freeCash == null || account.orderHeadroom === null) return accountUnknown(run);
  return Math.min(account.freeCash, account.orderHeadroom);
}

function accountUnknown(run: Run): Unknown {
  return run.isLive ? NO_ACCOUNT : CATCHING_UP;
}

function sized(config: RawSettings, { one, percent, text, atFee }: Words): string {
  const { mode, notional, fraction, amount } = config;
  switch (mode) {
    case 'notional':
      return `${text(notional)} USD`;
    case 'equity':
      return `${percent(fraction)} of the equity`;
    case 'kelly':
      return `${percent(fraction)} of the Kelly stake for ${one('fair')}${atFee(config)}`;
    default:
      return text(amount);
  }
}
