import { amount } from '../../format/number.ts';
import { tokenName } from '../../format/token-name.ts';
import { type Message, msg, t, withinWords } from '../../language/language.ts';
import { COMPARISON_SIGNS } from './comparison-signs.ts';
import type { Config, Issue } from './model.ts';
import { referenceIn } from './parameters.ts';
import type { Field } from './settings-schema.ts';

/** Titles of settings, and of those whose name says too little, or only says it to a programmer. */
const TITLES: Readonly<Record<string, Message>> = {
  maxAgeSec: msg('Max. quote age (s)'),
  ifTrueAtDeploy: msg('If already true at deploy'),
  sampleSec: msg('Sample every (s)'),
  everySec: msg('Every (s)'),
  atMostEverySec: msg('At most once every (s)'),
  severity: msg('Severity'),
  refreshAboveTicks: msg('Replace above (ticks)'),
  refreshMinSec: msg('Time between orders (s)'),
  afterFill: msg('Once filled'),
  oneCancelsOther: msg('One cancels the other'),
  basket: msg('Basket'),
  maxLoss: msg('Largest loss of an undo'),
  fillWithinSec: msg('Filled within (s)'),
  undoWithinSec: msg('Sold back within (s)'),
  part: msg('Part'),
  zone: msg('Time zone'),
  afterSec: msg('After (s)'),
  per: msg('Once a'),
  seconds: msg('Seconds'),
  windowSec: msg('In a window of (s)'),
  maxHoldSec: msg('Max. holding time (s)'),
  beforeCloseSec: msg('Sell before the close by (s)'),
  maxCount: msg('Max. count'),
  capByHeadroom: msg('At most what the rules allow'),
  closedOnly: msg('Closed candles only'),
  volume24h: msg('Volume in 24 h'),
  k: msg('How many'),
  op: msg('Operation'),
  maxPosition: msg('Largest position'),
  maxSpread: msg('Max. spread'),
  minDepth: msg('Min. depth'),
  instrument: msg('Instrument'),
  symbol: msg('Symbol'),
  field: msg('Field'),
  side: msg('Side'),
  size: msg('Size'),
  mode: msg('Mode'),
  interval: msg('Interval'),
  period: msg('Period'),
  fraction: msg('Fraction'),
  notional: msg('Notional'),
  slippageCap: msg('Slippage cap'),
  takeProfit: msg('Take profit'),
  stopLoss: msg('Stop loss'),
  trailing: msg('Trailing'),
  measure: msg('Measure'),
  initial: msg('Initial'),
  from: msg('From'),
  to: msg('To'),
  amount: msg('Amount'),
  timeInForce: msg('Time in force'),
  slow: msg('Slow'),
  fast: msg('Fast'),
  signal: msg('Signal'),
  hysteresis: msg('Hysteresis'),
  inputs: msg('Inputs'),
  value: msg('Value'),
  type: msg('Type'),
  statistic: msg('Statistic'),
  monthDays: msg('Days of the month'),
  calendar: msg('Calendar'),
};

