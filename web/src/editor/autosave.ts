import { useCallback, useEffect, useRef, useState } from 'react';
import { type Problem, readProblem } from '../api/problem.ts';
import { client, type Outputs, queryClient, trpc, watch } from '../api/trpc.ts';
import { readDrawing, writeDrawing } from './drawing/json.ts';
import type { Issue } from './drawing/model.ts';
import { issueWords } from './drawing/words.ts';
import { loadDrawing, replaceDrawing, useEditor } from './store.ts';

const SAVE_AFTER_MS = 1_500;
const RETRY_AFTER_MS = 5_000;
const CHECK_AFTER_MS = 500;
const PRECONDITION_FAILED = 412;
/** What may be gone in a moment: no answer, too many requests, not ready. */
const PASSING: ReadonlySet<number | null> = new Set([null, 429, 503]);

export type Saving = {
  /** `conflict`: the stored drawing was changed by somebody else meanwhile, and a person has to choose. */
  state: 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict';
  at: Date | null;
  why: Problem | null;
};

export type Autosave = {
  saving: Saving;
  /** Edits that were not saved when the blueprint began to run: drawn no more, and stored nowhere. */
  outrun: Drawn | null;
  forgetOutrun: () => void;
  /** Saves now; answers whether what is drawn here is what is stored. */
  save: () => Promise<boolean>;
  /** Ends a conflict: what is drawn here replaces what is stored now. */
  keepMine: () => Promise<boolean>;
  /** What is stored now replaces what is drawn here, as an edit that can be undone. */
  takeTheirs: () => Promise<boolean>;
  hasEdits: () => boolean;
  /** Draws what is stored; what is not saved is lost. */
  discard: () => void;
};

type Blueprint = Outputs['console']['blueprint'];
export type Drawn = ReturnType<typeof writeDrawing>;
/** The stored drawing that the editor started from. */
type Base = { text: string; version: number };
/** The draft in the editor. It outlives its page: edits that could not be saved are there again on the way back. */
type Draft = {
  id: string;
  base: Base | null;
  /** What was sent last: it may be stored, though no answer came. */
  sent: string | null;
  inConflict: boolean;
  saves: Promise<boolean>;
};

let opened: Draft | null = null;
function openDraft(id: string): Draft {
  if (opened?.id !== id)
    opened = { id, base: null, sent: null, inConflict: false, saves: Promise.resolve(true) };
  return opened;
}

const drawnNow = (): Drawn => writeDrawing(useEditor.getState());
/** The same text for the same drawing, whatever order its fields come back in. */
const textOf = (drawn: Drawn): string => JSON.stringify(drawn, sortFields);
const textNow = (): string => textOf(drawnNow());
const storedText = (visual: unknown): string => textOf(writeDrawing(readDrawing(visual)));

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const baseOf = ({ visual, version }: Blueprint): Base => ({ text: storedText(visual), version });
const isEdited = ({ base }: Draft): boolean => base !== null && textNow() !== base.text;

const storedNow = (id: string): Promise<Blueprint> => client.console.blueprint.query({ id });

/** Shows what is stored now. A read that began before could tell of less, so it ends here and is made again. */
async function show(blueprint: Blueprint): Promise<void> {
  const filter = trpc.console.blueprint.queryFilter({ id: blueprint.id });
  const isReading = queryClient.isFetching(filter) > 0;
  await queryClient.cancelQueries(filter);
  queryClient.setQueryData(trpc.console.blueprint.queryKey({ id: blueprint.id }), (shown) =>
    shown && shown.version > blueprint.version ? shown : blueprint,
  );
  if (isReading) void queryClient.invalidateQueries(filter);
}

/**
 * Keeps the editor and the stored draft alike: edits are saved by themselves a moment after the last one; a drawing
 * that changed on the server is taken over while nothing here is unsaved. Where both changed, nothing is overwritten:
 * saving stops until a person has chosen.
 */
