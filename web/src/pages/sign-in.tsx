import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { MODE_PREFIX } from '../api/page-mode.ts';
import { hasPasskeys, signInByPasskey } from '../api/passkeys.ts';
import { PASSWORD_MIN, type SignInResult, signIn, signInAsDemo, signInWith, signUp } from '../api/session.ts';
import { trpc } from '../api/trpc.ts';
import { modeWords } from '../format/mode.ts';
import { msg, t } from '../language/language.ts';
import { TextField } from '../ui/fields/text-field.tsx';
import { priceSourceWords } from '../ui/price-source.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { SignInPicture } from './sign-in-picture.tsx';

export const SignInPage = () => <CredentialsForm flow="in" />;
export const SignUpPage = () => <CredentialsForm flow="up" />;

const WORDS = {
  in: { title: msg('Sign in'), other: msg('No account yet?'), otherLink: msg('Sign up') },
  up: { title: msg('Create an account'), other: msg('Already have an account?'), otherLink: msg('Sign in') },
} as const;

const PROVIDER_TITLE: Readonly<Record<string, string>> = { github: 'GitHub', google: 'Google' };

function providerRefusal(code: string): string {
  if (code === 'account_moved') return t('Your account has moved. Press the same button once more.');
  return code === 'signup_disabled'
    ? t('There is no account for this sign-in, and new ones are made by the operator of this service.')
    : t('Signing in there did not work ({code}). Try again, or use e-mail and password.', { code });
}

/** The mode that a new account trades in. */
const mode = modeWords('paper');

/** Only a path of this site: a link cannot send a user elsewhere after signing in. */
const safeNext = (next: string | undefined): string => (next && /^\/(?![/\\])/.test(next) ? next : '/');

function CredentialsForm({ flow }: { flow: 'in' | 'up' }) {
  const navigate = useNavigate();
  const { next, error: providerError } = useSearch({ strict: false });
  const { data: signInOptions } = useQuery({
    ...trpc.console.entrance.queryOptions({}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [refusal, setRefusal] = useState(providerError ? providerRefusal(providerError) : null);
  const [busy, setBusy] = useState(false);
  const [isVisible, setVisible] = useState(false);
  const [hasSample, setHasSample] = useState(true);
  const [asksCode, setAsksCode] = useState(false);
  const goOn = () => navigate({ href: safeNext(next) });
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: (value) => (flow === 'up' && value.trim() === '' ? t('Enter your name.') : null),
      email: (value) =>
        /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value) ? null : t('This is not an e-mail address.'),
      password: (value) =>
        flow === 'up' && value.length < PASSWORD_MIN
          ? t('At least {passwordMin} characters; this has {value}.', {
              passwordMin: PASSWORD_MIN,
              value: value.length,
            })
          : null,
    },
  });
  const attempt = async (entering: () => Promise<void>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await entering();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const entered = async (result: SignInResult) => {
    if (result === 'code') setAsksCode(true);
    else await goOn();
  };
  const enter = form.onSubmit(
    ({ name, email, password }) =>
      attempt(async () => {
        await entered(
          await (flow === 'in' ? signIn({ email, password }) : signUp({ name, email, password, hasSample })),
        );
      }),
    // An earlier refusal does not apply to the present input.
    () => setRefusal(null),
  );
  const words = WORDS[flow];
  const hasDemo = flow === 'in' && signInOptions?.demoSignIn === true;
  if (asksCode) return <SecondFactorForm onEntered={goOn} onBack={() => setAsksCode(false)} />;
  return (
    <main className="auth" id="main">
      <form onSubmit={enter} noValidate>
        <div className="row">
          <img src="/icon.svg" alt="" width={28} height={28} />
          <h1>{t(words.title)}</h1>
        </div>
        {flow === 'in' ? (
          <>
            <p className="plain dim">
              {t(
                'Trading strategies as graphs: draw them, backtest them, run them on paper, then on prediction markets and crypto.',
              )}
            </p>
            <SignInPicture />
          </>
        ) : null}
        {hasDemo ? (
          <>
            <Button
              size="sm"
              disabled={busy}
              onClick={() => void attempt(async () => entered(await signInAsDemo()))}
            >
              {t('Try the demo')}
            </Button>
            <p className="plain dim small">
              {t('No account needed: everyone who tries it shares one account with paper money.')}
            </p>
          </>
        ) : null}
        {flow === 'up' ? (
          <TextField id="name" label={t('Name')} autoComplete="name" {...form.getInputProps('name')} />
        ) : null}
        <TextField
          id="email"
          label={t('E-mail')}
          type="email"
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        <TextField
          id="password"
          label={t('Password')}
          type={isVisible ? 'text' : 'password'}
          autoComplete={flow === 'in' ? 'current-password' : 'new-password'}
          hint={
            flow === 'up' ? t('At least {passwordMin} characters.', { passwordMin: PASSWORD_MIN }) : undefined
          }
          {...form.getInputProps('password')}
        />
        <label className="row small">
          <input type="checkbox" checked={isVisible} onChange={() => setVisible(!isVisible)} />
          {t('Show password')}
        </label>
        {flow === 'up' ? (
          <label className="row small">
            <input type="checkbox" checked={hasSample} onChange={() => setHasSample(!hasSample)} />
            {t('Run a small sample with paper money')}
          </label>
        ) : null}
        {refusal ? (
          <div className="notice bad" role="alert">
            {refusal}
          </div>
        ) : null}
        <Button type="submit" variant={hasDemo ? 'default' : 'filled'} size="sm" loading={busy}>
          {t(words.title)}
        </Button>
        {flow === 'in' && hasPasskeys() ? (
          <Button
            variant="default"
            size="sm"
            disabled={busy}
            onClick={() =>
              void attempt(async () => {
                await signInByPasskey();
                await goOn();
              })
            }
          >
            {t('Use a passkey')}
          </Button>
        ) : null}
        {signInOptions?.providers.map((provider) => (
          <Button
            key={provider}
            variant="default"
            size="sm"
            disabled={busy}
            onClick={() => void attempt(() => signInWith(provider, MODE_PREFIX + safeNext(next)))}
          >
            {t('Continue with {providerTitle}', { providerTitle: PROVIDER_TITLE[provider] ?? provider })}
          </Button>
        ))}
        {flow === 'in' ? (
          <p className="dim small">
            <Link to="/reset-password">{t('Forgot the password?')}</Link>
          </p>
        ) : null}
        {flow === 'up' || signInOptions?.signUp !== false ? (
          <p className="dim">
            {t(words.other)}{' '}
            <Link to={flow === 'in' ? '/sign-up' : '/sign-in'} search={next ? { next } : {}}>
              {t(words.otherLink)}
            </Link>
          </p>
        ) : (
          <p className="dim">{t('New accounts are made by the operator of this service.')}</p>
        )}
        {signInOptions ? (
          <p className="dim small">
            {t('{title} trading: {money} at {prices}.', {
              title: mode.title,
              money: mode.money,
              prices: priceSourceWords(signInOptions.prices),
            })}
            {signInOptions.demo
              ? t(' The demo account and its password were printed where this service was started.')
              : ''}
          </p>
        ) : null}
      </form>
    </main>
  );
}
