import type { Problem } from '../api/problem.ts';
import type { Clock } from '../live/live-connection.ts';

export const SAVE_AFTER_MS = 1_500;
export const RETRY_AFTER_MS = 5_000;
const PRECONDITION_FAILED = 412;
/** Statuses that may be gone in a moment: no response, too many requests, not ready. */
const PASSING: ReadonlySet<number | null> = new Set([null, 429, 503]);

/** A graph as the server stores it. A running one cannot be edited. */
export type Stored<Graph> = { graph: Graph; version: number; isRunning: boolean };

/** The outcome of a call; calls never throw. */
export type Answer<Graph> = { stored: Stored<Graph> } | { problem: Problem };

export type Saving = {
  /** `conflict`: the stored graph was changed elsewhere meanwhile, and the user has to choose. */
  state: 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict';
  at: Date | null;
  why: Problem | null;
};

export type SyncState<Graph> = {
  saving: Saving;
  /** Edits that were not saved when the blueprint began to run: no longer shown, stored nowhere, oldest first. */
  outrun: readonly Graph[];
};

export type SyncOptions<Graph> = {
  clock: Pick<Clock, 'after' | 'wallMs'>;
  /** Returns the same text for the same graph, whatever the order of its fields. */
  textOf: (graph: Graph) => string;
  /** Reads the stored graph. */
  read: () => Promise<Answer<Graph>>;
  /** Stores over this version; any other is refused with 412. */
  store: (graph: Graph, version: number) => Promise<Answer<Graph>>;
  /** Shows another graph. `replace` is an edit that can be undone, `load` a new beginning. */
  draw: (how: 'load' | 'replace', graph: Graph) => void;
  /** Called on a refusal: the stored graph is not the one that the page knows. */
  onRefused: () => void;
};

/** The stored graph that the edits started from. */
type Base = { text: string; version: number };

/**
 * Keeps the graph in the editor and the stored draft alike. Edits are saved a moment after the last one. A graph changed on the
 * server is loaded while this tab has no unsaved edit. If both changed, nothing is overwritten: saving stops until the user has
 * chosen. Saves run one after another, each over the version that the one before made.
 */
export class DraftSync<Graph> {
  readonly #options: SyncOptions<Graph>;
  readonly #listeners = new Set<() => void>();
  #state: SyncState<Graph> = { saving: { state: 'saved', at: null, why: null }, outrun: [] };
  #graph: Graph | null = null;
  #base: Base | null = null;
  /** The newest graph known to be stored, shown here or not. */
  #latest: Stored<Graph> | null = null;
  /** The text of the last save: it may be stored even without a response. */
  #sent: string | null = null;
  #isOpen = false;
  #isDrawing = false;
  /** Counts the graphs that replaced the shown one. */
  #draws = 0;
  #turns: Promise<unknown> = Promise.resolve();
  #callOff: () => void = () => {};

  constructor(options: SyncOptions<Graph>) {
    this.#options = options;
  }

  readonly state = (): SyncState<Graph> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  hasEdits(): boolean {
    return this.#base !== null && this.#text() !== this.#base.text;
  }

