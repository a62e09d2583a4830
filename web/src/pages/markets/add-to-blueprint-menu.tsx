import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { readProblem } from '../../api/problem.ts';
import { client, queryClient, trpc } from '../../api/trpc.ts';
import { readGraph, writeGraph } from '../../editor/drawing/json.ts';
import { EMPTY_GRAPH, type Node, newId } from '../../editor/drawing/model.ts';
import { t } from '../../language/language.ts';
import { useCreate } from '../blueprints/create.ts';

const TYPE = 'market.price';
/** The distance below the existing nodes. */
const GAP_PX = 140;

/** Adds a node that watches this instrument, to a new draft or an existing one. */
export function AddToBlueprintMenu({ tokenId }: { tokenId: string }) {
  const create = useCreate();
  const add = useAddTo(tokenId);
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const editable = blueprints.data?.filter(({ status }) => status === 'draft' || status === 'stopped') ?? [];
  const node = watching(tokenId, []);
  return (
    <Menu position="bottom-start" width={280} defaultOpened>
      <Menu.Target>
        <Button loading={create.isPending || add.isPending}>{t('Use in a strategy…')}</Button>
      </Menu.Target>
      <Menu.Dropdown className="tall-menu">
        <Menu.Item
          onClick={() =>
            create.mutate({
              name: t('Watch {tokenId}', { tokenId: tokenId.slice(0, 40) }),
              visual: writeGraph({ ...EMPTY_GRAPH, nodes: [node] }),
            })
          }
        >
          {t('New strategy')}
        </Menu.Item>
        {editable.length > 0 ? <Menu.Label>{t('Add to')}</Menu.Label> : null}
        {editable.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => add.mutate(id)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Adds the node to the stored graph and opens it; fails if the graph is edited meanwhile. */
function useAddTo(tokenId: string) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (id: string) => {
      const { visual, version } = await client.console.blueprint.query({ id });
      const graph = readGraph(visual);
      const node = watching(tokenId, graph.nodes);
      const edited = writeGraph({ ...graph, nodes: [...graph.nodes, node] });
      await client.blueprints.update.mutate(
        { id, visual: edited },
        { context: { ifMatch: `"v${version}"` } },
      );
      return { id, node: node.id };
    },
    onSuccess: async ({ id, node }) => {
      await queryClient.invalidateQueries(trpc.console.blueprint.queryFilter({ id }));
      await navigate({ to: '/blueprints/$id', params: { id }, search: { node } });
    },
    onError: (error) => notifications.show({ color: 'red', message: readProblem(error).message }),
  });
}

const watching = (tokenId: string, nodes: readonly Node[]): Node => ({
  id: newId(TYPE, new Set(nodes.map(({ id }) => id))),
  type: TYPE,
  position: {
    x: 0,
    y: nodes.length === 0 ? 0 : Math.max(...nodes.map(({ position }) => position.y)) + GAP_PX,
  },
  data: { label: t('Price'), config: { instrument: tokenId, field: 'mid' } },
});
