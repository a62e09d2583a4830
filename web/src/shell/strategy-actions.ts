import { type Message, msg } from '../language/language.ts';

/** An action on a strategy, or a tab of its page, that the search offers. */
export type StrategyAction = {
  id: string;
  title: Message;
  /** Its names, in the languages of the console. */
  words: readonly string[];
  /** The query of the address that opens it. */
  search: { do: 'deploy' | 'stop' } | { tab: string; part?: string };
  isFor: (status: string) => boolean;
};

const always = () => true;
const runs = (status: string) => status === 'running' || status === 'error';

export const STRATEGY_ACTIONS: readonly StrategyAction[] = [
  {
    id: 'deploy',
    title: msg('Deploy “{name}”…'),
    words: ['deploy', 'start', 'run', 'launch', 'einsetzen', 'starten'],
    search: { do: 'deploy' },
    isFor: (status) => status !== 'running',
  },
  {
    id: 'stop',
    title: msg('Stop “{name}”…'),
    words: ['stop', 'halt', 'pause', 'end', 'stoppen', 'anhalten'],
    search: { do: 'stop' },
    isFor: runs,
  },
  {
    id: 'backtest',
    title: msg('Backtest “{name}”'),
    words: ['backtest', 'test', 'simulate', 'testen', 'simulieren'],
    search: { tab: 'backtest', part: 'new' },
    isFor: always,
  },
  {
    id: 'performance',
    title: msg('Performance of “{name}”'),
    words: ['performance', 'chart', 'statistics', 'p&l', 'statistik'],
    search: { tab: 'performance' },
    isFor: always,
  },
  {
    id: 'orders',
    title: msg('Orders of “{name}”'),
    words: ['orders'],
    search: { tab: 'orders' },
    isFor: always,
  },
  {
    id: 'trades',
    title: msg('Trades of “{name}”'),
    words: ['trades', 'positions', 'fills', 'ausführungen', 'positionen'],
    search: { tab: 'trades' },
    isFor: always,
  },
  {
    id: 'log',
    title: msg('Log of “{name}”'),
    words: ['log', 'protokoll'],
    search: { tab: 'log' },
    isFor: always,
  },
  {
    id: 'releases',
    title: msg('Releases of “{name}”'),
    words: ['releases', 'versions', 'history', 'versionen'],
    search: { tab: 'releases' },
    isFor: always,
  },
  {
    id: 'json',
    title: msg('JSON of “{name}”'),
    words: ['json', 'export', 'code'],
    search: { tab: 'json' },
    isFor: always,
  },
];

const WORD_MIN = 2;
const ACTS_MAX = 8;

/** Returns the actions that typed words ask for: a verb and parts of a name, in any order; the name may be left out. */
export function actionsFor<Of extends { name: string; status: string }>(
  typed: string,
  strategies: readonly Of[],
): { verb: StrategyAction; strategy: Of }[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return STRATEGY_ACTIONS.flatMap((verb) => {
    const isVerb = (word: string) =>
      word.length >= WORD_MIN && verb.words.some((each) => each.startsWith(word));
    const at = words.findIndex(isVerb);
    if (at === -1) return [];
    const rest = words.filter((_, index) => index !== at);
    return strategies
      .filter(({ name, status }) => {
        const called = name.toLowerCase();
        return verb.isFor(status) && rest.every((word) => called.includes(word));
      })
      .map((strategy) => ({ verb, strategy }));
  }).slice(0, ACTS_MAX);
}
