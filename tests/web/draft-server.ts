import type { Problem } from '../../web/src/api/problem.ts';
import { type Answer, DraftSync, type Stored } from '../../web/src/editor/draft-sync.ts';
import { TestClock } from './test-clock.ts';

/** A graph is a list of marks; every mark is made once. */
export type Marks = readonly string[];
type Call = {
  kind: 'read' | 'store';
  /** How the call ends: as the server decides, or without an answer, carried out or not. */
  end: (how: 'answered' | 'answer lost' | 'never arrived' | 'too busy') => Promise<void>;
};

const problemOf = (status: number | null): { problem: Problem } => ({
  problem: { status, message: `${status}`, code: 'x', issues: [], requestId: null, retryAfterSec: null },
});

/** Lets every pending response continue. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** The stored blueprint. Every change of it makes a version. */
export class DraftServer {
  stored: Stored<Marks> = { graph: ['start'], version: 1, isRunning: false };
  /** Every graph that was ever stored. */
  readonly history: Marks[] = [['start']];

  /** Changes it, as another tab, a key or a button does. */
  change(now: Partial<Omit<Stored<Marks>, 'version'>>): void {
    this.stored = { ...this.stored, ...now, version: this.stored.version + 1 };
    this.history.push(this.stored.graph);
  }

  store(graph: Marks, version: number): Answer<Marks> {
    if (version !== this.stored.version) return problemOf(412);
    if (this.stored.isRunning) return problemOf(409);
    this.change({ graph });
    return { stored: this.stored };
  }
}

/** One tab with the blueprint open: an editor, a page that reads, and calls whose outcome the test chooses. */
export class DraftTab {
  readonly clock = new TestClock();
  readonly calls: Call[] = [];
  readonly overwritten: Marks[] = [];
  /** The highest number of concurrent stores. */
  storesAtOnce = 0;
  loads = 0;
  drawn: Marks = [];
  undo: Marks[] = [];
  readonly sync: DraftSync<Marks>;
  readonly #server: DraftServer;
  #choices = 0;
  /** Graphs this user has seen. */
  readonly seen = new Set<string>();

  constructor(server: DraftServer) {
    this.#server = server;
    this.sync = new DraftSync<Marks>({
      clock: this.clock,
      textOf: (marks) => marks.join(),
      read: () =>
        this.#call('read', () => {
          if (this.#choices > 0) this.seen.add(server.stored.graph.join());
          return { stored: server.stored };
        }),
      store: (drawing, version) =>
        this.#call('store', () => {
          const before = server.stored.graph;
          const answer = server.store(drawing, version);
          if ('stored' in answer && !this.seen.has(before.join())) this.overwritten.push(before);
          this.seen.add(drawing.join());
          return answer;
        }),
      draw: (how, drawing) => this.#draw(how, drawing),
      onRefused: () => this.refetch(),
    });
    this.refetch();
    this.sync.opened();
  }

  /** The page reads the stored graph. */
  refetch(stored: Stored<Marks> = this.#server.stored): void {
    this.sync.stored(stored);
  }

  edit(...marks: string[]): void {
    this.undo.push(this.drawn);
    this.#turn([...this.drawn, ...marks]);
  }

  undoOnce(): void {
    const before = this.undo.pop();
    if (before) this.#turn(before);
  }

  /** Answers all calls as the server decides, until no further call is made. */
  async answerAll(): Promise<void> {
    await settled();
    for (let rounds = 0; this.calls.length > 0 && rounds < 100; rounds++)
      await this.calls[0]?.end('answered');
  }

  /** Decides about the graph stored at that moment, so it counts as seen. */
  async decide(what: 'keepMine' | 'takeTheirs'): Promise<boolean> {
    this.#choices++;
    const done = await this.sync[what]();
    this.#choices--;
    return done;
  }

  async choose(what: 'keepMine' | 'takeTheirs'): Promise<boolean> {
    const done = this.decide(what);
    await this.answerAll();
    return done;
  }

  get state(): string {
    return this.sync.state().saving.state;
  }

  #turn(drawn: Marks): void {
    this.drawn = drawn;
    this.seen.add(drawn.join());
    this.sync.edited(drawn);
  }

  #draw(how: 'load' | 'replace', drawing: Marks): void {
    if (how === 'replace') this.undo.push(this.drawn);
    else {
      this.undo = [];
      this.loads++;
    }
    this.#turn(drawing);
  }

  #call(kind: Call['kind'], carryOut: () => Answer<Marks>): Promise<Answer<Marks>> {
    return new Promise((resolve) => {
      const call: Call = {
        kind,
        end: (how) => {
          this.calls.splice(this.calls.indexOf(call), 1);
          const isCarriedOut = how === 'answered' || how === 'answer lost';
          const answer = isCarriedOut ? carryOut() : problemOf(how === 'too busy' ? 503 : null);
          resolve(how === 'answer lost' ? problemOf(null) : answer);
          return settled();
        },
      };
      this.calls.push(call);
      this.storesAtOnce = Math.max(
        this.storesAtOnce,
        this.calls.filter((each) => each.kind === 'store').length,
      );
    });
  }
}
