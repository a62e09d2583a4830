import { Button } from '@mantine/core';
import { useContext } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { CatalogueContext } from './context.ts';
import { configOf, isNote, labelOf, type Step } from './drawing/model.ts';
import { EDITOR_KEYS } from './editor-keys.ts';
import { InputPorts } from './input-ports.tsx';
import { explain } from './mark.ts';
import { SchemaForm } from './schema-form.tsx';
import { configure, duplicateSelected, relabel, remove, useEditor } from './store.ts';

/**
 * Everything about the chosen step: settings made from the catalogue's schema, connections, and what is wrong. As a rail
 * it is there always; else only when there is something to say, and leaves its room to the drawing.
 */
export function Inspector({ readOnly, isRail }: { readOnly: boolean; isRail: boolean }) {
  const selected = useEditor((editor) => editor.selected);
  const step = useEditor((editor) =>
    editor.selected.length === 1 ? editor.steps.find(({ id }) => id === editor.selected[0]) : undefined,
  );
  if (!step && !isRail) return null;
  return (
    <aside className="inspector" aria-label="Inspector" tabIndex={readOnly || !step ? 0 : -1}>
      {step ? (
        <StepInspector key={step.id} step={step} readOnly={readOnly} />
      ) : (
        <Hints count={selected.length} />
      )}
    </aside>
  );
}

function Hints({ count }: { count: number }) {
  return (
    <div className="stack">
      <p className="dim" style={{ margin: 0 }}>
        {count > 1 ? `${count} steps are selected.` : 'Select a step to see what it does.'}
      </p>
      <div className="stack hide-small" style={{ gap: 6 }}>
        {EDITOR_KEYS.map(({ keys, what }) => (
          <div key={keys}>
            <kbd>{keys}</kbd>
            <div className="dim small">{what}</div>
          </div>
        ))}
      </div>
    </div>
  );
}

function StepInspector({ step, readOnly }: { step: Step; readOnly: boolean }) {
  const catalogue = useContext(CatalogueContext);
  const type = catalogue.get(step.type);
  const state = useEditor((editor) => editor.states[step.id]);
  const issues = useEditor(useShallow((editor) => editor.issues.filter(({ nodeId }) => nodeId === step.id)));
  return (
    <div className="stack" data-subject={step.id}>
      <div>
        <h2>{labelOf(step, catalogue)}</h2>
        <span className="dim small">
          {type?.title ?? step.type} · <code>{step.id}</code>
        </span>
      </div>
      {type ? <p style={{ margin: 0 }}>{type.help}</p> : null}
      {!type && !isNote(step.type) ? (
        <div className="notice bad">
          There is no step of type “{step.type}”. Deploying is refused while it is here.
        </div>
      ) : null}
      {issues.map(({ code, path, message, severity }) => (
        <div key={code + path} className={`notice ${severity === 'error' ? 'bad' : 'warn'}`}>
          {message}
        </div>
      ))}
      {state ? (
        <div className="notice" style={{ whiteSpace: 'pre-line' }}>
          {explain(state)}
        </div>
      ) : null}
      <div className="field">
        <label htmlFor="step-label">{isNote(step.type) ? 'Text' : 'Name'}</label>
        <input
          id="step-label"
          className="text-input"
          disabled={readOnly}
          maxLength={isNote(step.type) ? 500 : 60}
          placeholder={type?.title}
          value={typeof step.data.label === 'string' ? step.data.label : ''}
          onChange={(event) => relabel(step.id, event.currentTarget.value)}
        />
      </div>
      {type ? (
        <>
          <SchemaForm
            schema={type.config}
            config={configOf(step)}
            readOnly={readOnly}
            onChange={(config, name) => configure(step.id, name, config)}
          />
          <InputPorts step={step} type={type} readOnly={readOnly} />
        </>
      ) : null}
      {readOnly ? null : (
        <div className="row">
          <Button variant="default" onClick={duplicateSelected}>
            Duplicate
          </Button>
          <Button variant="default" onClick={() => remove(new Set([step.id]))}>
            Delete
          </Button>
        </div>
      )}
    </div>
  );
}