export function useAutosave(blueprint: Blueprint, readOnly: boolean): Autosave {
  const { id, version } = blueprint;
  const [draft] = useState(() => openDraft(id));
  const [saving, setSaving] = useState<Saving>(() => ({
    state: draft.inConflict ? 'conflict' : isEdited(draft) ? 'unsaved' : 'saved',
    at: null,
    why: null,
  }));
  const [outrun, setOutrun] = useState<Drawn | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const stored = JSON.stringify(blueprint.visual);
  useEffect(() => {
    const { base } = draft;
    if (base !== null && version < base.version) return;
    const visual: unknown = JSON.parse(stored);
    const text = storedText(visual);
    const isMine = isEdited(draft) && textNow() !== text;
    if (isMine && !readOnly) {
      // A rename or a stop changes only the version. Where the drawing changed too, saving finds the conflict.
      if (text === base?.text) draft.base = { text, version };
      return;
    }
    if (isMine) setOutrun(drawnNow());
    if (base === null || textNow() !== text) loadDrawing(readDrawing(visual));
    draft.base = { text, version };
    draft.inConflict = false;
    clearTimeout(timer.current);
    setSaving((now) => (now.state === 'saved' ? now : { ...now, state: 'saved', why: null }));
  }, [draft, stored, version, readOnly]);

  const saveOnce = useCallback(
    async (drawn: Drawn): Promise<boolean> => {
      const { base } = draft;
      const text = textOf(drawn);
      const isSaved = (at: Date | null) =>
        setSaving((now) => ({
          state: textNow() === text ? 'saved' : 'unsaved',
          at: at ?? now.at,
          why: null,
        }));
      if (draft.inConflict) return false;
      if (base === null || text === base.text) {
        isSaved(null);
        return true;
      }
      setSaving((now) => (now.state === 'failed' ? now : { ...now, state: 'saving' }));
      try {
        const mine = new Set([base.text, draft.sent]);
        draft.sent = text;
        const saved = await store(id, drawn, base.version, mine);
        if (draft.base !== null && draft.base.version < saved.version)
          draft.base = { text, version: saved.version };
        await show(saved);
        isSaved(new Date());
        return true;
      } catch (error) {
        watch(error);
        const why = readProblem(error);
        // A refusal tells that something else is stored than is shown here.
        if (why.status !== null)
          void queryClient.invalidateQueries(trpc.console.blueprint.queryFilter({ id }));
        if (!isEdited(draft)) return false;
        draft.inConflict = why.status === PRECONDITION_FAILED;
        setSaving((now) =>
          draft.inConflict ? { ...now, state: 'conflict', why: null } : { ...now, state: 'failed', why },
        );
        return false;
      }
    },
    [draft, id],
  );

  /** One after the other: each rests on what the one before has stored. */
  const inTurn = useCallback(
    (work: () => Promise<boolean>) => {
      draft.saves = draft.saves.then(work);
      return draft.saves;
    },
    [draft],
  );

  /** What is drawn at this moment: by its turn, another blueprint may be drawn here. */
  const save = useCallback(() => {
    clearTimeout(timer.current);
    const drawn = drawnNow();
    return inTurn(() => saveOnce(drawn));
  }, [inTurn, saveOnce]);

  const choose = (replaced: (theirs: Blueprint) => void) =>
    inTurn(async () => {
      try {
        const theirs = await storedNow(id);
        if (theirs.status !== 'running') {
          replaced(theirs);
          draft.base = baseOf(theirs);
          draft.inConflict = false;
        }
        await show(theirs);
      } catch (error) {
        watch(error);
        setSaving((now) => ({ ...now, why: readProblem(error) }));
        return false;
      }
      return saveOnce(drawnNow());
    });

  useEffect(() => {
    if (readOnly) return;
    const saveSoon = () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), SAVE_AFTER_MS);
    };
    if (isEdited(draft)) saveSoon();
    return useEditor.subscribe((now, before) => {
      if (now.nodes === before.nodes && now.edges === before.edges && now.rest === before.rest) return;
      if (draft.inConflict) return;
      setSaving((state) => ({ ...state, state: 'unsaved' }));
      saveSoon();
    });
  }, [draft, readOnly, save]);

  useEffect(() => () => void save(), [save]);

  useEffect(() => {
    if (saving.state !== 'failed' || !PASSING.has(saving.why?.status ?? null)) return;
    const again = setTimeout(() => void save(), RETRY_AFTER_MS);
    return () => clearTimeout(again);
  }, [saving, save]);

  return {
    saving,
    outrun,
    forgetOutrun: () => setOutrun(null),
    save,
    keepMine: () => choose(() => {}),
    takeTheirs: () => choose(({ visual }) => replaceDrawing(readDrawing(visual))),
    hasEdits: () => isEdited(draft),
    discard: () => {
      loadDrawing(readDrawing(blueprint.visual));
      draft.base = baseOf(blueprint);
      draft.inConflict = false;
    },
  };
}

/**
 * Stores the drawing over the version it rests on. A newer version of the same drawing, after a rename or a stop, is no
 * conflict, and neither is what was sent from here.
 */
async function store(
  id: string,
  visual: Drawn,
  version: number,
  mine: ReadonlySet<string | null>,
): Promise<Blueprint> {
  try {
    return await replaceVersion(id, visual, version);
  } catch (error) {
    if (readProblem(error).status !== PRECONDITION_FAILED) throw error;
    const now = await storedNow(id);
    const text = storedText(now.visual);
    if (text === textOf(visual)) return now;
    if (!mine.has(text)) throw error;
    return replaceVersion(id, visual, now.version);
  }
}

async function replaceVersion(id: string, visual: Drawn, version: number): Promise<Blueprint> {
  const saved = await client.blueprints.update.mutate(
    { id, visual },
    { context: { ifMatch: `"v${version}"` } },
  );
  return { ...saved, version: version + 1 };
}

/** Is about a deploy that has not been. */
const BEFORE_DEPLOY = 'fires_at_deploy';

/** Asks the compiler what it would say of the drawing, a moment after each edit. */
export function useValidation(id: string, isRunning: boolean): void {
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const rest = useEditor((editor) => editor.rest);
  useEffect(() => {
    const asked = new AbortController();
    const timer = setTimeout(() => {
      client.blueprints.validate
        .mutate({ id, visual: writeDrawing({ nodes, edges, rest }) }, { signal: asked.signal })
        .then(({ issues }: { issues: Issue[] }) =>
          useEditor.setState({
            issues: issues
              .filter(({ code }) => !isRunning || code !== BEFORE_DEPLOY)
              .map((issue) => ({ ...issue, message: issueWords(issue) })),
          }),
        )
        // The next edit asks again; deploying checks in any case.
        .catch(watch);
    }, CHECK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [id, isRunning, nodes, edges, rest]);
}
