import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client, invalidate, trpc } from '../../api/trpc.ts';
import { type Connection, environmentWords } from '../../format/trading/connection.ts';
import { venueTitle } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { ConnectionStateMark } from '../../ui/status.tsx';

type Props = { connection: Connection; onClose: () => void };

const refresh = () => {
  invalidate(trpc.venueConnections.pathFilter());
  invalidate(trpc.console.activity.pathFilter());
};

type Act = { act: (idempotencyKey: string) => Promise<unknown>; done: string; onClose: () => void };

const useDecision = ({ act, done, onClose }: Act) =>
  useMutation({
    mutationFn: act,
    onSettled: refresh,
    onSuccess: () => {
      notifications.show({ message: done });
      onClose();
    },
  });

/** The new state of one connection, and its effect. */
type DecisionProps = Props &
  Act & {
    title: string;
    action: string;
    danger?: boolean;
    typeToConfirm?: string;
    children: ReactNode;
  };

function Decision({ connection, onClose, act, done, children, ...words }: DecisionProps) {
  const decide = useDecision({ act, done, onClose });
  const { venue, environment, state } = connection;
  return (
    <ConfirmDialog
      {...words}
      pending={decide.isPending}
      error={decide.error}
      onConfirm={(key) => decide.mutate(key)}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>{t('Account')}</dt>
        <dd>
          {venueTitle(venue)}, {environmentWords(environment).toLowerCase()}
        </dd>
        <dt>{t('State')}</dt>
        <dd>
          <ConnectionStateMark state={state} />
        </dd>
        {children}
      </dl>
    </ConfirmDialog>
  );
}

/** Halts at once and without typing. */
export function HaltDialog({ to, ...props }: Props & { to: 'halted' | 'reduce_only' }) {
  const { id, label } = props.connection;
  const isWhole = to === 'halted';
  return (
    <Decision
      {...props}
      title={isWhole ? t('Halt “{label}”?', { label }) : t('Stop entries through “{label}”?', { label })}
      action={isWhole ? t('Halt it now') : t('Stop entries now')}
      danger
      done={
        isWhole
          ? t('“{label}” is halted.', { label })
          : t('Entries through “{label}” are stopped.', { label })
      }
      act={(idempotencyKey) =>
        client.venueConnections.halt.mutate({ id, to }, { context: { idempotencyKey } })
      }
    >
      <dt>{t('Effect')}</dt>
      <dd>
        {isWhole
          ? t('At once: no buy and no sell leaves through it, only cancels, until you resume it.')
          : t('At once: no buy leaves through it; sells and cancels do, until you resume it.')}
      </dd>
      <dt>{t('Stays')}</dt>
      <dd>{t('Orders that rest at the venue, and what is held. “Cancel all orders” ends the first.')}</dd>
    </Decision>
  );
}

export function ResumeDialog(props: Props) {
  const { id, label } = props.connection;
  return (
    <Decision
      {...props}
      title={t('Resume “{label}”?', { label })}
      action={t('Check it and resume')}
      done={t('“{label}” is checked again.', { label })}
      act={(idempotencyKey) => client.venueConnections.resume.mutate({ id }, { context: { idempotencyKey } })}
    >
      <dt>{t('Effect')}</dt>
      <dd>
        {t(
          'Every check is made again. It is ready once all are green, and strategies that run then buy again.',
        )}
      </dd>
    </Decision>
  );
}

export function CancelAllDialog(props: Props) {
  const { id, label } = props.connection;
  return (
    <Decision
      {...props}
      title={t('Cancel every order at {venue} through “{label}”?', {
        venue: venueTitle(props.connection.venue),
        label,
      })}
      action={t('Cancel every order there')}
      danger
      done={t('Every order of “{label}” is being canceled.', { label })}
      act={(idempotencyKey) =>
        client.venueConnections.cancelAll.mutate({ id }, { context: { idempotencyKey } })
      }
    >
      <dt>{t('Effect')}</dt>
      <dd>
        <Trans
          message="The venue is asked to end every open order of the account, until its list is empty. <strong>That includes orders that you or another program placed there without this service.</strong>"
          tags={{ strong: <strong /> }}
        />
      </dd>
      <dt>{t('Stays')}</dt>
      <dd>{t('What is held. New orders too: halt the connection first to keep them from leaving.')}</dd>
    </Decision>
  );
}

