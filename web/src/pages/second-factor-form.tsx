import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { submitCode } from '../api/session.ts';
import { t } from '../language/language.ts';
import { ActionForm } from '../ui/dialogs/action-form.tsx';
import { TextField } from '../ui/fields/text-field.tsx';

/** Asks for the authenticator's code, or a recovery code, after the correct password. */
export function SecondFactorForm({
  onEntered,
  onBack,
}: {
  onEntered: () => Promise<void>;
  onBack: () => void;
}) {
  const id = useId();
  const [isRecovery, setRecovery] = useState(false);
  return (
    <main className="auth" id="main">
      <div>
        <div className="row">
          <img src="/icon.svg" alt="" width={28} height={28} />
          <h1>{isRecovery ? t('Enter a recovery code') : t('Enter your code')}</h1>
        </div>
        <ActionForm
          key={String(isRecovery)}
          action={t('Sign in')}
          send={async (read) => {
            await submitCode(read('code').replaceAll(' ', ''), isRecovery);
            await onEntered();
          }}
        >
          <TextField
            id={id}
            name="code"
            label={isRecovery ? t('Recovery code') : t('Code')}
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoComplete={isRecovery ? 'off' : 'one-time-code'}
            maxLength={isRecovery ? 20 : 8}
            required
            hint={
              isRecovery
                ? t('One of the ten you stored. It works once.')
                : t('The six digits your authenticator app shows now.')
            }
          />
        </ActionForm>
        <p className="row">
          <Button variant="subtle" size="sm" onClick={() => setRecovery(!isRecovery)}>
            {isRecovery ? t('Use the app') : t('Use a recovery code')}
          </Button>
          <Button variant="subtle" size="sm" onClick={onBack}>
            {t('Start again')}
          </Button>
        </p>
        <p className="dim small">{t('Without both, the operator of this service can help.')}</p>
      </div>
    </main>
  );
}
