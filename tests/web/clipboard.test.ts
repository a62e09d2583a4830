import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatClipboard, parseClipboard } from '../../web/src/editor/drawing/clipboard.ts';
import { groupsOf } from '../../web/src/editor/drawing/groups.ts';
import { readGraph } from '../../web/src/editor/drawing/json.ts';

const VISUAL = {
  nodes: [
    { id: 'a', type: 'constant', position: { x: 0, y: 0 }, data: { config: { value: 1 } } },
    { id: 'b', type: 'constant', position: { x: 0, y: 90 }, data: { config: { value: 2 } } },
    { id: 'c', type: 'compare', position: { x: 300, y: 0 }, data: { config: { op: 'gt' } } },
  ],
  edges: [{ id: 'e', source: 'a', target: 'c', sourceHandle: 'out', targetHandle: 'a' }],
  groups: [{ id: 'g', name: 'Inputs', color: 'blue', nodes: ['a', 'b'] }],
};

test('nodes copied as text are pasted as they were, with their edges and groups', () => {
  const { nodes, edges, rest } = readGraph(VISUAL);
  const clip = { nodes, edges, groups: groupsOf({ nodes, rest }), modules: {} };
  expect(parseClipboard(formatClipboard(clip))).toEqual(clip);
});

test('the graphs of the documents are pasted as they stand', () => {
  const graphs = ['docs/strategies.md', 'README.md'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\{$.*?^\}$/gms)]
      .map(([text]) => text)
      .filter((text) => text.includes('"nodes"')),
  );
  expect(graphs.length).toBeGreaterThan(1);
  for (const text of graphs) expect(parseClipboard(text)?.nodes.length, text).toBeGreaterThan(3);
});

test('a whole strategy of the API is pasted too; any other text is not', () => {
  expect(parseClipboard(JSON.stringify({ name: 'Mine', visual: VISUAL }))?.nodes).toHaveLength(3);
  for (const text of [
    '',
    'words',
    '{',
    '{}',
    '[]',
    '{"nodes":[]}',
    '{"nodes":1,"edges":[]}',
    '{"visual":null}',
  ])
    expect(parseClipboard(text), text).toBeNull();
  expect(parseClipboard(`{"nodes":[{"id":"${'a'.repeat(300_000)}"}],"edges":[]}`)).toBeNull();
});
