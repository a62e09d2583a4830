import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { isRefusal } from '../../api/problem.ts';
import { client, invalidate, newIdempotencyKey, trpc } from '../../api/trpc.ts';
import { readQuietHours, readSwitches } from '../../format/notifications/notification-form.ts';
import type { ChannelKind, NotificationOptions } from '../../format/notifications/notification-words.ts';
import { CHANNEL_WORDS } from '../../generated/service.ts';
import { t } from '../../language/language.ts';
import { LabelField, readLabel } from '../../ui/fields/label-field.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { SecretFoot, useSecretDialog } from '../../ui/secret.tsx';
import { ChannelPreferenceFields } from './channel-preference-fields.tsx';
import { DestinationFields, readDestination } from './destination-fields.tsx';
import { LeaveWithoutSigningSecret, SigningSecret } from './signing-secret.tsx';

/** The kinds that a form adds: those that need no program of one's own come first. */
const USUAL_FIRST = (Object.keys(CHANNEL_WORDS) as ChannelKind[])
  .filter((kind) => CHANNEL_WORDS[kind].fields.length > 0)
  .reverse();

type Props = { options: NotificationOptions; onClose: () => void };

/** Asks for a new channel, and shows the secret of a webhook once, in the same dialog. */
export function AddDialog({ options, onClose }: Props) {
  const id = useId();
  const kinds = USUAL_FIRST.filter((each) => options.channels.includes(each));
  const [kind, setKind] = useState<ChannelKind>(kinds[0] ?? 'webhook');
  const [stored, setStored] = useState(false);
  // An entry after a refusal is a new request; any other repeats the one that may have been done.
  const idempotencyKey = useRef(newIdempotencyKey());
  const add = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const data = new FormData(form);
      const wanted = {
        kind,
        label: readLabel(form),
        ...readDestination(data, kind),
        switches: readSwitches(data, options.kinds),
        quietHours: readQuietHours(data),
      };
      return client.notifications.create.mutate(wanted, {
        context: { idempotencyKey: idempotencyKey.current },
      });
    },
    gcTime: 0,
    onError: (error) => {
      if (isRefusal(error)) idempotencyKey.current = newIdempotencyKey();
    },
    onSettled: () => invalidate(trpc.notifications.pathFilter()),
    onSuccess: ({ label, secret }) => {
      if (secret !== null) return;
      notifications.show({ message: t('“{label}” is added. Send it a test.', { label }) });
      onClose();
    },
  });
  const secret = add.data?.secret ?? null;
  const isOnlyHere = secret !== null && !stored;
  const { dialog, warned, events } = useSecretDialog(isOnlyHere, onClose);
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby={`${id}-title`} {...events}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!add.isPending && secret === null) add.mutate(event.currentTarget);
        }}
      >
        <h2 id={`${id}-title`}>
          {secret === null ? t('New channel') : t('Secret of “{label}”', { label: add.data?.label ?? '' })}
        </h2>
        {secret === null ? (
          <>
            <KindChoice kinds={kinds} kind={kind} onKind={setKind} />
            <LabelField />
            <DestinationFields key={kind} kind={kind} emails={options.emails} />
            <details>
              <summary>{t('What it receives, and when')}</summary>
              <div className="stack">
                <ChannelPreferenceFields kinds={options.kinds} />
              </div>
            </details>
            {add.error ? <ProblemNotice error={add.error} /> : null}
          </>
        ) : (
          <SigningSecret
            secret={secret}
            stored={stored}
            onStored={setStored}
            warned={warned}
            onDrop={onClose}
          />
        )}
        <SecretFoot isVisible={secret !== null} stored={stored} onClose={() => dialog.current?.close()}>
          <Button type="submit" size="sm" loading={add.isPending}>
            {t('Add channel')}
          </Button>
        </SecretFoot>
      </form>
      <LeaveWithoutSigningSecret isOnlyHere={isOnlyHere} />
    </dialog>
  );
}

type KindChoiceProps = {
  kinds: readonly ChannelKind[];
  kind: ChannelKind;
  onKind: (kind: ChannelKind) => void;
};

const KindChoice = ({ kinds, kind, onKind }: KindChoiceProps) => (
  <fieldset className="choices">
    <legend className="small legend">{t('Where')}</legend>
    <div className="channel-kinds">
      {kinds.map((each) => (
        <label key={each} className="choice">
          <input type="radio" name="kind" checked={each === kind} onChange={() => onKind(each)} />
          {t(CHANNEL_WORDS[each].title)}
        </label>
      ))}
    </div>
    <span className="hint">{t(CHANNEL_WORDS[kind].help)}</span>
  </fieldset>
);
