import { type Message, msg, t } from '../../language/language.ts';
import { usd } from '../number.ts';
import { duration } from '../time.ts';
import { tokenName } from '../token-name.ts';

type Assumption = { readonly name: string; readonly value: string };

/** The assumptions of a run, by the field of its request, in words. */
const WORDS: Readonly<Record<string, { title: Message; write?: (value: string) => string }>> = {
  'prices.recorded': { title: msg('Recorded prices'), write: tokens },
  'prices.bid_ask': { title: msg('Bid and ask of bars'), write: tokens },
  'prices.candle': { title: msg('Prices of bars'), write: tokens },
  'prices.midpoint': { title: msg('Midpoints'), write: tokens },
  'fills.latencyMs': {
    title: msg('Latency'),
    write: (ms) => (ms === '0' ? t('at once') : t('{ms} after the decision', { ms: duration(Number(ms)) })),
  },
  'fills.halfSpread': { title: msg('Half the spread') },
  'fills.slippageTicks': {
    title: msg('Slippage'),
    write: (ticks) => t('{ticks} ticks against it', { ticks }),
  },
  'fills.liquidity': {
    title: msg('It is filled by'),
    write: (value) =>
      value === 'unlimited'
        ? t('as much as it wants')
        : t('at most {value}% of the last bar’s volume', {
            value: Number((Number(value.replace('share ', '')) * 100).toPrecision(12)),
          }),
  },
  fees: { title: msg('Fees'), write: (value) => (value === 'none' ? t('none') : t('the venue’s schedule')) },
  'risk.rules': {
    title: msg('Risk rules'),
    write: (value) => (value === 'given' ? t('those given') : t('the account’s')),
  },
  'risk.approvals': {
    title: msg('Approvals'),
    write: (value) =>
      value === 'never'
        ? t('never given')
        : t('given after {delay}', { delay: value.replace('auto after ', '') }),
  },
  account: { title: msg('Starting capital'), write: (value) => usd(Number(value)) },
  settlement: { title: msg('Contracts settle') },
  'fills.highLow': {
    title: msg('Intrabar path'),
    write: (value) =>
      ({
        likely: t('a random path'),
        high_first: t('the high first'),
        low_first: t('the low first'),
        both: t('the lowest of three random paths'),
      })[value] ?? value,
  },
  'data.substitute': { title: msg('Run over') },
};

function tokens(value: string): string {
  return value.split(', ').map(tokenName).join(', ');
}

/** An assumption in words; an unknown one of a newer server stays as received. */
export function assumptionWords({ name, value }: Assumption): { title: string; value: string } {
  const words = WORDS[name];
  return { title: words ? t(words.title) : name, value: words?.write?.(value) ?? value };
}