/** `takeProfit` is `Take profit`. */
export function settingTitleOf(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  const known = Object.hasOwn(TITLES, name) ? TITLES[name] : undefined;
  return known ? t(known) : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fractions that a person writes in percent. */
const PERCENT: ReadonlySet<string> = new Set(['takeProfit', 'stopLoss', 'trailing', 'fraction', 'maxLoss']);
/** The factor from the API's value to that in the field. */
export const scaleOf = (name: string): number => (PERCENT.has(name) ? 100 : 1);

/** The title of a setting and the unit of its field, which stands beside it. */
export function titleAndUnitOf(name: string): { title: string; unit: string } {
  const title = settingTitleOf(name);
  if (PERCENT.has(name)) return { title, unit: '%' };
  if (name === 'notional') return { title, unit: t('USD') };
  if (name === 'seconds') return { title, unit: 's' };
  const bracket = title.lastIndexOf(' (');
  return bracket > 0 && title.endsWith(')')
    ? { title: title.slice(0, bracket), unit: title.slice(bracket + 2, -1) }
    : { title, unit: '' };
}

/** The same title within a sentence. */
export const titleWithin = (name: string): string => withinWords(settingTitleOf(name));

/** The help of a setting: the catalogue's words, its allowed values, and its name in the API. */
export function settingHelp(field: Field): string {
  const { name, description, fallback } = field;
  const scale = scaleOf(name);
  const inField = <Value>(value: Value) => (typeof value === 'number' ? value * scale : value);
  const bounds = field.kind === 'number' ? rangeWords(inField(field.min), inField(field.max)) : '';
  const usual =
    fallback === undefined
      ? ''
      : t('Where nothing is written: {fallback}.', { fallback: optionWords(String(inField(fallback))) });
  const percent = scale === 1 ? '' : t('Here in %: 20 is 0.2 in the API.');
  return [description, percent, bounds, usual, t('In the API: {name}.', { name })]
    .filter((part) => part !== '')
    .join(' ');
}

function rangeWords(min: number | null, max: number | null): string {
  if (min === null) return max === null ? '' : t('Not above {max}.', { max });
  return max === null ? t('Not below {min}.', { min }) : t('Between {min} and {max}.', { min, max });
}

/** A name alone, or where a formula wants its value: `last \`period\``, `10 × \`period\``, `(\`period\` + 1)`. */
const NAMED = /(last |\(|(\d{1,4}) × )?`([A-Za-z0-9]{1,40})`/g;

/**
 * A text of the catalogue in the words of the form: a setting by its title, and by its value in a formula: the last 210 values,
 * not 10 × period. Names that are no setting of the node stay, such as those of its inputs.
 */
export const withSettings = (text: string, fields: readonly Pick<Field, 'name'>[], config: Config): string =>
  text.replace(NAMED, (all, before: string | undefined, times: string | undefined, name: string) => {
    if (!fields.some((field) => field.name === name)) return all;
    const value = Object.hasOwn(config, name) ? config[name] : undefined;
    const said = (words: string) => `${before ?? ''}${words}`;
    if (before === undefined) return said(`“${settingTitleOf(name)}”`);
    if (typeof value === 'number') return times ? String(Number(times) * value) : said(String(value));
    return said(referenceIn(value) ?? `“${settingTitleOf(name)}”`);
  });

const OPTIONS: Readonly<Record<string, Message>> = {
  buy: msg('buy'),
  sell: msg('sell'),
  bid: msg('bid'),
  ask: msg('ask'),
  crossesAbove: msg('crosses above'),
  crossesBelow: msg('crosses below'),
  atLeast: msg('at least'),
  fire: msg('act now'),
  info: msg('info'),
  warning: msg('warning'),
  critical: msg('critical'),
  wait: msg('wait until it is true again'),
  gtc: msg('until canceled'),
  gtx: msg('post-only'),
  ioc: msg('IOC'),
  fok: msg('FOK'),
  secondsToClose: msg('seconds to close'),
  volume24h: msg('volume in 24 h'),
  change24h: msg('change in 24 h'),
  openInterest: msg('open interest'),
  averageCost: msg('average cost'),
  unrealizedPnl: msg('unrealized P&L'),
  unrealizedPct: msg('unrealized %'),
  priceForSize: msg('price for size'),
  market: msg('market'),
  limit: msg('limit'),
  every: msg('every'),
  daily: msg('daily'),
  close: msg('close'),
  high: msg('high'),
  low: msg('low'),
  change: msg('change'),
  highest: msg('highest'),
  lowest: msg('lowest'),
  mean: msg('mean'),
  count: msg('count'),
  sum: msg('sum'),
  volume: msg('volume'),
  spread: msg('spread'),
  depth: msg('depth'),
  imbalance: msg('imbalance'),
  mid: msg('mid'),
  last: msg('last'),
  amount: msg('amount'),
  notional: msg('notional'),
  fraction: msg('fraction'),
  position: msg('position'),
  equity: msg('equity'),
  drawdown: msg('drawdown'),
  exposure: msg('exposure'),
  fees: msg('fees'),
  freeCash: msg('free cash'),
  dayPnl: msg('P&L today'),
  filled: msg('filled'),
  filledAmount: msg('filled amount'),
  averagePrice: msg('average price'),
  refused: msg('refused'),
  repeat: msg('repeat'),
  steps: msg('steps'),
  seconds: msg('seconds'),
  none: msg('none'),
  day: msg('day'),
  week: msg('week'),
  month: msg('month'),
  upper: msg('upper'),
  lower: msg('lower'),
  middle: msg('middle'),
  slope: msg('slope'),
  volatility: msg('volatility'),
  and: msg('and'),
  or: msg('or'),
  not: msg('not'),
  add: msg('add'),
  subtract: msg('subtract'),
  multiply: msg('multiply'),
  divide: msg('divide'),
  power: msg('power'),
  round: msg('round'),
  sign: msg('sign'),
  boolean: msg('yes or no'),
  number: msg('number'),
  percentRank: msg('percent rank'),
  histogram: msg('histogram'),
  mon: msg('mon'),
  tue: msg('tue'),
  wed: msg('wed'),
  thu: msg('thu'),
  fri: msg('fri'),
  sat: msg('sat'),
  sun: msg('sun'),
  listed: msg('listed'),
  nyseSession: msg('NYSE trades'),
  nyseHoliday: msg('NYSE holiday'),
  nyseEarlyClose: msg('NYSE closes early'),
  fomcDecision: msg('FOMC decision'),
};

/** A value of a list of choices, in words. */
export function optionWords(option: string): string {
  if (Object.hasOwn(COMPARISON_SIGNS, option)) return COMPARISON_SIGNS[option] ?? option;
  // A word of its own: elsewhere it is that an order or a market is open.
  if (option === 'open') return t('open', {}, 'price');
  const known = Object.hasOwn(OPTIONS, option) ? OPTIONS[option] : undefined;
  return known ? t(known) : intervalWords(option);
}

/** `15 min` of `15m`; all other words stay. */
const intervalWords = (option: string): string =>
  option.replace(/^(\d{1,3})([mhdwM])$/, (_all, count: string, unit: string) => {
    if (unit === 'w') return t('{count, plural, one {# week} other {# weeks}}', { count: Number(count) });
    if (unit === 'M') return t('{count, plural, one {# month} other {# months}}', { count: Number(count) });
    return `${count} ${unit === 'm' ? 'min' : unit}`;
  });

const INTERVAL = /^\d{1,3}[mhdwM]$/;

/** The names of ports, of which only programs use the first form. */
const PORTS: Readonly<Record<string, Message>> = {
  in: msg('in'),
  when: msg('when'),
  if: msg('if'),
  price: msg('price'),
  amount: msg('amount'),
  among: msg('among'),
  fair: msg('fair'),
  high: msg('high'),
  low: msg('low'),
  of: msg('of'),
  reset: msg('reset'),
  set: msg('set'),
  yes: msg('yes'),
  no: msg('no'),
};

/** The name of a port, in words. */
export function portWords(name: string): string {
  const known = Object.hasOwn(PORTS, name) ? PORTS[name] : undefined;
  return known ? t(known) : name;
}

/** The kind of value that an edge carries. */
export const kindWords = (kind: 'number' | 'boolean'): string =>
  kind === 'number' ? t('number') : t('yes or no');

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** Seconds in the largest unit that is exact. */
function span(seconds: number): string {
  const unit = UNITS.find(([size]) => seconds >= size && seconds % size === 0);
  return unit ? `${seconds / unit[0]} ${unit[1]}` : `${seconds} s`;
}

const share = (value: number) => `${amount(Number((value * 100).toPrecision(6)))}%`;

/** A number in a summary, written by its setting. */
const SAID: Readonly<Record<string, (value: number) => string>> = {
  everySec: (value) => span(value),
  afterSec: (value) => t('after {value}', { value: span(value) }),
  seconds: (value) => span(value),
  sampleSec: (value) => t('each {value}', { value: span(value) }),
  windowSec: (value) => t('in {value}', { value: span(value) }),
  maxHoldSec: (value) => t('hold ≤ {value}', { value: span(value) }),
  beforeCloseSec: (value) => t('{value} before close', { value: span(value) }),
  maxAgeSec: (value) => t('age ≤ {value}', { value: span(value) }),
  maxCount: (value) => `${value}×`,
  maxSpread: (value) => t('spread ≤ {value}', { value: amount(value) }),
  minDepth: (value) => t('depth ≥ {value}', { value: amount(value) }),
  maxPosition: (value) => t('position ≤ {value}', { value: amount(value) }),
  takeProfit: (value) => t('profit {value}', { value: share(value) }),
  stopLoss: (value) => t('loss {value}', { value: share(value) }),
  trailing: (value) => t('trailing {value}', { value: share(value) }),
  slippageCap: (value) => t('slippage ≤ {value}', { value: share(value) }),
  fraction: (value) => share(value),
  notional: (value) => t('{value} USD', { value: amount(value) }),
  value: (value) => String(value),
  amount: (value) => amount(value),
};

/** The text of a setting in the line under the name of its node. */
export function settingWords(name: string, value: unknown): string {
  const parameter = referenceIn(value);
  if (parameter !== null) return `${titleWithin(name)} = ${parameter}`;
  if (typeof value === 'string')
    return Object.hasOwn(COMPARISON_SIGNS, value) ||
      Object.hasOwn(OPTIONS, value) ||
      value === 'open' ||
      INTERVAL.test(value)
      ? optionWords(value)
      : tokenName(value);
  if (typeof value !== 'number') return '';
  return SAID[name]?.(value) ?? `${titleWithin(name)} ${value}`;
}

/** An issue in the words of the form: the server names settings as the API does. */
export function issueWords({ code, path, message }: Pick<Issue, 'code' | 'path' | 'message'>): string {
  const name = path.split('/').at(-1) ?? '';
  if (code !== 'missing_setting')
    return path.includes('/config/') ? message.replaceAll(`“${name}”`, `“${settingTitleOf(name)}”`) : message;
  return message.includes('gte')
    ? t('Choose a comparison.')
    : t('“{name}” is missing.', { name: settingTitleOf(name) });
}
