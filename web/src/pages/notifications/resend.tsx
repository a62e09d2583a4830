import { notifications } from '@mantine/notifications';
import { useId } from 'react';
import { serviceMs } from '../../api/clock.ts';
import { client, trpc } from '../../api/trpc.ts';
import type { Channel } from '../../format/notifications/notification-words.ts';
import { t } from '../../language/language.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { DateField } from '../../ui/fields/date-field.tsx';

const HOUR_MS = 3_600_000;
/** The value of the page's field, in UTC. */
const fieldOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

/** Sends all notifications of a span again, for a receiver that lost them. */
export function ResendDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const id = useId();
  const send = async (form: HTMLFormElement, idempotencyKey: string) => {
    const data = new FormData(form);
    const instant = (name: string) => `${data.get(name)}:00Z`;
    const { queued } = await client.notifications.replaySpan.mutate(
      { id: channel.id, from: instant('from'), to: instant('to') },
      { context: { idempotencyKey } },
    );
    notifications.show({
      message: t(
        '{queued, plural, one {# notification} other {# notifications}} of that time go to “{label}” again.',
        { queued, label: channel.label },
      ),
    });
  };
  return (
    <FormDialog
      title={t('Send again to “{label}”', { label: channel.label })}
      action={t('Send again')}
      send={send}
      outdated={trpc.notifications.pathFilter()}
      onSent={() => {}}
      onClose={onClose}
    >
      <p className="plain">
        {t(
          'Everything of that time that its switches let through, oldest first, under the same ids: a program that keeps ids passes over what it knows. 1,000 at most, and none older than 30 days.',
        )}
      </p>
      {(['from', 'to'] as const).map((name) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{name === 'from' ? t('From, UTC') : t('To, UTC')}</label>
          <DateField
            id={`${id}-${name}`}
            name={name}
            type="datetime-local"
            required
            defaultValue={fieldOf(serviceMs() + (name === 'from' ? -HOUR_MS : 60_000))}
          />
        </div>
      ))}
    </FormDialog>
  );
}
