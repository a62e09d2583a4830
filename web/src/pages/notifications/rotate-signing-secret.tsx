import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { client, invalidate, trpc } from '../../api/trpc.ts';
import type { Channel } from '../../format/notifications/notification-words.ts';
import { t } from '../../language/language.ts';
import { ProblemNotice } from '../../ui/problem.tsx';
import { SecretFoot, useSecretDialog } from '../../ui/secret.tsx';
import { LeaveWithoutSigningSecret, SigningSecret } from './signing-secret.tsx';

/** Replaces the secret of a webhook; the previous ones also sign for one more day. */
export function RotateSecretDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const id = useId();
  const [stored, setStored] = useState(false);
  const rotate = useMutation({
    mutationFn: () => client.notifications.rotate.mutate({ id: channel.id }),
    gcTime: 0,
    onSettled: () => invalidate(trpc.notifications.pathFilter()),
  });
  const secret = rotate.data?.secret ?? null;
  const isOnlyHere = secret !== null && !stored;
  const { dialog, warned, events } = useSecretDialog(isOnlyHere, onClose);
  return (
    <dialog ref={dialog} className="confirm" role="alertdialog" aria-labelledby={id} {...events}>
      <form onSubmit={(event) => event.preventDefault()}>
        <h2 id={id}>
          {secret === null
            ? t('New secret for “{label}”?', { label: channel.label })
            : t('New secret of “{label}”', { label: channel.label })}
        </h2>
        {secret === null ? (
          <p className="plain">
            {t(
              'A new secret is made and shown once. For 24 hours every notification carries two signatures, by the new secret and by the one before, so that your program can change over without missing one.',
            )}
          </p>
        ) : (
          <SigningSecret
            secret={secret}
            stored={stored}
            onStored={setStored}
            warned={warned}
            onDrop={onClose}
          />
        )}
        {rotate.error ? <ProblemNotice error={rotate.error} /> : null}
        <SecretFoot
          isVisible={secret !== null}
          stored={stored}
          onClose={() => dialog.current?.close()}
          isCancelFirst
        >
          <Button size="sm" loading={rotate.isPending} onClick={() => rotate.mutate()}>
            {t('Make a new secret')}
          </Button>
        </SecretFoot>
      </form>
      <LeaveWithoutSigningSecret isOnlyHere={isOnlyHere} />
    </dialog>
  );
}
