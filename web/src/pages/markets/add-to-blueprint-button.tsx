import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../language/language.ts';
import { onDemand } from '../../ui/help/on-demand.tsx';

const UseMenu = onDemand<{ tokenId: string }>(
  async () => (await import('./add-to-blueprint-menu.tsx')).AddToBlueprintMenu,
  () => <Button loading>{t('Use in a strategy…')}</Button>,
);

/** The button; its menu loads on first use. */
export function AddToBlueprintButton({ tokenId }: { tokenId: string }) {
  const [isOpened, setOpened] = useState(false);
  if (isOpened) return <UseMenu tokenId={tokenId} />;
  return (
    <Button
      aria-haspopup="menu"
      onPointerEnter={() => void UseMenu.preload()}
      onClick={() => setOpened(true)}
    >
      {t('Use in a strategy…')}
    </Button>
  );
}
