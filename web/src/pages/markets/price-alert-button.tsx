import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../language/language.ts';
import { onDemand } from '../../ui/help/on-demand.tsx';
import type { PriceAlertProps } from './price-alert-dialog.tsx';

const Dialog = onDemand<PriceAlertProps>(
  async () => (await import('./price-alert-dialog.tsx')).PriceAlertDialog,
);

/** The button; its dialog loads on first use. */
export function PriceAlertButton(market: Omit<PriceAlertProps, 'onClose'>) {
  const [isOpened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        onPointerEnter={() => void Dialog.preload()}
        onClick={() => setOpened(true)}
      >
        {t('Price alert…')}
      </Button>
      {isOpened ? <Dialog {...market} onClose={() => setOpened(false)} /> : null}
    </>
  );
}
