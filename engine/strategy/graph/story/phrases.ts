/** Phrases for the values of nodes, by their type. */
import { z } from 'zod';
import { shortName } from '../nodes/quote-readers.ts';

/** Returns the phrase of a port's source; `''` if there is none. */
export type Inputs = { one(port: string): string; all(port: string): readonly string[] };

type Config = Readonly<Record<string, unknown>>;
type Phrase = (config: Config, inputs: Inputs) => string;

export const textOf = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';
export const nameOf = (config: Config): string => shortName(textOf(config['instrument'] ?? config['symbol']));
export const percent = (value: unknown): string => `${Number((Number(value) * 100).toPrecision(6))} %`;

const SPANS = [
  [604_800, 'week'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Formats seconds in the largest unit that states them exactly. */
export function spanOf(value: unknown, isRate = false): string {
  const seconds = Number(value);
  const [size, unit] = SPANS.find(([length]) => seconds >= length && seconds % length === 0) ?? [1, 'second'];
  const count = seconds / size;
  if (count === 1) return isRate ? unit : `1 ${unit}`;
  return `${count} ${unit}s`;
}

const WORDS: Readonly<Record<string, string>> = {
  gt: 'is above',
  gte: 'is at or above',
  lt: 'is below',
  lte: 'is at or below',
  crossesAbove: 'crosses above',
  crossesBelow: 'crosses below',
  secondsToClose: 'seconds to the close',
  volume24h: '24 h volume',
  change24h: '24 h change',
  openInterest: 'open interest',
  averageCost: 'average cost',
  unrealizedPnl: 'unrealized gain',
  unrealizedPct: 'unrealized gain in parts of the cost',
  freeCash: 'free cash',
  dayPnl: 'result of the day',
  priceForSize: 'price of the size in the book',
};
const wordsOf = (value: unknown): string => WORDS[textOf(value)] ?? textOf(value);

const ORDER_RESULTS: Readonly<Record<string, string>> = {
  filledAmount: 'the filled amount of its last order',
  averagePrice: 'the average price of its last order',
  fees: 'the fees of its last order',
  live: 'its order is live',
  filled: 'its last order is filled',
  refused: 'its last order was refused',
};

const NAMES: Readonly<Record<string, string>> = {
  sma: 'SMA',
  ema: 'EMA',
  rsi: 'RSI',
  atr: 'ATR',
  macd: 'MACD',
  cci: 'CCI',
  mfi: 'MFI',
  adx: 'ADX',
  obv: 'OBV',
  vwap: 'VWAP',
  psar: 'parabolic SAR',
  zscore: 'z-score',
  percentRank: 'percent rank',
  heikinAshi: 'Heikin-Ashi close',
};

const SIGNS: Readonly<Record<string, string>> = {
  add: '+',
  subtract: '−',
  multiply: '×',
  divide: '÷',
  power: '^',
  modulo: 'mod',
};

function calculation(config: Config, inputs: Inputs): string {
  const op = textOf(config['op']);
  const operands = [...inputs.all('in'), ...inputs.all('a'), ...inputs.all('b')];
  const sign = SIGNS[op];
  return sign === undefined ? `${op}(${operands.join(', ')})` : `(${operands.join(` ${sign} `)})`;
}

function combination(config: Config, inputs: Inputs): string {
  const conditions = inputs.all('in');
  switch (config['op']) {
    case 'not':
      return `not (${inputs.one('a')})`;
    case 'atLeast':
      return `at least ${textOf(config['k'])} of: ${conditions.join('; ')}`;
    default: {
      const [only = '', ...others] = conditions;
      return others.length === 0
        ? only
        : conditions.map((each) => `(${each})`).join(` ${textOf(config['op'])} `);
    }
  }
}

function comparison(config: Config, { one }: Inputs): string {
  if (config['op'] === 'between') return `${one('a')} is between ${one('low')} and ${one('high')}`;
  return `${one('a')} ${wordsOf(config['op'])} ${one('b')}`;
}

function fitMarket(config: Config, { one }: Inputs): string {
  const limits = [
    ...(config['maxSpread'] === undefined ? [] : [`a spread up to ${textOf(config['maxSpread'])}`]),
    ...(config['minDepth'] === undefined ? [] : [`${textOf(config['minDepth'])} units on both sides`]),
    ...(config['maxPosition'] === undefined ? [] : [`a position below ${textOf(config['maxPosition'])}`]),
  ];
  const market = limits.length === 0 ? 'an open market' : limits.join(', ');
  return `${one('in')}, given ${market} of ${nameOf(config)}`;
}

function sized(config: Config): string {
  switch (config['mode']) {
    case 'notional':
      return `${textOf(config['notional'])} USD`;
    case 'equity':
      return `${percent(config['fraction'])} of the equity`;
    case 'kelly':
      return `${percent(config['fraction'])} of the Kelly stake`;
    default:
      return textOf(config['amount']);
  }
}

const Days = z.array(z.string());

function timed(config: Config): string {
  if (config['mode'] === 'every') return `every ${spanOf(config['everySec'], true)}`;
  const days = Days.safeParse(config['days']);
  const on = days.success && days.data.length < 7 ? ` on ${days.data.join(', ')}` : '';
  return `from ${textOf(config['from'])} to ${textOf(config['to'])} ${textOf(config['zone'] ?? 'UTC')}${on}`;
}

function cooled(config: Config, { one }: Inputs): string {
  const pause = Number(config['seconds'] ?? 0) > 0 ? [`at most once in ${spanOf(config['seconds'])}`] : [];
  const count =
    config['maxCount'] === undefined
      ? []
      : [`${textOf(config['maxCount'])} times in ${spanOf(config['windowSec'])}`];
  return [one('in'), ...pause, ...count].join(', ');
}

export const PHRASES: Readonly<Record<string, Phrase>> = {
  'market.price': (config) => `${nameOf(config)} ${textOf(config['field'])}`,
  'market.book': (config) => `${wordsOf(config['measure'])} of ${nameOf(config)}`,
  'market.info': (config) => `${wordsOf(config['field'])} of ${nameOf(config)}`,
  'crypto.price': (config) => `${nameOf(config)} ${wordsOf(config['field'])}`,
  'crypto.candle': (config) => `${nameOf(config)} ${textOf(config['interval'])} ${textOf(config['field'])}`,
  position: (config) => `${wordsOf(config['field'])} of ${nameOf(config)} held`,
  account: (config) => `${wordsOf(config['field'])} of the account`,
  'order.result': (config) => ORDER_RESULTS[textOf(config['field'])] ?? '',
  schedule: timed,
  signal: (config) =>
    config['kind'] === 'arrival'
      ? `the signal ${textOf(config['name'])} arrives`
      : `the signal ${textOf(config['name'])}`,
  constant: (config) => textOf(config['value']),
  indicator: (config, { one }) => {
    const kind = textOf(config['kind']);
    const lengths = kind === 'macd' ? [config['fast'], config['slow'], config['signal']] : [config['period']];
    const band = textOf(config['band']);
    const words = [
      band === kind ? '' : band,
      NAMES[kind] ?? kind,
      lengths.map(textOf).filter(Boolean).join('/'),
    ];
    return `${words.filter(Boolean).join(' ')} of ${one('in')}`;
  },
  correlation: (config, { one }) =>
    `the correlation ${textOf(config['period'])} of ${one('a')} and ${one('b')}`,
  math: calculation,
  lag: (config, { one }) => `(${one('in')} ${textOf(config['period'])} steps ago)`,
  select: (_, { one }) => `(${one('yes')} if ${one('if')}, else ${one('no')})`,
  fallback: (_, { all }) => `the first known of ${all('in').join(', ')}`,
  number: (_, { one }) => `(1 if ${one('in')}, else 0)`,
  count: (config, { one }) =>
    `the number of the last ${textOf(config['period'])} steps in which ${one('in')}`,
  since: (config, { one }) => `the ${textOf(config['unit'])} since ${one('in')}`,
  aggregate: (config, { all }) =>
    config['statistic'] === 'count'
      ? `the number of true ones of: ${all('in').join('; ')}`
      : `the ${textOf(config['statistic'])} of ${all('in').join(', ')}`,
  'probability.edge': (_, { one }) => `the edge of ${one('fair')} over ${one('price')}`,
  compare: comparison,
  top: (config, { one, all }) =>
    `${one('in')} is among the ${textOf(config['k'])} ${textOf(config['from'])} of ${all('among').length}`,
  logic: combination,
  hold: (config, { one }) => `${one('in')} for ${spanOf(config['seconds'])}`,
  memory: (config, { one }) => {
    if (config['mode'] === 'number') return 'the remembered number';
    const reset = one('reset');
    return `once ${one('set')}${reset === '' ? '' : `, until ${reset}`}`;
  },
  cooldown: cooled,
  once: (config, { one }) => `${one('in')}, once a ${textOf(config['per'])}`,
  pulse: (config, { one }) =>
    `within ${spanOf(Number(config['seconds']) + Number(config['afterSec'] ?? 0))} of the moment that ${one('in')}`,
  guard: fitMarket,
  size: sized,
  order: () => 'an order has been filled',
  quote: () => 'a quote has been filled',
  leg: (config) => `the basket “${textOf(config['basket'])}” has been filled`,
  close: () => 'a position has been closed',
  target: () => 'a target has sold',
  exit: () => 'an exit has sold',
};
