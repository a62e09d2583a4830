import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../language/language.ts';
import { onDemand } from '../../ui/help/on-demand.tsx';
import type { PriceAlertProps } from './price-alert-dialog.tsx';

const Alert = onDemand<PriceAlertProps>(
  async () => (await import('./price-alert-dialog.tsx')).PriceAlertDialog,
);
const Ticket = onDemand<PriceAlertProps>(async () => (await import('./ticket/order-ticket.tsx')).OrderTicket);

type MarketProps = Omit<PriceAlertProps, 'onClose'>;

/** The buttons of a market; their dialogs load on first use. */
export const MarketDialogs = (market: MarketProps) => (
  <>
    <TradeButton market={market} label={t('Trade…')} />
    <DialogButton dialog={Alert} market={market} label={t('Price alert…')} />
  </>
);

type ButtonProps = { market: MarketProps; label: ReactNode; spoken?: string };

/** Opens the ticket of an instrument. */
export const TradeButton = (props: ButtonProps) => <DialogButton dialog={Ticket} {...props} />;

function DialogButton({ dialog: Dialog, market, label, spoken }: ButtonProps & { dialog: typeof Ticket }) {
  const [opened, setOpened] = useState({ isOpen: false, count: 0 });
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        {...(spoken && { size: 'compact-sm', 'aria-label': spoken })}
        onPointerEnter={() => void Dialog.preload()}
        onClick={() => setOpened(({ count }) => ({ isOpen: true, count: count + 1 }))}
      >
        {label}
      </Button>
      {opened.isOpen ? (
        <Dialog
          key={opened.count}
          {...market}
          onClose={() => setOpened(({ count }) => ({ isOpen: false, count }))}
        />
      ) : null}
    </>
  );
}
