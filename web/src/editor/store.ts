import { temporal } from 'zundo';
import { create } from 'zustand';
import type { NodeStates } from '../live/events.ts';
import {
  type Config,
  type Drawing,
  EMPTY,
  type Ends,
  type Issue,
  newId,
  type Step,
  type Wire,
  wireId,
} from './drawing/model.ts';

/** How many edits can be taken back. */
const UNDO_MAX = 200;
const PASTE_OFFSET_PX = 40;
const TYPING_PAUSE_MS = 1_500;

type Editor = Drawing & {
  /** Counts the drawings that were opened here: each is shown from its beginning, edits are not. */
  opened: number;
  /** Node states of what runs; not part of the drawing. */
  states: NodeStates;
  issues: readonly Issue[];
  selected: readonly string[];
  selectedWires: readonly string[];
  clipboard: { steps: readonly Step[]; wires: readonly Wire[] };
};

export const useEditor = create<Editor>()(
  temporal(
    (): Editor => ({
      ...EMPTY,
      opened: 0,
      states: {},
      issues: [],
      selected: [],
      selectedWires: [],
      clipboard: { steps: [], wires: [] },
    }),
    {
      limit: UNDO_MAX,
      partialize: ({ steps, wires, rest }) => ({ steps, wires, rest }),
      equality: (past, now) => past.steps === now.steps && past.wires === now.wires && past.rest === now.rest,
    },
  ),
);

/** The field that is typed in, and when it was last. */
let typing = { field: '', at: 0 };

const edit = (change: (now: Editor) => Partial<Editor>) => {
  typing = { field: '', at: 0 };
  useEditor.setState(change);
};

/** Changes a field; what is typed in it in one go is one edit. */
function editField(field: string, change: (now: Editor) => Partial<Editor>): void {
  const goesOn = typing.field === field && Date.now() - typing.at < TYPING_PAUSE_MS;
  const { pause, resume } = useEditor.temporal.getState();
  if (goesOn) pause();
  useEditor.setState(change);
  resume();
  typing = { field, at: Date.now() };
}

/** Starts with another drawing; what was done before cannot be undone into it. */
export function loadDrawing(drawing: Drawing): void {
  edit(({ opened }) => ({ ...drawing, opened: opened + 1, issues: [], selected: [], selectedWires: [] }));
  useEditor.temporal.getState().clear();
}

/** Replaces the drawing as one edit. */
export const replaceDrawing = (drawing: Drawing) =>
  edit(({ opened }) => ({ ...drawing, opened: opened + 1, selected: [], selectedWires: [] }));

export const undo = () => travel('undo');
export const redo = () => travel('redo');

function travel(way: 'undo' | 'redo'): void {
  typing = { field: '', at: 0 };
  useEditor.temporal.getState()[way]();
}

export function addStep(type: string, position: { x: number; y: number }, config: Config): string {
  const id = newId(type, new Set(useEditor.getState().steps.map((step) => step.id)));
  edit(({ steps }) => ({
    steps: [...steps, { id, type, position, data: { config } }],
    selected: [id],
  }));
  return id;
}

export const moveSteps = (places: ReadonlyMap<string, { x: number; y: number }>) =>
  edit(({ steps }) => ({
    steps: steps.map((step) => {
      const position = places.get(step.id);
      return position ? { ...step, position } : step;
    }),
  }));

export const configure = (id: string, name: string, config: Config) => changeData(id, name, { config });
export const relabel = (id: string, label: string) => changeData(id, '', { label });

const changeData = (id: string, field: string, change: Step['data']) =>
  editField(`${id} ${field}`, ({ steps }) => ({
    steps: steps.map((step) => (step.id === id ? { ...step, data: { ...step.data, ...change } } : step)),
  }));

export const connect = (ends: Ends) =>
  edit(({ wires }) => ({ wires: [...wires, { id: wireId(ends), ...ends }] }));

export const disconnect = (ids: ReadonlySet<string>) =>
  edit(({ wires }) => ({ wires: wires.filter(({ id }) => !ids.has(id)), selectedWires: [] }));

/** Deletes steps with their wires, and further wires, as one edit. */
export function remove(stepIds: ReadonlySet<string>, wireIds: ReadonlySet<string> = new Set()): void {
  if (stepIds.size + wireIds.size === 0) return;
  edit(({ steps, wires, selected }) => ({
    steps: steps.filter(({ id }) => !stepIds.has(id)),
    wires: wires.filter(
      ({ id, source, target }) => !wireIds.has(id) && !stepIds.has(source) && !stepIds.has(target),
    ),
    selected: selected.filter((id) => !stepIds.has(id)),
    selectedWires: [],
  }));
}

/** Chooses these steps, and wires, and nothing else. */
export const select = (ids: readonly string[], wireIds: readonly string[] = []) =>
  useEditor.setState(({ selected, selectedWires }) =>
    selected.join() === ids.join() && selectedWires.join() === wireIds.join()
      ? {}
      : { selected: ids, selectedWires: wireIds },
  );

/** Takes the selected steps and the wires among them. */
export function copySelected(): void {
  edit(({ steps, wires, selected }) => {
    const chosen = new Set(selected);
    return {
      clipboard: {
        steps: steps.filter(({ id }) => chosen.has(id)),
        wires: wires.filter(({ source, target }) => chosen.has(source) && chosen.has(target)),
      },
    };
  });
}

/** Puts copies beside the originals, with ids of their own. */
export function paste(): void {
  edit(({ steps, wires, clipboard }) => {
    const taken = new Set(steps.map(({ id }) => id));
    const names = new Map<string, string>();
    for (const step of clipboard.steps) {
      const id = newId(step.type, taken);
      taken.add(id);
      names.set(step.id, id);
    }
    const copies = clipboard.steps.map((step) => ({
      ...step,
      id: names.get(step.id) ?? step.id,
      position: { x: step.position.x + PASTE_OFFSET_PX, y: step.position.y + PASTE_OFFSET_PX },
    }));
    const between = clipboard.wires.map((wire) => {
      const ends = {
        source: names.get(wire.source) ?? wire.source,
        target: names.get(wire.target) ?? wire.target,
        targetHandle: wire.targetHandle,
      };
      return { ...wire, ...ends, id: wireId(ends) };
    });
    return {
      steps: [...steps, ...copies],
      wires: [...wires, ...between],
      selected: copies.map(({ id }) => id),
    };
  });
}

export function duplicateSelected(): void {
  copySelected();
  paste();
}
