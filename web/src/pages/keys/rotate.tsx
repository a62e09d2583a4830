import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../api/row-types.ts';
import { client, invalidate, newIdempotencyKey, trpc } from '../../api/trpc.ts';
import { msg, t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { SecretFoot, useSecretDialog } from '../../ui/secret.tsx';
import { LeaveWithoutKey, Reveal } from './reveal.tsx';

const GRACES = [
  { sec: 0, label: msg('The old key ends now') },
  { sec: 3_600, label: msg('The old key works for one more hour') },
  { sec: 86_400, label: msg('The old key works for 24 more hours') },
] as const;

/** A new secret with the same name and scopes, and when the old one ends. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [idempotencyKey] = useState(newIdempotencyKey);
  const [graceSec, setGraceSec] = useState<number>(86_400);
  const [stored, setStored] = useState(false);
  const rotate = useMutation({
    mutationFn: () =>
      client.apiKeys.rotate.mutate({ id: apiKey.id, graceSec }, { context: { idempotencyKey } }),
    gcTime: 0,
    onSuccess: () => invalidate(trpc.agentKeys.list.pathFilter()),
  });
  const secret = rotate.data?.key;
  const isOnlyHere = secret !== undefined && !stored;
  const { dialog, warned, events } = useSecretDialog(isOnlyHere, onClose);
  return (
    <dialog ref={dialog} className="confirm" role="alertdialog" aria-labelledby="rotate-title" {...events}>
      <form onSubmit={(event) => event.preventDefault()}>
        <h2 id="rotate-title">
          {secret
            ? t('New key for “{name}”', { name: apiKey.name })
            : t('Rotate key “{name}”?', { name: apiKey.name })}
        </h2>
        {secret ? (
          <Reveal secret={secret} stored={stored} onStored={setStored} warned={warned} onDrop={onClose} />
        ) : (
          <fieldset className="choices">
            <legend className="small">
              <Trans
                message="A new key with the same scopes is created, and the old one, {code}, expires"
                values={{
                  code: (
                    <code>
                      {apiKey.start}…{apiKey.last4}
                    </code>
                  ),
                }}
              />
            </legend>
            {GRACES.map(({ sec, label }) => (
              <label key={sec} className="choice">
                <input
                  type="radio"
                  name="grace"
                  checked={graceSec === sec}
                  onChange={() => setGraceSec(sec)}
                />
                <span>{t(label)}</span>
              </label>
            ))}
          </fieldset>
        )}
        {rotate.error ? <ProblemNotice error={rotate.error} /> : null}
        <SecretFoot
          isVisible={secret !== undefined}
          stored={stored}
          onClose={() => dialog.current?.close()}
          isCancelFirst
        >
          <Button size="sm" loading={rotate.isPending} onClick={() => rotate.mutate()}>
            {t('Rotate key')}
          </Button>
        </SecretFoot>
      </form>
      <LeaveWithoutKey isOnlyHere={isOnlyHere} />
    </dialog>
  );
}
