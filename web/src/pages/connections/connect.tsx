import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { client, trpc } from '../../api/trpc.ts';
import { environmentWords } from '../../format/trading/connection.ts';
import { venueTitle } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { LabelField, readLabel } from '../../ui/fields/label-field.tsx';
import { CredentialsFields, fillIn, PasswordField, readSecrets, type VenueAccess } from './credentials.tsx';
import { LimitFields, readLimits } from './limit-fields.tsx';
import { PasswordFormDialog } from './password-form-dialog.tsx';

type Environment = VenueAccess['environments'][number];
type Props = {
  venues: readonly VenueAccess[];
  /** The venue that is chosen at first. */
  first: VenueAccess['venue'] | undefined;
  onClose: () => void;
};

/** Asks for a venue account: the venue, its credentials, the limits of the connection, and the password again. */
export function ConnectDialog({ venues, first = venues[0]?.venue, onClose }: Props) {
  const id = useId();
  const [venue, setVenue] = useState(first);
  const [chosen, setEnvironment] = useState<Environment>('demo');
  const access = venues.find((each) => each.venue === venue);
  const demos = useQuery({ ...trpc.console.demoConnections.queryOptions({}), staleTime: 60_000 });
  if (!access) return null;
  const environment = access.environments.find((each) => each === chosen) ?? access.environments[0] ?? 'demo';
  const demo = demos.data?.find((each) => each.venue === venue && each.environment === environment);
  const send = async (form: HTMLFormElement, idempotencyKey: string) => {
    const isEligible = new FormData(form).has('isEligible');
    const wanted = {
      venue: access.venue,
      environment,
      label: readLabel(form),
      isEligible,
      ...readLimits(form),
    };
    // The venue's schema decides the credentials; the service validates them with it.
    const secrets = readSecrets(form, access) as Pick<
      Parameters<typeof client.venueConnections.create.mutate>[0],
      'credentials' | 'password'
    >;
    await client.venueConnections.create.mutate({ ...wanted, ...secrets }, { context: { idempotencyKey } });
  };
  return (
    <PasswordFormDialog
      title={t('Connect an account')}
      action={t('Connect')}
      send={send}
      onSent={() => notifications.show({ message: t('Connected. Its checks are being made.') })}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor={`${id}-venue`}>{t('Venue')}</label>
        <select
          id={`${id}-venue`}
          className="text-input"
          value={venue}
          onChange={(event) =>
            setVenue(venues.find((each) => each.venue === event.currentTarget.value)?.venue)
          }
        >
          {venues.map((each) => (
            <option key={each.venue} value={each.venue}>
              {venueTitle(each.venue)}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-environment`}>{t('Environment')}</label>
        <select
          id={`${id}-environment`}
          className="text-input"
          value={environment}
          onChange={(event) =>
            setEnvironment(
              access.environments.find((each) => each === event.currentTarget.value) ?? environment,
            )
          }
        >
          {access.environments.map((each) => (
            <option key={each} value={each}>
              {environmentWords(each)}
            </option>
          ))}
        </select>
        <span className={environment === 'live' ? 'hint warn' : 'hint'}>
          {environment === 'live'
            ? t('Orders through it cost real money.')
            : t('The venue’s own test system: nothing there is worth anything.')}
        </span>
      </div>
      <LabelField />
      {demo ? (
        <div className="notice">
          {t(
            'This service has simulated venues of its own: nothing there is real, and no key of yours is needed.',
          )}
          <div>
            <Button
              variant="default"
              onClick={(event) => {
                const { form } = event.currentTarget;
                fillIn(form, { label: demo.label });
                fillIn(form, demo.credentials);
              }}
            >
              {t('Use a demo account')}
            </Button>
          </div>
        </div>
      ) : null}
      <CredentialsFields access={access} />
      <p className="plain dim small">
        {t(
          'Make a key that may trade but not withdraw, best on an account that nothing else trades on. It is sealed on arrival and never shown again, not even to you.',
        )}
      </p>
      <details open={environment === 'live'}>
        <summary>{t('Limits of this connection')}</summary>
        <LimitFields />
      </details>
      {environment === 'live' ? (
        <label className="row eligible">
          <input type="checkbox" name="isEligible" required />
          {t('The account is mine, and I may trade at this venue from where I live. That I said so is kept.')}
        </label>
      ) : null}
      <PasswordField />
    </PasswordFormDialog>
  );
}
