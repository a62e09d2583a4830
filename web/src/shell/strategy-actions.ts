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

/** The actions offered for a strategy that is named without a verb, and for how many of them. */
const OFFERED: ReadonlySet<string> = new Set(['deploy', 'stop', 'backtest']);
const NAMED_MAX = 2;

const WORD_MIN = 2;
const ACTS_MAX = 8;

/** Returns the actions that typed words ask for: a verb and parts of a name, in any order; the name may be left out. */
export function actionsFor<Of extends { name: string; status: string }>(
  typed: string,
  strategies: readonly Of[],
): { verb: StrategyAction; strategy: Of }[] {
  const words = wordsOf(typed);
  return STRATEGY_ACTIONS.flatMap((verb) => {
    const isVerb = (word: string) =>
      word.length >= WORD_MIN && verb.words.some((each) => each.startsWith(word));
    const at = words.findIndex(isVerb);
    if (at === -1) return [];
    const rest = words.filter((_, index) => index !== at);
    return strategies
      .filter((strategy) => verb.isFor(strategy.status) && isNamed(strategy, rest))
      .map((strategy) => ({ verb, strategy }));
  }).slice(0, ACTS_MAX);
}

/** Returns what can be done with the first strategies that the typed words name. */
export function offersFor<Of extends { name: string; status: string }>(
  typed: string,
  strategies: readonly Of[],
): { verb: StrategyAction; strategy: Of }[] {
  const words = wordsOf(typed);
  if (!words.some(({ length }) => length >= WORD_MIN)) return [];
  return strategies
    .filter((strategy) => isNamed(strategy, words))
    .slice(0, NAMED_MAX)
    .flatMap(offersOf);
}

/** Returns what can be done before a word is typed: with the open strategy, else with the newest that does not run. */
export function suggestionsFor<Of extends { id: string; status: string; updatedAt: string }>(
  strategies: readonly Of[],
  openId: string | undefined,
): { verb: StrategyAction; strategy: Of }[] {
  const [subject] = strategies
    .filter(({ id, status }) => (openId === undefined ? status !== 'running' : id === openId))
    .toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  return subject ? offersOf(subject) : [];
}

const offersOf = <Of extends { status: string }>(strategy: Of) =>
  STRATEGY_ACTIONS.filter(({ id, isFor }) => OFFERED.has(id) && isFor(strategy.status)).map((verb) => ({
    verb,
    strategy,
  }));

const wordsOf = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);

const isNamed = ({ name }: { name: string }, words: readonly string[]): boolean =>
  words.every((word) => name.toLowerCase().includes(word));
