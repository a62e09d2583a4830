import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { changeAccount, PASSWORD_MIN } from '../api/session.ts';
import { trpc } from '../api/trpc.ts';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { ActionForm } from '../ui/dialogs/action-form.tsx';
import { TextField } from '../ui/fields/text-field.tsx';

/** Resets a forgotten password: sends a mail, and sets a new password with the mail's token. */
export function ResetPasswordPage() {
  // After `#`, so that it is sent to no server; removed from the address once it is read.
  const [token] = useState(() => location.hash.slice(1));
  return (
    <main className="auth" id="main">
      <div className="panel auth-card">
        <div className="row">
          <img src="/icon.svg" alt="" width={28} height={28} />
          <h1>{token === '' ? t('Forgot the password?') : t('Set a new password')}</h1>
        </div>
        {token === '' ? <AskForMail /> : <NewPassword token={token} />}
        <p className="dim">
          <Link to="/sign-in">{t('Back to sign in')}</Link>
        </p>
      </div>
    </main>
  );
}

function AskForMail() {
  const id = useId();
  const [isRequested, setRequested] = useState(false);
  const { data: signInOptions } = useQuery({
    ...trpc.console.entrance.queryOptions({}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!signInOptions) return null;
  if (!signInOptions.mail) {
    return (
      <p className="plain">
        <Trans
          message="This service sends no mail. Its operator can set a new password for you: ask them to run {code}."
          values={{ code: <code>npm run user:reset-password</code> }}
        />
      </p>
    );
  }
  if (isRequested) {
    return (
      <p className="plain" role="status">
        {t('If there is an account with this address, a mail is on its way. Its link opens for 30 minutes.')}
      </p>
    );
  }
  return (
    <>
      <p className="plain dim">
        {t(
          'Enter the address of your account. A mail brings a link to set a new password; until then the old one works.',
        )}
      </p>
      <ActionForm
        action={t('Send me a link')}
        send={(read) => changeAccount('request-password-reset', { email: read('email').trim() })}
        onSent={() => setRequested(true)}
      >
        <TextField id={id} name="email" type="email" label={t('E-mail')} autoComplete="email" required />
      </ActionForm>
    </>
  );
}

function NewPassword({ token }: { token: string }) {
  const id = useId();
  const [isSet, setSet] = useState(false);
  if (isSet) {
    return (
      <p className="plain" role="status">
        {t('The new password holds, and every session has ended. Sign in with it.')}
      </p>
    );
  }
  return (
    <ActionForm
      action={t('Set the password')}
      send={(read) => changeAccount('reset-password', { token, newPassword: read('password') })}
      onSent={() => {
        history.replaceState(null, '', location.pathname);
        setSet(true);
      }}
    >
      <TextField
        id={id}
        name="password"
        type="password"
        label={t('New password')}
        autoComplete="new-password"
        minLength={PASSWORD_MIN}
        required
        hint={t('At least {passwordMin} characters.', { passwordMin: PASSWORD_MIN })}
      />
    </ActionForm>
  );
}
