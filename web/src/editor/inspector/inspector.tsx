import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useContext, useMemo, useReducer } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { t } from '../../language/language.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { onDemand } from '../../ui/help/on-demand.tsx';
import { focusCanvas } from '../canvas/canvas-keys.ts';
import { CatalogueContext } from '../context.ts';
import { groupsOf, selectedGroup } from '../drawing/groups.ts';
import { type Config, configOf, labelOf, type Node, type NodeType } from '../drawing/model.ts';
import { moduleOf } from '../drawing/modules/types.ts';
import { fieldsOf } from '../drawing/settings-schema.ts';
import { withSettings } from '../drawing/words.ts';
import { openModule } from '../modules/module-actions.ts';
import { configure, relabel, select, useEditor } from '../store.ts';
import { GroupPanel } from './group-panel.tsx';
import { GraphGuide } from './guide.tsx';
import { InputPorts, OutputPorts } from './input-ports.tsx';
import { InstrumentStates } from './instrument-states.tsx';
import { NodeNow } from './node-now.tsx';
import { SchemaForm } from './schema-form.tsx';
import { SelectionActions } from './selection-actions.tsx';
import { SilentStepNotice } from './silent-step-notice.tsx';

const TryPanel = onDemand<{ node: Node }>(async () => (await import('../trial/try-panel.tsx')).TryPanel);

const ParametersPanel = onDemand<{ readOnly: boolean }>(
  async () => (await import('./parameters-panel.tsx')).ParametersPanel,
);

type InspectorProps = {
  readOnly: boolean;
  shape: 'small' | 'watching' | 'editing';
  /** Whether the guide and the parameters are open while nothing is selected. */
  isGuideOpen: boolean;
};

/**
 * Everything about the selected node: settings from the catalogue's schema, edges, and faults. Beside a graph it appears only
 * with a selection, or with the guide and the parameters. On a small screen the selection overlays the graph until it is closed.
 */
export function Inspector({ readOnly, shape, isGuideOpen }: InspectorProps) {
  const selected = useEditor((editor) => editor.selected);
  const node = useEditor((editor) =>
    editor.selected.length === 1 ? editor.nodes.find(({ id }) => id === editor.selected[0]) : undefined,
  );
  if (!node && shape === 'watching') return null;
  if (shape === 'editing' && selected.length === 0 && !isGuideOpen) return null;
  const isSheet = shape === 'small' && selected.length > 0;
  return (
    <aside
      className={isSheet ? 'inspector sheet' : 'inspector'}
      aria-label={t('Inspector')}
      tabIndex={readOnly || !node ? 0 : -1}
    >
      {isSheet ? <CloseButton /> : null}
      {node ? (
        <NodeInspector key={node.id} node={node} readOnly={readOnly} />
      ) : (
        <Hints selected={selected} readOnly={readOnly} isSmall={shape === 'small'} />
      )}
    </aside>
  );
}

const CloseButton = () => (
  <button
    type="button"
    className="sheet-close"
    aria-label={t('Close')}
    onClick={() => {
      select([]);
      focusCanvas();
    }}
  >
    <X size={18} aria-hidden />
  </button>
);

type HintsProps = { selected: readonly string[]; readOnly: boolean; isSmall: boolean };

function Hints({ selected, readOnly, isSmall }: HintsProps) {
  const count = selected.length;
  return (
    <div className="stack">
      <p className="plain dim">
        {count > 1 ? t('{count} nodes are selected.', { count }) : t('Select a node to see what it does.')}
      </p>
      <ChosenGroup selected={selected} readOnly={readOnly} />
      {count > 1 && !readOnly ? <SelectionActions ids={selected} /> : null}
      {isSmall && !readOnly ? (
        <p className="plain dim">
          {t('Here nodes are connected by the lists of each; moving them by hand needs a wider screen.')}
        </p>
      ) : null}
      {readOnly ? null : <GraphGuide />}
      <ParametersPanel readOnly={readOnly} />
    </div>
  );
}

