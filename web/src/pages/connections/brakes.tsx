import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client, readAgain, trpc } from '../../api/trpc.ts';
import { type Connection, environmentWords } from '../../format/connection.ts';
import { counted } from '../../format/number.ts';
import { venueTitle } from '../../format/venue.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { ConnectionStateMark } from '../../ui/status.tsx';

type Props = { connection: Connection; onClose: () => void };

const refresh = () => {
  readAgain(trpc.venueConnections.pathFilter());
  readAgain(trpc.console.activity.pathFilter());
};

/** What is to happen to one connection, and what that means. */
type DecisionProps = Props & {
  title: string;
  action: string;
  danger?: boolean;
  typeToConfirm?: string;
  done: string;
  act: (idempotencyKey: string) => Promise<unknown>;
  children: ReactNode;
};

function Decision({ connection, onClose, act, done, children, ...words }: DecisionProps) {
  const decide = useMutation({
    mutationFn: act,
    onSettled: refresh,
    onSuccess: () => {
      notifications.show({ message: done });
      onClose();
    },
  });
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
        <dt>Account</dt>
        <dd>
          {venueTitle(venue)}, {environmentWords(environment).toLowerCase()}
        </dd>
        <dt>State</dt>
        <dd>
          <ConnectionStateMark state={state} />
        </dd>
        {children}
      </dl>
    </ConfirmDialog>
  );
}

/** The brake: at once and without typing. */
export function HaltDialog({ to, ...props }: Props & { to: 'halted' | 'reduce_only' }) {
  const { id, label } = props.connection;
  const isWhole = to === 'halted';
  return (
    <Decision
      {...props}
      title={isWhole ? `Halt “${label}”?` : `Stop entries through “${label}”?`}
      action={isWhole ? 'Halt it now' : 'Stop entries now'}
      danger
      done={isWhole ? `“${label}” is halted.` : `Entries through “${label}” are stopped.`}
      act={(idempotencyKey) =>
        client.venueConnections.halt.mutate({ id, to }, { context: { idempotencyKey } })
      }
    >
      <dt>Effect</dt>
      <dd>
        {isWhole
          ? 'At once: no buy and no sell leaves through it, only cancels, until you resume it.'
          : 'At once: no buy leaves through it; sells and cancels do, until you resume it.'}
      </dd>
      <dt>Stays</dt>
      <dd>Orders that rest at the venue, and what is held. “Cancel all orders” ends the first.</dd>
    </Decision>
  );
}

export function ResumeDialog(props: Props) {
  const { id, label } = props.connection;
  return (
    <Decision
      {...props}
      title={`Resume “${label}”?`}
      action="Check it and resume"
      done={`“${label}” is checked again.`}
      act={(idempotencyKey) => client.venueConnections.resume.mutate({ id }, { context: { idempotencyKey } })}
    >
      <dt>Effect</dt>
      <dd>
        Every check is made again. It is ready once all are green, and strategies that run then buy again.
      </dd>
    </Decision>
  );
}

export function CancelAllDialog(props: Props) {
  const { id, label } = props.connection;
  return (
    <Decision
      {...props}
      title={`Cancel every order at ${venueTitle(props.connection.venue)} through “${label}”?`}
      action="Cancel every order there"
      danger
      done={`Every order of “${label}” is being canceled.`}
      act={(idempotencyKey) =>
        client.venueConnections.cancelAll.mutate({ id }, { context: { idempotencyKey } })
      }
    >
      <dt>Effect</dt>
      <dd>
        The venue is asked to end every open order of the account, until its list is empty.{' '}
        <strong>That includes orders that you or another program placed there without this service.</strong>
      </dd>
      <dt>Stays</dt>
      <dd>What is held. New orders too: halt the connection first to keep them from leaving.</dd>
    </Decision>
  );
}

export function RemoveDialog(props: Props) {
  const { id, label } = props.connection;
  return (
    <Decision
      {...props}
      title={`Remove “${label}”?`}
      action={`Remove “${label}”`}
      danger
      typeToConfirm={label}
      done={`“${label}” is removed.`}
      act={() => client.venueConnections.remove.mutate({ id })}
    >
      <dt>Effect</dt>
      <dd>For good: its credentials are forgotten, and nothing leaves through it again.</dd>
      <dt>Stays</dt>
      <dd>
        Its orders and fills in the books, and what is held at the venue, which this service cannot sell any
        more. Revoke the key at the venue too.
      </dd>
    </Decision>
  );
}

type EveryProps = { connections: readonly Connection[]; onClose: () => void };

/** Every connection at once. One that cannot be halted keeps none of the others from it. */
export function HaltAllDialog({ connections, onClose }: EveryProps) {
  const going = connections.filter(({ state }) => state !== 'halted');
  return (
    <EveryDecision
      connections={going}
      onClose={onClose}
      title={`Halt ${counted(going.length, 'connection')}?`}
      action={going.length === 1 ? 'Halt it now' : 'Halt all now'}
      done="Every connection is halted."
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
      At once: no buy and no sell leaves through them, only cancels. Orders that rest at a venue stay, and so
      does what is held.
    </EveryDecision>
  );
}

/** Every order at every venue, in one act. */
export function CancelEverywhereDialog({ connections, onClose }: EveryProps) {
  return (
    <EveryDecision
      connections={connections}
      onClose={onClose}
      title={`Cancel every order at ${counted(connections.length, 'connection')}?`}
      action="Cancel every order everywhere"
      done="Every order is being canceled at every venue."
      act={(idempotencyKey) =>
        client.venueConnections.cancelEverywhere.mutate({}, { context: { idempotencyKey } })
      }
    >
      Each venue is asked to end every open order of the account, until its list is empty.{' '}
      <strong>That includes orders that you or another program placed there without this service.</strong>{' '}
      What is held stays. New orders too: halt all first to keep them from leaving.
    </EveryDecision>
  );
}

type EveryDecisionProps = EveryProps & {
  title: string;
  action: string;
  done: string;
  act: (idempotencyKey: string) => Promise<unknown>;
  children: ReactNode;
};

function EveryDecision({ connections, onClose, title, action, done, act, children }: EveryDecisionProps) {
  const decide = useMutation({
    mutationFn: act,
    onSettled: refresh,
    onSuccess: () => {
      notifications.show({ message: done });
      onClose();
    },
  });
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
