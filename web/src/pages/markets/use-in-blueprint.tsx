import { Button } from '@mantine/core';
import { useState } from 'react';
import { onDemand } from '../../ui/on-demand.tsx';

const UseMenu = onDemand<{ tokenId: string }>(
  async () => (await import('./use-menu.tsx')).UseMenu,
  () => <Button loading>Use in a blueprint…</Button>,
);

/** The button; what it opens is loaded when it is asked for. */
export function UseInBlueprint({ tokenId }: { tokenId: string }) {
  const [asked, setAsked] = useState(false);
  if (asked) return <UseMenu tokenId={tokenId} />;
  return (
    <Button aria-haspopup="menu" onPointerEnter={() => void UseMenu.preload()} onClick={() => setAsked(true)}>
      Use in a blueprint…
    </Button>
  );
}
