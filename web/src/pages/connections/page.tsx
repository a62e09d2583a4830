import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { OctagonX, Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { type Outputs, trpc } from '../../api/trpc.ts';
import { credentialFields } from '../../format/credential-fields.ts';
import { type Connection, environmentWords, isInUse } from '../../format/trading/connection.ts';
import { type VenueName, venueTitle } from '../../format/trading/venue.ts';
import { Mark } from '../../instruments/mark.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { useDialogFromAddress } from '../../ui/use-dialog-from-address.ts';
import { ConnectDialog } from './connect.tsx';
import { type ConnectionAct, ConnectionPanel } from './connection.tsx';
import {
  CancelAllDialog,
  CancelEverywhereDialog,
  HaltAllDialog,
  HaltDialog,
  RemoveDialog,
  ResumeDialog,
} from './control-dialogs.tsx';
import { LimitsDialog } from './limits.tsx';
import { ReplaceCredentialsDialog } from './replace-credentials.tsx';
import './connections.css';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';

type Open =
  | { what: 'connect'; venue?: VenueName }
  | { what: 'halt-all' }
  | { what: 'cancel-everywhere' }
  | { what: ConnectionAct; id: string };
type Connecting = Outputs['console']['connecting'];

export function ConnectionsPage() {
  const connections = useQuery(trpc.venueConnections.list.queryOptions({}));
  const connecting = useQuery({ ...trpc.console.connecting.queryOptions({}), staleTime: 60_000 });
  const [open, setOpen] = useState<Open | null>(null);
  const connect = useCallback(
    (venue?: VenueName) => setOpen({ what: 'connect', ...(venue && { venue }) }),
    [],
  );
  useDialogFromAddress(
    'new',
    useCallback(() => connect(), [connect]),
  );
  const close = () => setOpen(null);
  const used = connections.data?.filter(isInUse) ?? [];
  const removed = connections.data?.filter((each) => !isInUse(each)) ?? [];
  const going = used.filter(({ state }) => state !== 'halted');
  const canConnect = connecting.data?.keepsCredentials === true;
  return (
    <div className="page">
      <PageHead title={t('Connections')}>
        {used.length > 0 ? (
          <Button
            color="red"
            leftSection={<OctagonX size={14} aria-hidden />}
            disabled={going.length === 0}
            title={going.length === 0 ? t('Every connection is halted.') : undefined}
            onClick={() => setOpen({ what: 'halt-all' })}
          >
            {t('Halt all…')}
          </Button>
        ) : null}
        {used.length > 0 ? (
          <Button variant="default" color="red" onClick={() => setOpen({ what: 'cancel-everywhere' })}>
            {t('Cancel everywhere…')}
          </Button>
        ) : null}
        <Button
          variant={used.length > 0 ? 'default' : 'filled'}
          leftSection={<Plus size={14} aria-hidden />}
          disabled={!canConnect}
          onClick={() => connect()}
        >
          {t('New connection')}
        </Button>
      </PageHead>
      {connecting.data ? <SetUp connecting={connecting.data} /> : null}
      <PendingRows query={connections} rows={5} height={44} />
      {connections.data && used.length === 0 ? (
        <NothingYet venues={connecting.data?.venues ?? []} onConnect={canConnect ? connect : null} />
      ) : null}
      {used.map((connection) => (
        <ConnectionPanel
          key={connection.id}
          connection={connection}
          onAct={(what) => setOpen({ what, id: connection.id })}
        />
      ))}
      {removed.length > 0 ? (
        <details>
          <summary>{t('Removed ({removed})', { removed: removed.length })}</summary>
          <div className="stack">
            {removed.map((connection) => (
              <ConnectionPanel key={connection.id} connection={connection} onAct={() => {}} />
            ))}
          </div>
        </details>
      ) : null}
      {open && connecting.data ? (
        <Dialog open={open} connections={used} connecting={connecting.data} onClose={close} />
      ) : null}
    </div>
  );
}

type DialogProps = {
  open: Open;
  connections: readonly Connection[];
  connecting: Connecting;
  onClose: () => void;
};

function Dialog({ open, connections, connecting, onClose }: DialogProps) {
  if (open.what === 'connect')
    return <ConnectDialog venues={connecting.venues} first={open.venue} onClose={onClose} />;
  if (open.what === 'halt-all') return <HaltAllDialog connections={connections} onClose={onClose} />;
  if (open.what === 'cancel-everywhere')
    return <CancelEverywhereDialog connections={connections} onClose={onClose} />;
  const connection = connections.find(({ id }) => id === open.id);
  if (!connection) return null;
  const props = { connection, onClose };
  switch (open.what) {
    case 'halt':
      return <HaltDialog to="halted" {...props} />;
    case 'entries':
      return <HaltDialog to="reduce_only" {...props} />;
    case 'resume':
      return <ResumeDialog {...props} />;
    case 'cancel-all':
      return <CancelAllDialog {...props} />;
    case 'remove':
      return <RemoveDialog {...props} />;
    case 'limits':
      return <LimitsDialog {...props} />;
    case 'rotate':
      return <ReplaceCredentialsDialog venues={connecting.venues} {...props} />;
  }
}

/** The operator's steps before any trading here. */
function SetUp({ connecting: { isLiveOn, keepsCredentials } }: { connecting: Connecting }) {
  if (isLiveOn && keepsCredentials) return null;
  return (
    <div className="notice warn" role="note">
      <strong>{isLiveOn ? t('This service keeps no credentials.') : t('Live trading is off.')}</strong>
      <span>
        {isLiveOn ? (
          <Trans
            message="Nothing can be connected until an operator has set {keys}, the keys that credentials are sealed with, and starts the service again."
            values={{ keys: <code>CREDENTIAL_KEYS</code> }}
          />
        ) : keepsCredentials ? (
          <Trans
            message="Connections can be looked at and stopped, and nothing is traded through them. An operator switches it on with {setting} and starts the service again."
            values={{ setting: <code>LIVE_TRADING=on</code> }}
          />
        ) : (
          <Trans
            message="Connections can be looked at and stopped, and nothing is traded through them. An operator switches it on with {setting} and {keys}, the keys that credentials are sealed with, and starts the service again."
            values={{ setting: <code>LIVE_TRADING=on</code>, keys: <code>CREDENTIAL_KEYS</code> }}
          />
        )}
      </span>
    </div>
  );
}

type NothingYetProps = {
  venues: Connecting['venues'];
  onConnect: ((venue: VenueName) => void) | null;
};

/** The venues that can be connected, each with what it takes. */
const NothingYet = ({ venues, onConnect }: NothingYetProps) => (
  <>
    <EmptyState
      title={t('No account at a venue is connected')}
      why={t(
        'Orders with real money leave through your account at a venue. Use an API key that can trade and cannot withdraw.',
      )}
    />
    <div className="grid-3">
      {venues.map(({ venue, environments, credentials }) => (
        <Panel
          key={venue}
          title={
            <>
              <Mark name={venueTitle(venue)} />
              {venueTitle(venue)}
            </>
          }
          actions={environments.map((each) => (
            <span key={each} className="chip">
              {environmentWords(each)}
            </span>
          ))}
        >
          <div className="stack">
            <span className="dim small">
              {t('Needs: {fields}', {
                fields: credentialFields(credentials)
                  .filter(({ kind }) => kind !== 'tick')
                  .map(({ title }) => title)
                  .join(', '),
              })}
            </span>
            <div>
              <Button variant="default" disabled={!onConnect} onClick={() => onConnect?.(venue)}>
                {t('Connect to {venue}…', { venue: venueTitle(venue) })}
              </Button>
            </div>
          </div>
        </Panel>
      ))}
    </div>
  </>
);
