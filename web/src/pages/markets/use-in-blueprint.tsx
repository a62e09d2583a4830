import { Button } from '@mantine/core';
import { useCreate } from '../blueprints/page.tsx';

/** A new draft that watches this instrument, to go on from. */
export function UseInBlueprint({ tokenId }: { tokenId: string }) {
  const create = useCreate();
  return (
    <Button
      loading={create.isPending}
      onClick={() =>
        create.mutate({
          name: `Watch ${tokenId.slice(0, 40)}`,
          visual: {
            nodes: [
              {
                id: 'price',
                type: 'market.price',
                position: { x: 0, y: 0 },
                data: { label: 'Price', config: { instrument: tokenId, field: 'mid' } },
              },
            ],
            edges: [],
          },
        })
      }
    >
      Use in a blueprint
    </Button>
  );
}
