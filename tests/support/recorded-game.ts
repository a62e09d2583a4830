import { DomainError } from '../../engine/platform/errors.ts';
import { PaperAccount } from '../../engine/research/account/paper-account.ts';
import {
  SimulatedAccount,
  type SimulatedAccountOptions,
} from '../../engine/research/account/simulated-account.ts';
import { type ComparedRows, rowsInMemory } from './two-accounts-rows.ts';

/** One call to a simulated account, and its refusal. A function argument is recorded as its result. */
export type RecordedCall = readonly [method: string, args: readonly unknown[], refusal: string | null];

/** Desks in memory by their venue: one that the test drives, or the paper venue in memory. */
const SERVER_NAMES = { scripted: SimulatedAccount, paper: PaperAccount };

/** A game as it was played on a simulated account, and the rows it held at the end. */
export type RecordedGame = {
  readonly venue: keyof typeof SERVER_NAMES;
  readonly opening: Omit<SimulatedAccountOptions, 'newId' | 'settings'>;
  readonly game: number;
  readonly calls: readonly RecordedCall[];
  readonly rows: ComparedRows;
};

/** Ids that rise, the same ones each time they are counted. */
export function countingIds(game: number): () => string {
  const head = `00000000-0000-7000-8${(game % 4_096).toString(16).padStart(3, '0')}`;
  let count = 0;
  return () => `${head}-${(++count).toString(16).padStart(12, '0')}`;
}

const isMethod = (name: unknown): name is string =>
  typeof name === 'string' && !['rows', 'order', 'market', 'snapshot', 'constructor'].includes(name);

/** A simulated account that records its calls. */
export class GameRecorder<Memory extends SimulatedAccount> {
  readonly account: Memory;
  readonly #recorded: Omit<RecordedGame, 'calls' | 'rows'>;
  readonly #calls: RecordedCall[] = [];
  readonly #inner: Memory;

  constructor(inner: Memory, recorded: Omit<RecordedGame, 'calls' | 'rows'>) {
    this.#recorded = recorded;
    this.#inner = inner;
    this.account = new Proxy(inner, {
      get: (account, name) => {
        const member: unknown = Reflect.get(account, name, account);
        if (typeof member !== 'function') return member;
        if (!isMethod(name)) return member.bind(account);
        return (...args: unknown[]) => this.#call(name, member.bind(account), args);
      },
    });
  }

  recorded(): RecordedGame {
    return { ...this.#recorded, calls: this.#calls, rows: rowsInMemory(this.#inner) };
  }

  #call(name: string, method: (...args: unknown[]) => unknown, args: unknown[]): unknown {
    const written = structuredClone(args.map((arg) => (typeof arg === 'function' ? null : arg)));
    const given = args.map((arg, index) => {
      if (typeof arg !== 'function') return arg;
      return (...input: unknown[]) => {
        written[index] = arg(...input);
        return written[index];
      };
    });
    try {
      const answer = method(...given);
      this.#calls.push([name, written, null]);
      return answer;
    } catch (error) {
      this.#calls.push([name, written, error instanceof DomainError ? wordsOf(error) : null]);
      throw error;
    }
  }
}

const wordsOf = ({ code, message }: DomainError): string => `${code}: ${message}`;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Arguments that are moments; rows have theirs as text. */
const MOMENTS: ReadonlySet<string> = new Set(['now', 'at', 'stepAt', 'signedFor', 'arrivesBy']);

/** Restores a recorded game. */
export const parseGame = (line: string): RecordedGame =>
  JSON.parse(line, (name, value) =>
    MOMENTS.has(name) && typeof value === 'string' && MOMENT.test(value) ? new Date(value) : value,
  );

/** Plays a recorded game on a new simulated account: returns its refusals in order, and its rows. */
export function replayGame({ venue, opening, game, calls }: RecordedGame): {
  refusals: (string | null)[];
  rows: ComparedRows;
} {
  const account = new SERVER_NAMES[venue]({ ...opening, newId: countingIds(game) });
  const refusals = calls.map(([name, args]) => {
    const given = name === 'submit' ? args.map((arg, index) => (index === 1 ? () => arg : arg)) : [...args];
    if (name === 'openDay' || name === 'tripIfReached') given[0] = new Date(String(given[0]));
    try {
      const method: unknown = Reflect.get(account, name);
      if (typeof method === 'function') method.apply(account, given);
      return null;
    } catch (error) {
      if (error instanceof DomainError) return wordsOf(error);
      throw error;
    }
  });
  return { refusals, rows: rowsInMemory(account) };
}
