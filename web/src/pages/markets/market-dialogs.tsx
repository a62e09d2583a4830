import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../language/language.ts';
import { onDemand } from '../../ui/help/on-demand.tsx';
import type { PriceAlertProps } from './price-alert-dialog.tsx';

const Alert = onDemand<PriceAlertProps>(
  async () => (await import('./price-alert-dialog.tsx')).PriceAlertDialog,
);
const Ticket = onDemand<PriceAlertProps>(async () => (await import('./ticket/order-ticket.tsx')).OrderTicket);

/** The buttons of a market; their dialogs load on first use. */
export function MarketDialogs(market: Omit<PriceAlertProps, 'onClose'>) {
  const [opened, setOpened] = useState({ Dialog: null as typeof Ticket | null, count: 0 });
  const button = (label: string, Dialog: typeof Ticket) => (
    <Button
      variant="default"
      aria-haspopup="dialog"
      onPointerEnter={() => void Dialog.preload()}
      onClick={() => setOpened(({ count }) => ({ Dialog, count: count + 1 }))}
    >
      {label}
    </Button>
  );
  const { Dialog, count } = opened;
  return (
    <>
      {button(t('Trade…'), Ticket)}
      {button(t('Price alert…'), Alert)}
      {Dialog ? <Dialog key={count} {...market} onClose={() => setOpened({ Dialog: null, count })} /> : null}
    </>
  );
}
