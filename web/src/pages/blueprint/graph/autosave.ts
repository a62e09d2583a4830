import { useCallback, useEffect, useRef, useState } from 'react';
import { readProblem } from '../../../api/problem.ts';
import { client, queryClient, trpc } from '../../../api/trpc.ts';
import { type Issue, readDrawing, writeDrawing } from './model.ts';
import { loadDrawing, useEditor } from './store.ts';

const SAVE_AFTER_MS = 1_500;
const CHECK_AFTER_MS = 500;

export type Saving = {
  state: 'saved' | 'unsaved' | 'saving' | 'failed';
  at: Date | null;
  why: string | null;
};

type Drawn = ReturnType<typeof writeDrawing>;
const drawnNow = (): Drawn => writeDrawing(useEditor.getState());

/**
 * Keeps the editor and the stored draft alike: edits are saved by themselves a moment after the last one; a drawing
 * that changed on the server is taken over while nothing here is unsaved.
 */
export function useAutosave(id: string, visual: unknown, readOnly: boolean) {
  const [saving, setSaving] = useState<Saving>({ state: 'saved', at: null, why: null });
  const saved = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const stored = JSON.stringify(visual);
  useEffect(() => {
    const drawing = readDrawing(JSON.parse(stored));
    const text = JSON.stringify(writeDrawing(drawing));
    if (saved.current === text) return;
    const mine = saved.current !== null && JSON.stringify(drawnNow()) !== saved.current;
    if (mine) return;
    saved.current = text;
    loadDrawing(drawing);
  }, [stored]);

  const save = useCallback(async () => {
    clearTimeout(timer.current);
    const drawn = drawnNow();
    const text = JSON.stringify(drawn);
    if (saved.current === null || text === saved.current) return;
    setSaving((now) => ({ ...now, state: 'saving' }));
    try {
      const blueprint = await client.blueprints.update.mutate({ id, visual: drawn });
      saved.current = text;
      queryClient.setQueryData(trpc.blueprints.read.queryKey({ id }), blueprint);
      setSaving({ state: 'saved', at: new Date(), why: null });
    } catch (error) {
      setSaving((now) => ({ ...now, state: 'failed', why: readProblem(error).message }));
    }
  }, [id]);

  useEffect(() => {
    if (readOnly) return;
    const stop = useEditor.subscribe((now, before) => {
      if (now.steps === before.steps && now.wires === before.wires && now.rest === before.rest) return;
      if (JSON.stringify(drawnNow()) === saved.current) return;
      setSaving((state) => ({ ...state, state: 'unsaved' }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), SAVE_AFTER_MS);
    });
    return () => {
      stop();
      void save();
    };
  }, [readOnly, save]);
  return { saving, save };
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
