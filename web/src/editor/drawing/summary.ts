import { t } from '../../language/language.ts';
import { type Config, configOf, type Node, type NodeType } from './model.ts';
import { defaultsOf } from './settings-schema.ts';
import { settingWords } from './words.ts';

const SETTINGS_MAX = 3;

/** The settings of a node in a few words: `BTCUSDT · last`. */
export function summaryOf(node: Node, type: NodeType | undefined): string {
  if (!type) return t('unknown type {type}', { type: node.type });
  const config = configOf(node);
  const all: Config = { ...defaultsOf(type.config, config), ...config };
  return Object.entries(all)
    .filter(([name]) => Object.hasOwn(config, name) || MAIN.has(name))
    .sort(([one], [other]) => Number(MINOR.has(one)) - Number(MINOR.has(other)))
    .map(([name, value]) =>
      isComparison(node.type, name, value) ? `a ${settingWords(name, value)} b` : settingWords(name, value),
    )
    .filter((text) => text !== '')
    .slice(0, SETTINGS_MAX)
    .join(' · ');
}

/** A comparison of the inputs `a` and `b`, which are named at their ports. */
const isComparison = (type: string, setting: string, value: unknown): boolean =>
  type === 'compare' && setting === 'op' && value !== 'between';

/** Settings worth showing even at their default. */
const MAIN = new Set(['field', 'op', 'mode', 'kind']);

/** Settings that matter only beside the others. */
const MINOR = new Set(['maxAgeSec', 'ifTrueAtDeploy', 'slippageCap']);