export function RemoveDialog(props: Props) {
  const { id, label } = props.connection;
  return (
    <Decision
      {...props}
      title={t('Remove “{label}”?', { label })}
      action={t('Remove “{label}”', { label })}
      danger
      typeToConfirm={label}
      done={t('“{label}” is removed.', { label })}
      act={() => client.venueConnections.remove.mutate({ id })}
    >
      <dt>{t('Effect')}</dt>
      <dd>{t('For good: its credentials are forgotten, and nothing leaves through it again.')}</dd>
      <dt>{t('Stays')}</dt>
      <dd>
        {t(
          'Its orders and fills in the books, and what is held at the venue, which this service cannot sell any more. Revoke the key at the venue too.',
        )}
      </dd>
    </Decision>
  );
}

type EveryProps = { connections: readonly Connection[]; onClose: () => void };

/** Halts every connection. A failure of one does not stop the others. */
export function HaltAllDialog({ connections, onClose }: EveryProps) {
  const going = connections.filter(({ state }) => state !== 'halted');
  return (
    <EveryDecision
      connections={going}
      onClose={onClose}
      title={t('Halt {going, plural, one {# connection} other {# connections}}?', { going: going.length })}
      action={going.length === 1 ? t('Halt it now') : t('Halt all now')}
      done={t('Every connection is halted.')}
      act={async (idempotencyKey) => {
        const results = await Promise.allSettled(
          going.map(({ id }) =>
            client.venueConnections.halt.mutate(
              { id },
              { context: { idempotencyKey: `${idempotencyKey}.${id}` } },
            ),
          ),
        );
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      }}
    >
      {t(
        'At once: no buy and no sell leaves through them, only cancels. Orders that rest at a venue stay, and so does what is held.',
      )}
    </EveryDecision>
  );
}

/** Cancels every order at every venue, in one act. */
export function CancelEverywhereDialog({ connections, onClose }: EveryProps) {
  return (
    <EveryDecision
      connections={connections}
      onClose={onClose}
      title={t('Cancel every order at {connections, plural, one {# connection} other {# connections}}?', {
        connections: connections.length,
      })}
      action={t('Cancel every order everywhere')}
      done={t('Every order is being canceled at every venue.')}
      act={(idempotencyKey) =>
        client.venueConnections.cancelEverywhere.mutate({}, { context: { idempotencyKey } })
      }
    >
      <Trans
        message="Each venue is asked to end every open order of the account, until its list is empty. <strong>That includes orders that you or another program placed there without this service.</strong> What is held stays. New orders too: halt all first to keep them from leaving."
        tags={{ strong: <strong /> }}
      />
    </EveryDecision>
  );
}

type EveryDecisionProps = EveryProps & Act & { title: string; action: string; children: ReactNode };

function EveryDecision({ connections, onClose, title, action, done, act, children }: EveryDecisionProps) {
  const decide = useDecision({ act, done, onClose });
  return (
    <ConfirmDialog
      title={title}
      action={action}
      danger
      pending={decide.isPending}
      error={decide.error}
      onConfirm={(key) => decide.mutate(key)}
      onClose={onClose}
    >
      <ul className="plain-list tall">
        {connections.map(({ id, label, venue }) => (
          <li key={id}>
            {label} <span className="dim">· {venueTitle(venue)}</span>
          </li>
        ))}
      </ul>
      <p className="plain">{children}</p>
    </ConfirmDialog>
  );
}