  /** The editor is on screen: edits left from before are saved soon. */
  opened(): void {
    this.#isOpen = true;
    if (this.hasEdits() && !this.#isInConflict()) this.#unsaved();
  }

  /** The editor leaves the screen. Its graph is saved once more, without retries until it is back. */
  left(): void {
    void this.save();
    this.#isOpen = false;
  }

  /** The user changed the graph. */
  edited(graph: Graph): void {
    this.#graph = graph;
    if (!this.#isDrawing && !this.#isInConflict()) this.#unsaved();
  }

  /** Takes the server's report of the stored graph. A response older than the known version is ignored. */
  stored(stored: Stored<Graph>): void {
    const { graph, version, isRunning } = stored;
    this.#know(stored);
    const base = this.#base;
    if (base !== null && version < base.version) return;
    const text = this.#options.textOf(graph);
    const isMine = this.hasEdits() && this.#text() !== text;
    if (isMine && !isRunning) {
      // A rename or a stop changes only the version. If the graph changed too, saving finds the conflict.
      if (text === base?.text) this.#base = { text, version };
      return;
    }
    if (isMine && this.#graph !== null) this.#notify({ outrun: [...this.#state.outrun, this.#graph] });
    if (base === null || this.#text() !== text) this.#draw('load', graph);
    this.#restOn({ text, version });
  }

  /** Saves the shown graph in turn; returns whether it is then the stored one. */
  save(): Promise<boolean> {
    this.#callOff();
    return this.#inTurn(() => this.#saveOnce());
  }

  /** Ends a conflict: the shown graph replaces the stored one. */
  keepMine(): Promise<boolean> {
    return this.#choose(() => {});
  }

  /** Ends a conflict: the stored graph replaces the shown one, as an edit that can be undone. */
  takeTheirs(): Promise<boolean> {
    return this.#choose(({ graph }) => this.#draw('replace', graph));
  }

  /** Shows the stored graph; unsaved edits are lost. */
  discard(): void {
    const latest = this.#latest;
    if (latest === null) return;
    this.#draw('load', latest.graph);
    this.#restOn(this.#baseOf(latest));
    this.#notify({ outrun: [] });
  }

  /** Discards the oldest edits that the start of the blueprint has outrun. */
  forgetOutrun(): void {
    this.#notify({ outrun: this.#state.outrun.slice(1) });
  }

  async #saveOnce(): Promise<boolean> {
    if (this.#isInConflict()) return false;
    const base = this.#base;
    const graph = this.#graph;
    if (base === null || graph === null) return true;
    const text = this.#options.textOf(graph);
    if (text === base.text) {
      this.#saved();
      return true;
    }
    if (this.#state.saving.state !== 'failed') this.#saving({ state: 'saving' });
    const mine = new Set([base.text, this.#sent]);
    this.#sent = text;
    const draws = this.#draws;
    const answer = await this.#store(graph, base.version, mine);
    if (draws !== this.#draws) return this.#outdated(answer);
    if ('problem' in answer) return this.#failed(answer.problem);
    this.#know(answer.stored);
    if (this.#base !== null && this.#base.version < answer.stored.version)
      this.#base = { text, version: answer.stored.version };
    this.#saved(new Date(this.#options.clock.wallMs()));
    return true;
  }

  /** A newer version of the same graph, after a rename or a stop, is no conflict. Nor is one that this tab sent. */
  async #store(graph: Graph, version: number, mine: ReadonlySet<string | null>): Promise<Answer<Graph>> {
    const { store, read, textOf } = this.#options;
    const draws = this.#draws;
    const answer = await store(graph, version);
    if (!('problem' in answer) || answer.problem.status !== PRECONDITION_FAILED) return answer;
    const now = await read();
    if ('problem' in now) return now;
    if (draws !== this.#draws) return answer;
    const text = textOf(now.stored.graph);
    if (text === textOf(graph)) return now;
    return mine.has(text) ? store(graph, now.stored.version) : answer;
  }

  /** Ends a save of a graph that is no longer shown: only its report of the server counts. */
  #outdated(answer: Answer<Graph>): boolean {
    if ('stored' in answer) this.stored(answer.stored);
    else if (answer.problem.status !== null) this.#options.onRefused();
    return !this.hasEdits();
  }

  #failed(why: Problem): false {
    if (why.status !== null) this.#options.onRefused();
    if (!this.hasEdits()) {
      if (this.#state.saving.state === 'saving') this.#saving({ state: 'saved' });
    } else if (why.status === PRECONDITION_FAILED) {
      this.#callOff();
      this.#saving({ state: 'conflict', why: null });
    } else {
      this.#saving({ state: 'failed', why });
      if (PASSING.has(why.status)) this.#saveAfter(RETRY_AFTER_MS);
    }
    return false;
  }

  /** Carries out the user's choice; a graph that runs by now is no conflict and cannot be replaced. */
  #choose(settle: (theirs: Stored<Graph>) => void): Promise<boolean> {
    return this.#inTurn(async () => {
      const answer = await this.#options.read();
      if ('problem' in answer) {
        this.#saving({ why: answer.problem });
        return false;
      }
      const theirs = answer.stored;
      if (theirs.isRunning) {
        this.stored(theirs);
        return false;
      }
      settle(theirs);
      this.#know(theirs);
      this.#base = this.#baseOf(theirs);
      this.#saving({ state: 'unsaved', why: null });
      return this.#saveOnce();
    });
  }

  /** Runs one after another: each relies on the version that the one before stored. */
  #inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const turn = this.#turns.then(work);
    this.#turns = turn;
    return turn;
  }

  #draw(how: 'load' | 'replace', graph: Graph): void {
    this.#graph = graph;
    this.#draws++;
    this.#isDrawing = true;
    this.#options.draw(how, graph);
    this.#isDrawing = false;
  }

  #restOn(base: Base): void {
    this.#base = base;
    this.#callOff();
    if (this.#state.saving.state !== 'saved') this.#saving({ state: 'saved', why: null });
  }

  #know(stored: Stored<Graph>): void {
    if (this.#latest === null || this.#latest.version <= stored.version) this.#latest = stored;
  }

  #unsaved(): void {
    this.#saving({ state: 'unsaved' });
    this.#saveAfter(SAVE_AFTER_MS);
  }

  #saved(at: Date | null = this.#state.saving.at): void {
    this.#saving({ state: this.hasEdits() ? 'unsaved' : 'saved', at, why: null });
    if (this.hasEdits()) this.#saveAfter(SAVE_AFTER_MS);
  }

  #saveAfter(delayMs: number): void {
    this.#callOff();
    if (this.#isOpen) this.#callOff = this.#options.clock.after(delayMs, () => void this.save());
  }

  #isInConflict = (): boolean => this.#state.saving.state === 'conflict';
  #text = (): string => (this.#graph === null ? '' : this.#options.textOf(this.#graph));
  #baseOf = ({ graph, version }: Stored<Graph>): Base => ({
    text: this.#options.textOf(graph),
    version,
  });
  #saving = (now: Partial<Saving>): void => this.#notify({ saving: { ...this.#state.saving, ...now } });

  #notify(now: Partial<SyncState<Graph>>): void {
    this.#state = { ...this.#state, ...now };
    for (const listener of this.#listeners) listener();
  }
}
