import { DomainError } from '../../engine/platform/errors.ts';
import { type DeskOptions, MemoryDesk } from '../../engine/research/account/desk.ts';
import { PaperDesk } from '../../engine/research/account/paper-desk.ts';
import { type Compared, heldIn } from './two-desks-rows.ts';

/** One call to a simulated account, and its refusal. A function argument is recorded as its result. */
export type Call = readonly [method: string, args: readonly unknown[], refusal: string | null];

/** Desks in memory by their venue: one that the test drives, or the paper venue in memory. */
const DESKS = { scripted: MemoryDesk, paper: PaperDesk };

/** A game as it was played on a simulated account, and the rows it held at the end. */
export type RecordedGame = {
  readonly venue: keyof typeof DESKS;
  readonly opening: Omit<DeskOptions, 'newId' | 'settings'>;
  readonly game: number;
  readonly calls: readonly Call[];
  readonly rows: Compared;
};

/** Ids that rise, the same ones each time they are counted. */
export function counting(game: number): () => string {
  const head = `00000000-0000-7000-8${(game % 4_096).toString(16).padStart(3, '0')}`;
  let count = 0;
  return () => `${head}-${(++count).toString(16).padStart(12, '0')}`;
}

const isMethod = (name: unknown): name is string =>
  typeof name === 'string' && !['rows', 'order', 'market', 'basis', 'constructor'].includes(name);

/** A simulated account that records its calls. */
export class Recorder<Memory extends MemoryDesk> {
  readonly desk: Memory;
  readonly #recorded: Omit<RecordedGame, 'calls' | 'rows'>;
  readonly #calls: Call[] = [];
  readonly #inner: Memory;

  constructor(inner: Memory, recorded: Omit<RecordedGame, 'calls' | 'rows'>) {
    this.#recorded = recorded;
    this.#inner = inner;
    this.desk = new Proxy(inner, {
      get: (desk, name) => {
        const member: unknown = Reflect.get(desk, name, desk);
        if (typeof member !== 'function') return member;
        if (!isMethod(name)) return member.bind(desk);
        return (...args: unknown[]) => this.#call(name, member.bind(desk), args);
      },
    });
  }

  recorded(): RecordedGame {
    return { ...this.#recorded, calls: this.#calls, rows: heldIn(this.#inner) };
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
export function replay({ venue, opening, game, calls }: RecordedGame): {
  refusals: (string | null)[];
  rows: Compared;
} {
  const desk = new DESKS[venue]({ ...opening, newId: counting(game) });
  const refusals = calls.map(([name, args]) => {
    const given = name === 'depart' ? args.map((arg, index) => (index === 1 ? () => arg : arg)) : [...args];
    if (name === 'openDay' || name === 'tripIfReached') given[0] = new Date(String(given[0]));
    try {
      const method: unknown = Reflect.get(desk, name);
      if (typeof method === 'function') method.apply(desk, given);
      return null;
    } catch (error) {
      if (error instanceof DomainError) return wordsOf(error);
      throw error;
    }
  });
  return { refusals, rows: heldIn(desk) };
}
