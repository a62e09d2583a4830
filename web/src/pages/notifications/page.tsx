import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import type { Channel, NotificationOptions } from '../../format/notifications/notification-words.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { useDialogFromAddress } from '../../ui/use-dialog-from-address.ts';
import { AddDialog } from './add.tsx';
import { BrowserPushSwitch } from './browser-push-switch.tsx';
import { type ChannelAct, ChannelPanel } from './channel.tsx';
import { EditDialog } from './edit.tsx';
import { DeliveryLog } from './log.tsx';
import { readSubscription } from './push.ts';
import { RemoveDialog } from './remove.tsx';
import { ResendDialog } from './resend.tsx';
import { RotateSecretDialog } from './rotate-signing-secret.tsx';

const REFRESH_MS = 15_000;

type Open = { what: 'add' } | { what: ChannelAct; id: string };

/** The channels that notify the account while no page is open. */
export function NotificationsPage() {
  const options = useQuery({ ...trpc.notifications.options.queryOptions({}), staleTime: 60_000 });
  const list = useQuery({ ...trpc.notifications.list.queryOptions({}), refetchInterval: REFRESH_MS });
  const here = useQuery({
    queryKey: ['push-subscription'],
    queryFn: readSubscription,
    networkMode: 'always',
  });
  const [open, setOpen] = useState<Open | null>(null);
  const add = useCallback(() => setOpen({ what: 'add' }), []);
  useDialogFromAddress('new', add);
  const close = () => setOpen(null);
  const channels = list.data;
  const isHere = ({ kind, target }: Channel) => kind === 'push' && target === here.data?.hint;
  const failed = [list, options].find(({ error, data }) => error && !data);
  return (
    <div className="page">
      <PageHead title={t('Notifications')}>
        <Button leftSection={<Plus size={14} aria-hidden />} disabled={!options.data} onClick={add}>
          {t('New channel')}
        </Button>
      </PageHead>
      {failed ? <ProblemNotice error={failed.error} retry={() => void failed.refetch()} /> : null}
      {!failed && !(channels && options.data) ? <RowSkeleton rows={5} height={44} /> : null}
      {channels && options.data ? (
        <>
          <NothingSealed options={options.data} />
          <BrowserPushSwitch
            options={options.data}
            channel={channels.find(isHere)}
            onChanged={() => void here.refetch()}
          />
          {channels.length === 0 ? <NothingYet onAdd={add} /> : null}
          {channels.map((channel) => (
            <ChannelPanel
              key={channel.id}
              channel={channel}
              isHere={isHere(channel)}
              onAct={(what) => setOpen({ what, id: channel.id })}
            />
          ))}
          {channels.length > 0 ? <DeliveryLog channels={channels} kinds={options.data.kinds} /> : null}
          {open ? <Dialog open={open} channels={channels} options={options.data} onClose={close} /> : null}
        </>
      ) : null}
    </div>
  );
}

type DialogProps = {
  open: Open;
  channels: readonly Channel[];
  options: NotificationOptions;
  onClose: () => void;
};

function Dialog({ open, channels, options, onClose }: DialogProps) {
  if (open.what === 'add') return <AddDialog options={options} onClose={onClose} />;
  const channel = channels.find(({ id }) => id === open.id);
  if (!channel) return null;
  switch (open.what) {
    case 'edit':
      return <EditDialog channel={channel} options={options} onClose={onClose} />;
    case 'rotate':
      return <RotateSecretDialog channel={channel} onClose={onClose} />;
    case 'replay':
      return <ResendDialog channel={channel} onClose={onClose} />;
    case 'remove':
      return <RemoveDialog channel={channel} onClose={onClose} />;
  }
}

/** The operator's steps before most kinds of channels can be added. */
const NothingSealed = ({ options: { channels } }: { options: NotificationOptions }) =>
  channels.includes('webhook') ? null : (
    <div className="notice warn" role="note">
      <strong>{t('This service keeps no secrets.')}</strong>
      <span>
        <Trans
          message="Webhooks, chats and browsers work once an operator has set {code}, the keys that secrets are sealed with, and restarts the service."
          values={{ code: <code>CREDENTIAL_KEYS</code> }}
        />
      </span>
    </div>
  );

const NothingYet = ({ onAdd }: { onAdd: () => void }) => (
  <EmptyState
    title={t('No channels yet')}
    why={t(
      'An order that waits for approval expires after 15 minutes. A channel tells you of it, and of fills, denials, errors and limits, wherever you are: by e-mail, in a chat, in your browser, or to a program of yours.',
    )}
    action={<Button onClick={onAdd}>{t('Add a channel')}</Button>}
    command={curl('POST', '/api/notification-channels', {
      kind: 'webhook',
      label: t('Desk'),
      url: 'https://desk.example.com/hook',
    })}
  />
);
