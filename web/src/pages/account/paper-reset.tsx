import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, invalidate, trpc } from '../../api/trpc.ts';
import { signedUsd, usd } from '../../format/number.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { Panel } from '../../ui/panel.tsx';

/** Resets the paper money to its first amount. */
export function PaperResetPanel() {
  const [isOpen, setOpen] = useState(false);
  const reset = useMutation({
    mutationFn: () => client.console.resetPaper.mutate({}),
    onSuccess: () => setOpen(false),
    onSettled: () => invalidate(),
  });
  const { data } = reset;
  return (
    <Panel title={t('Paper account')}>
      <div className="stack">
        <p className="plain dim">
          {t(
            'Brings your paper cash back to what the account began with. What you made or lost stays written down.',
          )}
        </p>
        <div className="row">
          <Button variant="default" size="sm" onClick={() => setOpen(true)}>
            {t('Reset the paper account…')}
          </Button>
          <span role="status">
            {data
              ? t('You have {cash} in cash; {moved} was moved.', {
                  cash: usd(data.cash),
                  moved: signedUsd(data.moved),
                })
              : null}
          </span>
        </div>
      </div>
      {isOpen ? <ResetDialog reset={reset} onClose={() => setOpen(false)} /> : null}
    </Panel>
  );
}

type ResetProps = {
  reset: { isPending: boolean; error: unknown; mutate: () => void };
  onClose: () => void;
};

function ResetDialog({ reset, onClose }: ResetProps) {
  const account = useQuery({ ...trpc.console.account.queryOptions({}), staleTime: 0 });
  const blueprints = useQuery({ ...trpc.console.blueprints.queryOptions({}), staleTime: 0 });
  const running = blueprints.data?.filter(({ status }) => status === 'running' || status === 'error').length;
  const held = account.data?.openPositions;
  return (
    <ConfirmDialog
      title={t('Reset the paper account?')}
      action={t('Reset the paper account')}
      blocked={blockedBy(running, held)}
      pending={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>{t('Current cash')}</dt>
        <dd>{usd(account.data?.cash)}</dd>
        <dt>{t('Cash after the reset')}</dt>
        <dd>{t('the starting capital; the difference is booked as a transfer')}</dd>
        <dt>{t('Results')}</dt>
        <dd>
          {t('unchanged: trades, P&L, curves and statistics continue. A transfer is neither profit nor loss')}
        </dd>
        <dt>{t('Limits')}</dt>
        <dd>{t('unchanged: daily loss and drawdown count results, not transfers')}</dd>
        <dt>{t('First')}</dt>
        <dd>{t('no running strategy, no open order, no position')}</dd>
      </dl>
    </ConfirmDialog>
  );
}

function blockedBy(running: number | undefined, held: number | undefined): string | null {
  if (running === undefined || held === undefined) return t('Reading the account…');
  if (running > 0)
    return t(
      '{running, plural, one {Stop the running strategy first.} other {Stop the # running strategies first.}}',
      { running },
    );
  return held > 0
    ? t('{held, plural, one {Close the position first.} other {Close the # positions first.}}', { held })
    : null;
}
