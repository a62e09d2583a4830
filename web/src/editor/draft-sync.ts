import type { Problem } from '../api/problem.ts';
import type { Clock } from '../live/line.ts';

export const SAVE_AFTER_MS = 1_500;
export const RETRY_AFTER_MS = 5_000;
const PRECONDITION_FAILED = 412;
/** What may be gone in a moment: no answer, too many requests, not ready. */
const PASSING: ReadonlySet<number | null> = new Set([null, 429, 503]);

/** A drawing as the server stores it. What runs cannot be edited. */
export type Stored<Drawn> = { drawing: Drawn; version: number; isRunning: boolean };

/** The end of a call; calls never throw. */
export type Answer<Drawn> = { stored: Stored<Drawn> } | { problem: Problem };

export type Saving = {
  /** `conflict`: the stored drawing was changed elsewhere meanwhile, and a person has to choose. */
  state: 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict';
  at: Date | null;
  why: Problem | null;
};

export type SyncState<Drawn> = {
  saving: Saving;
  /** Edits that were not saved when the blueprint began to run: drawn no more, stored nowhere, oldest first. */
  outrun: readonly Drawn[];
};

export type SyncOptions<Drawn> = {
  clock: Pick<Clock, 'after' | 'wallMs'>;
  /** The same text for the same drawing, whatever order its fields come in. */
  textOf: (drawing: Drawn) => string;
  /** Reads what is stored now. */
  read: () => Promise<Answer<Drawn>>;
  /** Stores over this version; any other is refused with 412. */
  store: (drawing: Drawn, version: number) => Promise<Answer<Drawn>>;
  /** Draws another drawing. `replace` is an edit that can be undone, `load` a new beginning. */
  draw: (how: 'load' | 'replace', drawing: Drawn) => void;
  /** A refusal: something else is stored than the page knows. */
  onRefused: () => void;
};

/** The stored drawing that the edits started from. */
type Base = { text: string; version: number };

/**
 * Keeps a drawing in the editor and the stored draft alike: edits are saved a moment after the last one; a drawing that
 * changed on the server is taken over while nothing here is unsaved. Where both changed, nothing is overwritten: saving
 * stops until a person has chosen. Saves go one after the other, each over the version that the one before made.
 */
export class DraftSync<Drawn> {
  readonly #options: SyncOptions<Drawn>;
  readonly #listeners = new Set<() => void>();
  #state: SyncState<Drawn> = { saving: { state: 'saved', at: null, why: null }, outrun: [] };
  #drawn: Drawn | null = null;
  #base: Base | null = null;
  /** The newest that is known to be stored, drawn here or not. */
  #latest: Stored<Drawn> | null = null;
  /** What was sent last: it may be stored, though no answer came. */
  #sent: string | null = null;
  #isOpen = false;
  #isDrawing = false;
  /** Counts the drawings that took the place of what was drawn. */
  #draws = 0;
  #turns: Promise<unknown> = Promise.resolve();
  #callOff: () => void = () => {};

  constructor(options: SyncOptions<Drawn>) {
    this.#options = options;
  }

  readonly state = (): SyncState<Drawn> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  hasEdits(): boolean {
    return this.#base !== null && this.#text() !== this.#base.text;
  }

