import { nodeValueWords } from '../../format/node-value-words.ts';
import { tokenName } from '../../format/token-name.ts';
import { t } from '../../language/language.ts';
import type { NodeStates } from '../../live/events.ts';
import { type Config, configOf, type EditorGraph, type Node } from '../drawing/model.ts';
import { referenceIn } from '../drawing/parameters.ts';
import { settingWords } from '../drawing/words.ts';

/** The value of an input in words, if it is known: units, a price, or money. */
type Fed = { readonly words: string; readonly isMoney: boolean };
const NONE: Fed = { words: '', isMoney: false };

type Words = (config: Config, inputs: { amount: Fed; price: Fed }) => string;

const BARRIERS = ['takeProfit', 'stopLoss', 'trailing', 'maxHoldSec', 'beforeCloseSec'] as const;

const instrumentOf = ({ instrument, symbol }: Config): string => {
  const value = instrument ?? symbol;
  return referenceIn(value) ?? (typeof value === 'string' ? tokenName(value) : '');
};
/** `0.00025 BTC/USDT`, `20 USD of BTC/USDT`; the instrument alone while the amount is unknown. */
function withAmount({ words: amount, isMoney }: Fed, config: Config): string {
  const name = instrumentOf(config);
  return isMoney ? t('{amount} of {name}', { amount, name }) : `${amount} ${name}`.trim();
}

function sale(part: unknown, config: Config): string {
  const name = instrumentOf(config);
  return part === undefined || part === 1
    ? t('Sell all {name}', { name })
    : t('Sell {part} of {name}', { part: settingWords('fraction', part), name });
}

function order(config: Config, { amount, price: { words: price } }: { amount: Fed; price: Fed }): string {
  const what = withAmount(amount, config);
  const isBuy = config['side'] === 'buy';
  if (config['type'] === 'market')
    return isBuy ? t('Buy {what} at market', { what }) : t('Sell {what} at market', { what });
  if (price === '')
    return isBuy ? t('Buy {what} at a limit', { what }) : t('Sell {what} at a limit', { what });
  return isBuy
    ? t('Buy {what} at {price} or better', { what, price })
    : t('Sell {what} at {price} or better', { what, price });
}

const WORDS: Readonly<Record<string, Words>> = {
  order,
  quote: (config, { amount, price: { words: price } }) => {
    const what = withAmount(amount, config);
    const kept =
      config['side'] === 'buy' ? t('Quote to buy {what}', { what }) : t('Quote to sell {what}', { what });
    return price === '' ? kept : `${kept} @ ${price}`;
  },
  leg: (config, { amount, price: { words: price } }) => {
    const words = { basket: String(config['basket']), what: withAmount(amount, config) };
    const leg =
      config['side'] === 'sell'
        ? t('Leg of “{basket}”: sell {what}', words)
        : t('Leg of “{basket}”: buy {what}', words);
    return price === '' ? leg : `${leg} @ ${price}`;
  },
  close: (config) => sale(config['fraction'], config),
  target: (config) => `${sale(config['part'], config)}: ${settingWords('takeProfit', config['takeProfit'])}`,
  exit: (config) => {
    const barriers = BARRIERS.flatMap((name) =>
      config[name] === undefined ? [] : [settingWords(name, config[name])],
    );
    return `${sale(1, config)}: ${barriers.join(', ')}`;
  },
  notify: ({ text }) => (typeof text === 'string' ? t('“{name}”', { name: text }) : ''),
};

type Graph = Pick<EditorGraph, 'nodes' | 'edges'>;

/**
 * An action in the words of a trader: `Buy 0.00025 BTC/USDT at market`. Amount and price are those of this moment, or fixed ones.
 * Null for a node that does not act, or lacks the settings that say what it does.
 */
export function actionWords(node: Node, { nodes, edges }: Graph, states: NodeStates): string | null {
  const words = Object.hasOwn(WORDS, node.type) ? WORDS[node.type] : undefined;
  const config = configOf(node);
  const isSet = node.type === 'notify' || instrumentOf(config) !== '';
  if (!words || !isSet || (node.type === 'order' && config['type'] === undefined)) return null;
  const fed = (port: string) => {
    const edge = edges.find(({ target, targetHandle }) => target === node.id && targetHandle === port);
    return valueAt(
      nodes.find(({ id }) => id === edge?.source),
      states,
    );
  };
  return words(config, { amount: fed('amount'), price: fed('price') });
}

/** The value of a node now, else the one that its settings fix; nothing if neither is known. */
function valueAt(node: Node | undefined, states: NodeStates): Fed {
  const value = node && states[node.id]?.value;
  const { mode, amount, notional, value: constant } = node ? configOf(node) : {};
  if (typeof value === 'number') return units(value);
  if (node?.type === 'constant' && typeof constant === 'number') return units(constant);
  if (node?.type !== 'size') return NONE;
  if (mode === 'amount' && typeof amount === 'number') return units(amount);
  return mode === 'notional' && typeof notional === 'number'
    ? { words: settingWords('notional', notional), isMoney: true }
    : NONE;
}

const units = (value: number): Fed => ({ words: nodeValueWords(value), isMoney: false });
