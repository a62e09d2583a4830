import { notifications } from '@mantine/notifications';
import { client } from '../../api/trpc.ts';
import type { Connection } from '../../format/trading/connection.ts';
import { t } from '../../language/language.ts';
import { CredentialsFields, PasswordField, readSecrets, type VenueAccess } from './credentials.tsx';
import { PasswordFormDialog } from './password-form-dialog.tsx';

type Props = { connection: Connection; venues: readonly VenueAccess[]; onClose: () => void };

/** Replaces the credentials of a connection by others of the same account. */
export function ReplaceCredentialsDialog({
  connection: { id, venue, label, keyHint },
  venues,
  onClose,
}: Props) {
  const access = venues.find((each) => each.venue === venue);
  if (!access) return null;
  const send = async (form: HTMLFormElement, idempotencyKey: string) => {
    const secrets = readSecrets(form, access) as Omit<
      Parameters<typeof client.venueConnections.rotate.mutate>[0],
      'id'
    >;
    await client.venueConnections.rotate.mutate({ id, ...secrets }, { context: { idempotencyKey } });
  };
  return (
    <PasswordFormDialog
      title={t('Replace the key of “{label}”', { label })}
      action={t('Replace and check')}
      send={send}
      onSent={() =>
        notifications.show({ message: t('The key of “{label}” is replaced and being checked.', { label }) })
      }
      onClose={onClose}
    >
      <p className="plain">
        {t(
          'Of the same account at the venue. The key …{keyHint} is forgotten at once, and every check is made again: nothing but cancels leaves until they are green.',
          { keyHint },
        )}
      </p>
      <CredentialsFields access={access} />
      <PasswordField />
    </PasswordFormDialog>
  );
}
