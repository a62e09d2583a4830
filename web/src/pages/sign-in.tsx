import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ROOT } from '../api/here.ts';
import { signIn, signInWith, signUp } from '../api/session.ts';
import { trpc } from '../api/trpc.ts';
import { modeWords } from '../format/mode.ts';
import { priceWords } from '../ui/prices.tsx';

const PASSWORD_MIN = 12;

export const SignInPage = () => <CredentialsForm way="in" />;
export const SignUpPage = () => <CredentialsForm way="up" />;

const WORDS = {
  in: { title: 'Sign in', other: 'No account yet?', otherLink: 'Sign up' },
  up: { title: 'Create an account', other: 'Already have an account?', otherLink: 'Sign in' },
} as const;

const PROVIDER_TITLE: Readonly<Record<string, string>> = { github: 'GitHub', google: 'Google' };

const providerRefusal = (code: string): string =>
  code === 'signup_disabled'
    ? 'There is no account for this sign-in, and new ones are made by the operator of this service.'
    : `Signing in there did not work (${code}). Try again, or use e-mail and password.`;

/** What a new account trades with. */
const mode = modeWords('paper');

/** Only a path of this site: a link cannot send a person elsewhere after signing in. */
const safeNext = (next: string | undefined): string => (next && /^\/(?![/\\])/.test(next) ? next : '/');

function CredentialsForm({ way }: { way: 'in' | 'up' }) {
  const navigate = useNavigate();
  const { next, error: providerError } = useSearch({ strict: false });
  const { data: entrance } = useQuery({
    ...trpc.console.entrance.queryOptions({}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [refusal, setRefusal] = useState(providerError ? providerRefusal(providerError) : null);
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState(false);
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: (value) => (way === 'up' && value.trim() === '' ? 'Enter your name.' : null),
      email: (value) => (/^\S+@\S+\.\S+$/.test(value) ? null : 'This is not an e-mail address.'),
      password: (value) =>
        way === 'up' && value.length < PASSWORD_MIN
          ? `At least ${PASSWORD_MIN} characters; this has ${value.length}.`
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
  const enter = form.onSubmit(
    ({ name, email, password }) =>
      attempt(async () => {
        await (way === 'in' ? signIn({ email, password }) : signUp({ name, email, password }));
        await navigate({ href: safeNext(next) });
      }),
    // What was refused before is not what is wrong now.
    () => setRefusal(null),
  );
  const words = WORDS[way];
  return (
    <main className="auth" id="main">
      <form onSubmit={enter} noValidate>
        <div className="row">
          <img src="/icon.svg" alt="" width={28} height={28} />
          <h1>{words.title}</h1>
        </div>
        {way === 'up' ? (
          <Field id="name" label="Name" autoComplete="name" {...form.getInputProps('name')} />
        ) : null}
        <Field id="email" label="E-mail" type="email" autoComplete="email" {...form.getInputProps('email')} />
        <Field
          id="password"
          label="Password"
          type={shown ? 'text' : 'password'}
          autoComplete={way === 'in' ? 'current-password' : 'new-password'}
          hint={way === 'up' ? `At least ${PASSWORD_MIN} characters.` : undefined}
          {...form.getInputProps('password')}
        />
        <label className="row small">
          <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} />
          Show what I type
        </label>
        {refusal ? (
          <div className="notice bad" role="alert">
            {refusal}
          </div>
        ) : null}
        <Button type="submit" size="sm" loading={busy}>
          {words.title}
        </Button>
        {entrance?.providers.map((provider) => (
          <Button
            key={provider}
            variant="default"
            size="sm"
            disabled={busy}
            onClick={() => void attempt(() => signInWith(provider, ROOT + safeNext(next)))}
          >
            Continue with {PROVIDER_TITLE[provider] ?? provider}
          </Button>
        ))}
        {way === 'in' ? (
          <p className="dim small">Forgot the password? The operator of this service can set a new one.</p>
        ) : null}
        {way === 'up' || entrance?.signUp !== false ? (
          <p className="dim">
            {words.other}{' '}
            <Link to={way === 'in' ? '/sign-up' : '/sign-in'} search={next ? { next } : {}}>
              {words.otherLink}
            </Link>
          </p>
        ) : (
          <p className="dim">New accounts are made by the operator of this service.</p>
        )}
        {entrance ? (
          <p className="dim small">
            {mode.title} trading: {mode.money} at {priceWords(entrance.prices)}.
            {entrance.demo
              ? ' The demo account and its password were printed where this service was started.'
              : ''}
          </p>
        ) : null}
      </form>
    </main>
  );
}

type FieldProps = React.InputHTMLAttributes<HTMLInputElement> & {
  id: string;
  label: string;
  hint?: string | undefined;
  error?: React.ReactNode;
};

function Field({ id, label, hint, error, ...input }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="text-input"
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        {...input}
      />
      {error || hint ? (
        <span id={`${id}-note`} className={error ? 'error' : 'hint'}>
          {error || hint}
        </span>
      ) : null}
    </div>
  );
}
