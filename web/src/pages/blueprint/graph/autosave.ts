import { useCallback, useEffect, useRef, useState } from 'react';
import { readProblem } from '../../../api/problem.ts';
import { client, type Outputs, queryClient, trpc } from '../../../api/trpc.ts';
import { type Issue, readDrawing, writeDrawing } from './model.ts';
import { loadDrawing, replaceDrawing, useEditor } from './store.ts';

const SAVE_AFTER_MS = 1_500;
const CHECK_AFTER_MS = 500;
const PRECONDITION_FAILED = 412;

export type Saving = {
  /** `conflict`: the stored drawing was changed by somebody else meanwhile, and a person has to choose. */
  state: 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict';
  at: Date | null;
  why: string | null;
};

export type Autosave = {
  saving: Saving;
  /** Saves now; answers whether what is drawn here is what is stored. */
  save: () => Promise<boolean>;
  /** Ends a conflict: what is drawn here replaces what is stored now. */
  keepMine: () => Promise<boolean>;
  /** Ends a conflict: what is stored now replaces what is drawn here, as an edit that can be undone. */
  takeTheirs: () => Promise<boolean>;
};

type Blueprint = Outputs['console']['blueprint'];
type Drawn = ReturnType<typeof writeDrawing>;
/** The stored drawing that the editor started from. */
type Base = { text: string; version: number };

const drawnNow = (): Drawn => writeDrawing(useEditor.getState());
/** The same text for the same drawing, whatever order its fields come back in. */
const textOf = (visual: unknown): string => JSON.stringify(writeDrawing(readDrawing(visual)), sortFields);
const textNow = (): string => JSON.stringify(drawnNow(), sortFields);

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const baseOf = ({ visual, version }: Blueprint): Base => ({ text: textOf(visual), version });

const storedNow = (id: string): Promise<Blueprint> => client.console.blueprint.query({ id });
const show = (blueprint: Blueprint) =>
  queryClient.setQueryData(trpc.console.blueprint.queryKey({ id: blueprint.id }), blueprint);

/**
 * Keeps the editor and the stored draft alike: edits are saved by themselves a moment after the last one; a drawing
 * that changed on the server is taken over while nothing here is unsaved. Where both changed, nothing is overwritten:
 * saving stops until a person has chosen.
 */
export function useAutosave(blueprint: Blueprint, readOnly: boolean): Autosave {
  const { id, version } = blueprint;
  const [saving, setSaving] = useState<Saving>({ state: 'saved', at: null, why: null });
  const base = useRef<Base | null>(null);
  const inConflict = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const saves = useRef(Promise.resolve(true));

  const stored = JSON.stringify(blueprint.visual);
  useEffect(() => {
    const visual: unknown = JSON.parse(stored);
    const text = textOf(visual);
    if (base.current?.text !== text) {
      const mine = base.current !== null && textNow() !== base.current.text;
      if (mine) return;
      loadDrawing(readDrawing(visual));
    }
    base.current = { text, version };
  }, [stored, version]);

  const saveOnce = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current);
    if (inConflict.current) return false;
    const drawn = drawnNow();
    const text = textNow();
    if (base.current === null || text === base.current.text) return true;
    setSaving((now) => ({ ...now, state: 'saving' }));
    try {
      const saved = await store(id, drawn, base.current);
      base.current = { text, version: saved.version };
      show(saved);
      setSaving({ state: 'saved', at: new Date(), why: null });
      return true;
    } catch (error) {
      const { status, message } = readProblem(error);
      inConflict.current = status === PRECONDITION_FAILED;
      setSaving((now) => ({ ...now, state: inConflict.current ? 'conflict' : 'failed', why: message }));
      return false;
    }
  }, [id]);

  /** One after the other: each rests on what the one before has stored. */
  const save = useCallback(() => {
    saves.current = saves.current.then(saveOnce);
    return saves.current;
  }, [saveOnce]);

  const choose = async (replaced: (theirs: Blueprint) => void) => {
    try {
      const theirs = await storedNow(id);
      replaced(theirs);
      base.current = baseOf(theirs);
      inConflict.current = false;
      show(theirs);
    } catch (error) {
      setSaving((now) => ({ ...now, why: readProblem(error).message }));
      return false;
    }
    setSaving({ state: 'saved', at: new Date(), why: null });
    return save();
  };

  useEffect(() => {
    if (readOnly) return;
    const stop = useEditor.subscribe((now, before) => {
      if (now.steps === before.steps && now.wires === before.wires && now.rest === before.rest) return;
      if (inConflict.current || textNow() === base.current?.text) return;
      setSaving((state) => ({ ...state, state: 'unsaved' }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), SAVE_AFTER_MS);
    });
    return () => {
      stop();
      void save();
    };
  }, [readOnly, save]);

  return {
    saving,
    save,
    keepMine: () => choose(() => {}),
    takeTheirs: () => choose(({ visual }) => replaceDrawing(readDrawing(visual))),
  };
}

/** Stores the drawing over the one it rests on. A rename or a stop makes a new version of the same drawing: that is no conflict. */
async function store(id: string, visual: Drawn, base: Base): Promise<Blueprint> {
  try {
    return await replaceVersion(id, visual, base.version);
  } catch (error) {
    if (readProblem(error).status !== PRECONDITION_FAILED) throw error;
    const now = baseOf(await storedNow(id));
    if (now.text !== base.text) throw error;
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

/** Asks the compiler what it would say of the drawing, a moment after each edit. */
export function useValidation(id: string): void {
  const steps = useEditor((editor) => editor.steps);
  const wires = useEditor((editor) => editor.wires);
  const rest = useEditor((editor) => editor.rest);
  useEffect(() => {
    const asked = new AbortController();
    const timer = setTimeout(() => {
      client.blueprints.validate
        .mutate({ id, visual: writeDrawing({ steps, wires, rest }) }, { signal: asked.signal })
        .then(({ issues }: { issues: Issue[] }) => useEditor.setState({ issues }))
        .catch(() => {
          // The next edit asks again; deploying checks in any case.
        });
    }, CHECK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [id, steps, wires, rest]);
}