  /** The editor is on the screen: edits left from before are saved soon. */
  opened(): void {
    this.#isOpen = true;
    if (this.hasEdits() && !this.#isInConflict()) this.#unsaved();
  }

  /** The editor goes off the screen. What is drawn is saved once more, and tried no further until it is back. */
  left(): void {
    void this.save();
    this.#isOpen = false;
  }

  /** A person changed the drawing. */
  edited(drawing: Drawn): void {
    this.#drawn = drawing;
    if (!this.#isDrawing && !this.#isInConflict()) this.#unsaved();
  }

  /** The server said what is stored. An answer older than what is known here says nothing. */
  stored(stored: Stored<Drawn>): void {
    const { drawing, version, isRunning } = stored;
    this.#know(stored);
    const base = this.#base;
    if (base !== null && version < base.version) return;
    const text = this.#options.textOf(drawing);
    const isMine = this.hasEdits() && this.#text() !== text;
    if (isMine && !isRunning) {
      // A rename or a stop changes only the version. Where the drawing changed too, saving finds the conflict.
      if (text === base?.text) this.#base = { text, version };
      return;
    }
    if (isMine && this.#drawn !== null) this.#say({ outrun: [...this.#state.outrun, this.#drawn] });
    if (base === null || this.#text() !== text) this.#draw('load', drawing);
    this.#restOn({ text, version });
  }

  /** Saves what is drawn once it is its turn; answers whether that is what is stored then. */
  save(): Promise<boolean> {
    this.#callOff();
    return this.#inTurn(() => this.#saveOnce());
  }

  /** Ends a conflict: what is drawn here replaces what is stored now. */
  keepMine(): Promise<boolean> {
    return this.#choose(() => {});
  }

  /** What is stored now replaces what is drawn here, as an edit that can be undone. */
  takeTheirs(): Promise<boolean> {
    return this.#choose(({ drawing }) => this.#draw('replace', drawing));
  }

  /** Draws what is stored; whatever is not saved is lost. */
  discard(): void {
    const latest = this.#latest;
    if (latest === null) return;
    this.#draw('load', latest.drawing);
    this.#restOn(this.#baseOf(latest));
    this.#say({ outrun: [] });
  }

  /** Gives up the oldest edits that the running of the blueprint has outrun. */
  forgetOutrun(): void {
    this.#say({ outrun: this.#state.outrun.slice(1) });
  }

  async #saveOnce(): Promise<boolean> {
    if (this.#isInConflict()) return false;
    const base = this.#base;
    const drawn = this.#drawn;
    if (base === null || drawn === null) return true;
    const text = this.#options.textOf(drawn);
    if (text === base.text) {
      this.#saved();
      return true;
    }
    if (this.#state.saving.state !== 'failed') this.#saving({ state: 'saving' });
    const mine = new Set([base.text, this.#sent]);
    this.#sent = text;
    const draws = this.#draws;
    const answer = await this.#store(drawn, base.version, mine);
    if (draws !== this.#draws) return this.#outdated(answer);
    if ('problem' in answer) return this.#failed(answer.problem);
    this.#know(answer.stored);
    if (this.#base !== null && this.#base.version < answer.stored.version)
      this.#base = { text, version: answer.stored.version };
    this.#saved(new Date(this.#options.clock.wallMs()));
    return true;
  }

  /** A newer version of the same drawing, after a rename or a stop, is no conflict, and neither is what was sent here. */
  async #store(drawn: Drawn, version: number, mine: ReadonlySet<string | null>): Promise<Answer<Drawn>> {
    const { store, read, textOf } = this.#options;
    const draws = this.#draws;
    const answer = await store(drawn, version);
    if (!('problem' in answer) || answer.problem.status !== PRECONDITION_FAILED) return answer;
    const now = await read();
    if ('problem' in now) return now;
    if (draws !== this.#draws) return answer;
    const text = textOf(now.stored.drawing);
    if (text === textOf(drawn)) return now;
    return mine.has(text) ? store(drawn, now.stored.version) : answer;
  }

  /** The end of a save of what is drawn no more: only what it tells of the server counts. */
  #outdated(answer: Answer<Drawn>): boolean {
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

  /** By what a person chose; what runs by now is no conflict and cannot be replaced. */
  #choose(settle: (theirs: Stored<Drawn>) => void): Promise<boolean> {
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

  /** One after the other: each rests on what the one before has stored. */
  #inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const turn = this.#turns.then(work);
    this.#turns = turn;
    return turn;
  }

  #draw(how: 'load' | 'replace', drawing: Drawn): void {
    this.#drawn = drawing;
    this.#draws++;
    this.#isDrawing = true;
    this.#options.draw(how, drawing);
    this.#isDrawing = false;
  }

  #restOn(base: Base): void {
    this.#base = base;
    this.#callOff();
    if (this.#state.saving.state !== 'saved') this.#saving({ state: 'saved', why: null });
  }

  #know(stored: Stored<Drawn>): void {
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
  #text = (): string => (this.#drawn === null ? '' : this.#options.textOf(this.#drawn));
  #baseOf = ({ drawing, version }: Stored<Drawn>): Base => ({
    text: this.#options.textOf(drawing),
    version,
  });
  #saving = (now: Partial<Saving>): void => this.#say({ saving: { ...this.#state.saving, ...now } });

  #say(now: Partial<SyncState<Drawn>>): void {
    this.#state = { ...this.#state, ...now };
    for (const listener of this.#listeners) listener();
  }
}
