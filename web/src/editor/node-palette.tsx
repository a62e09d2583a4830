import { useReactFlow } from '@xyflow/react';
import { Star } from 'lucide-react';
import { useContext, useState } from 'react';
import { type Message, msg, t } from '../language/language.ts';
import { useSettings } from '../settings/store.ts';
import { DRAG_TYPE } from './canvas/canvas.tsx';
import { bringIntoView, canvasFrame } from './canvas/use-opening-view.ts';
import { CatalogueContext } from './context.ts';
import type { NodeType } from './drawing/model.ts';
import { startingConfig } from './drawing/settings-schema.ts';
import { addNode, insertNode, useEditor } from './store.ts';

const FAVORITE = 'favorite';
const GROUP_WORDS: Readonly<Record<string, Message>> = {
  [FAVORITE]: msg('Favorites'),
  source: msg('Sources'),
  transform: msg('Transforms'),
  condition: msg('Conditions'),
  control: msg('Controls'),
  risk: msg('Risk'),
  action: msg('Actions'),
  module: msg('Modules'),
};
const groupWords = (group: string): string => t(GROUP_WORDS[group] ?? group);

const NODE_RIGHT_PX = 240;
const NOTE = 'note';

/**
 * Every node type. A press adds one after the selected node, or on the selected edge; a drag drops it anywhere, also onto an
 * edge.
 */
export function NodePalette() {
  const catalogue = useContext(CatalogueContext);
  const [find, setFind] = useState('');
  const flow = useReactFlow();
  const words = find.trim().toLowerCase();
  const found = [...catalogue.types.values()].filter(({ title, type, help }) =>
    [title, type, help].some((text) => text.toLowerCase().includes(words)),
  );
  const { favoriteNodes, set } = useSettings();
  const isFavorite = ({ type }: NodeType) => favoriteNodes.includes(type);
  const groups = Map.groupBy(
    found.toSorted((one, other) => Number(isFavorite(other)) - Number(isFavorite(one))),
    (type) => (isFavorite(type) ? FAVORITE : type.group),
  );
  const star = ({ type }: NodeType) =>
    set({
      favoriteNodes: favoriteNodes.includes(type)
        ? favoriteNodes.filter((each) => each !== type)
        : [...favoriteNodes, type],
    });
  const add = ({ type, config }: NodeType) => {
    const on = chosenEdge();
    const position = on?.position ?? positionForNew(flow);
    const settings = startingConfig(config);
    if (!on || insertNode(type, position, settings, { edgeId: on.id, catalogue }) === null)
      addNode(type, position, settings);
    bringIntoView(flow, position);
  };
  const addNote = () => {
    const position = positionForNew(flow);
    addNode(NOTE, position, {});
    bringIntoView(flow, position);
  };
  return (
    <aside className="node-palette" aria-label={t('Nodes to add')}>
      <input
        className="text-input"
        type="search"
        data-filter
        aria-label={t('Find a node')}
        placeholder={t('Find a node')}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      {[...groups].map(([group, types]) => (
        <section key={group} aria-label={groupWords(group)}>
          <h2>{groupWords(group)}</h2>
          {types.map((type) => (
            <div key={type.type} className={`row single tight ${type.group}`}>
              <button
                type="button"
                draggable
                title={type.help}
                onClick={() => add(type)}
                onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, type.type)}
              >
                {type.title}
              </button>
              <button
                type="button"
                className="star"
                aria-pressed={isFavorite(type)}
                aria-label={t('Favorite: {name}', { name: type.title })}
                onClick={() => star(type)}
              >
                <Star size={14} aria-hidden fill={isFavorite(type) ? 'currentColor' : 'none'} />
              </button>
            </div>
          ))}
        </section>
      ))}
      {[NOTE, t('Note').toLowerCase()].some((word) => word.includes(words)) ? (
        <section aria-label={t('Annotations')}>
          <h2>{t('Annotations')}</h2>
          <button type="button" title={t('Text on the canvas; it is not executed.')} onClick={addNote}>
            {t('Note')}
          </button>
        </section>
      ) : null}
    </aside>
  );
}

const INSERTED_BELOW_PX = 110;

/** The only selected edge, and the position of a step on it: below the middle of its ends. */
function chosenEdge(): { id: string; position: { x: number; y: number } } | null {
  const { nodes, edges, selectedEdges } = useEditor.getState();
  const edge = selectedEdges.length === 1 ? edges.find(({ id }) => id === selectedEdges[0]) : undefined;
  const [from, to] = [edge?.source, edge?.target].map((id) => nodes.find((node) => node.id === id)?.position);
  if (!edge || !from || !to) return null;
  return { id: edge.id, position: { x: (from.x + to.x) / 2, y: Math.max(from.y, to.y) + INSERTED_BELOW_PX } };
}

type Flow = ReturnType<typeof useReactFlow>;

/** To the right of the selected node, else of the last one, else in the middle of the view. */
function positionForNew(flow: Flow): { x: number; y: number } {
  const { nodes, selected } = useEditor.getState();
  const before = nodes.find(({ id }) => id === selected.at(-1)) ?? nodes.at(-1);
  if (before) return { x: before.position.x + NODE_RIGHT_PX, y: before.position.y };
  const frame = canvasFrame();
  if (!frame) return { x: 0, y: 0 };
  return flow.screenToFlowPosition({ x: frame.x + frame.width / 3, y: frame.y + frame.height / 3 });
}
