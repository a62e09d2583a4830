import { shortToken } from '../../../format/number.ts';
import { type Config, configOf, type NodeType, type Step } from './model.ts';
import { defaultsOf } from './schema.ts';

const SHOWN_MAX = 3;

/** The settings of a step in a few words: `BTCUSDT · last`. */
export function summaryOf(step: Step, type: NodeType | undefined): string {
  if (!type) return `unknown type ${step.type}`;
  const config = configOf(step);
  const all: Config = { ...defaultsOf(type.config, config), ...config };
  return Object.entries(all)
    .filter(([name]) => Object.hasOwn(config, name) || MAIN.has(name))
    .map(([, value]) => words(value))
    .filter((text) => text !== '')
    .slice(0, SHOWN_MAX)
    .join(' · ');
}

/** Settings worth showing also when they are what they are by default. */
const MAIN = new Set(['field', 'op', 'mode', 'kind']);

function words(value: unknown): string {
  if (typeof value === 'string') return shortToken(value);
  return typeof value === 'number' ? String(value) : '';
}