/** The group whose steps are selected, if it is one: also a single step may be. */
function ChosenGroup({ selected, readOnly }: { selected: readonly string[]; readOnly: boolean }) {
  const nodes = useEditor((editor) => editor.nodes);
  const rest = useEditor((editor) => editor.rest);
  const group = useMemo(() => selectedGroup(groupsOf({ nodes, rest }), selected), [nodes, rest, selected]);
  return group ? <GroupPanel group={group} readOnly={readOnly} /> : null;
}

/** The issue that the notice on silence explains in more detail. */
const SAID_BESIDE = 'switched_off';

/** Above two lines, the rest is folded: the settings below it are what the inspector was opened for. */
const FOLDED_ABOVE = 90;

/** Shows the help of a node; a long one is folded to its beginning. */
function NodeHelp({ type, config }: { type: NodeType; config: Config }) {
  const [isOpen, toggle] = useReducer((now) => !now, false);
  const text = withSettings(type.help, fieldsOf(type.config, config), config);
  const isLong = text.length > FOLDED_ABOVE;
  return (
    <div>
      <p className={isLong && !isOpen ? 'plain node-help' : 'plain'}>{text}</p>
      {isLong ? (
        <button type="button" className="text-button small" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? t('Less') : t('More')}
        </button>
      ) : null}
    </div>
  );
}

function NodeInspector({ node, readOnly }: { node: Node; readOnly: boolean }) {
  const catalogue = useContext(CatalogueContext);
  const type = catalogue.types.get(node.type);
  const state = useEditor((editor) => editor.states[node.id]);
  const copies = useEditor((editor) => editor.copies.get(node.id));
  const issues = useEditor(
    useShallow((editor) =>
      editor.issues.filter(({ nodeId, code }) => nodeId === node.id && code !== SAID_BESIDE),
    ),
  );
  const isNote = catalogue.notes.has(node.type);
  const isModule = moduleOf(node.type) !== null;
  return (
    <div className="stack" data-subject={node.id}>
      <div>
        <h2>{labelOf(node, catalogue)}</h2>
        <span className="dim small">
          {type?.title ?? node.type}
          {node.id === node.type ? null : (
            <>
              {' · '}
              <code>{node.id}</code>
            </>
          )}
        </span>
      </div>
      {type ? <NodeHelp type={type} config={configOf(node)} /> : null}
      {!type && !isNote ? (
        <div className="notice bad">
          {t('There is no node of type “{type}”. Deploying is refused while it is here.', {
            type: node.type,
          })}
        </div>
      ) : null}
      <SilentStepNotice id={node.id} />
      {issues.map(({ code, path, message, severity }) => (
        <div key={code + path} className={`notice ${severity === 'error' ? 'bad' : 'warn'}`}>
          {message}
        </div>
      ))}
      {isModule ? (
        <Button variant="default" onClick={() => openModule(node.id)}>
          {t('Open the module')}
        </Button>
      ) : null}
      {copies ? <InstrumentStates copies={copies} isOfModule={isModule} /> : null}
      {state && !copies ? <NodeNow node={node} state={state} isAction={type?.group === 'action'} /> : null}
      {type ? (
        <>
          <InputPorts node={node} type={type} readOnly={readOnly} />
          <SchemaForm
            schema={type.config}
            config={configOf(node)}
            readOnly={readOnly}
            onChange={(config, name) => configure(node.id, name, config)}
          />
          <OutputPorts node={node} type={type} readOnly={readOnly} />
        </>
      ) : null}
      <TextField
        id="node-label"
        label={isNote ? t('Text') : t('Name')}
        disabled={readOnly}
        maxLength={isNote ? 500 : 60}
        placeholder={type?.title}
        value={typeof node.data.label === 'string' ? node.data.label : ''}
        onChange={(event) => relabel(node.id, event.currentTarget.value)}
      />
      {type && !readOnly && !isModule ? <TryPanel node={node} /> : null}
      <ChosenGroup selected={[node.id]} readOnly={readOnly} />
      {readOnly ? null : <SelectionActions ids={[node.id]} />}
    </div>
  );
}
