import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useId, useState } from 'react';
import { encode } from 'uqr';
import { changeAccount, type User } from '../../api/session.ts';
import { invalidate, trpc } from '../../api/trpc.ts';
import { msg, t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ActionForm } from '../../ui/dialogs/action-form.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusMark, type StatusStyle } from '../../ui/status.tsx';
import { CurrentPassword } from './password.tsx';

const ON: StatusStyle = { word: msg('On'), tone: 'ok', icon: ShieldCheck };
const OFF: StatusStyle = { word: msg('Off'), tone: 'idle', icon: ShieldOff };

type SetUp = { totpURI: string; backupCodes: string[] };
type Step = { is: 'resting' } | { is: 'setting-up'; setUp: SetUp } | { is: 'showing'; codes: string[] };

/** An authenticator's code in addition to the password. Secrets here are shown once. */
export function TwoFactorPanel({ user: { twoFactorEnabled } }: { user: User }) {
  const [step, setStep] = useState<Step>({ is: 'resting' });
  const rest = () => setStep({ is: 'resting' });
  return (
    <Panel title={t('Two-factor sign-in')} actions={<StatusMark statusStyle={twoFactorEnabled ? ON : OFF} />}>
      {step.is === 'setting-up' ? (
        <SettingUp setUp={step.setUp} onDone={rest} />
      ) : step.is === 'showing' ? (
        <div className="stack">
          <RecoveryCodes codes={step.codes} />
          <div>
            <Button size="sm" onClick={rest}>
              {t('I stored them')}
            </Button>
          </div>
        </div>
      ) : twoFactorEnabled ? (
        <WhileOn onCodes={(codes) => setStep({ is: 'showing', codes })} />
      ) : (
        <WhileOff onSetUp={(setUp) => setStep({ is: 'setting-up', setUp })} />
      )}
    </Panel>
  );
}

function WhileOff({ onSetUp }: { onSetUp: (setUp: SetUp) => void }) {
  const id = useId();
  return (
    <ActionForm
      action={t('Set up two-factor…')}
      send={async (read) =>
        onSetUp((await changeAccount('two-factor/enable', { password: read('password') })) as SetUp)
      }
    >
      <p className="plain dim">
        {t(
          'Sign-in asks for the password and for a code of an authenticator app. A sign-in with GitHub or Google is checked there.',
        )}
      </p>
      <CurrentPassword id={id} name="password" />
    </ActionForm>
  );
}

function SettingUp({ setUp: { totpURI, backupCodes }, onDone }: { setUp: SetUp; onDone: () => void }) {
  const id = useId();
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  return (
    <ActionForm
      action={t('Turn on two-factor')}
      send={(read) => changeAccount('two-factor/verify-totp', { code: read('code').replaceAll(' ', '') })}
      onSent={() => {
        invalidate(trpc.console.sessions.pathFilter());
        notifications.show({ message: t('Two-factor is on. The next sign-in asks for a code.') });
        onDone();
      }}
    >
      <strong>{t('1. Scan this with your authenticator app')}</strong>
      <QrCode text={totpURI} />
      <span className="small dim">
        <Trans message="Or type this key: {code}" values={{ code: <code className="wrap">{secret}</code> }} />
        <CopyButton text={secret} label={t('Copy the key')} />
      </span>
      <strong>{t('2. Store the recovery codes')}</strong>
      <RecoveryCodes codes={backupCodes} />
      <strong>{t('3. Enter the code the app shows')}</strong>
      <CodeField id={id} />
      <div>
        <Button variant="default" size="sm" onClick={onDone}>
          {t('Not now')}
        </Button>
      </div>
    </ActionForm>
  );
}

const CodeField = ({ id }: { id: string }) => (
  <TextField
    id={id}
    name="code"
    label={t('Code')}
    inputMode="numeric"
    autoComplete="one-time-code"
    pattern="[0-9 ]{6,8}"
    maxLength={8}
    required
    hint={t('Six digits. Sign-in asks for no code before this one was right.')}
  />
);

function WhileOn({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const id = useId();
  return (
    <div className="stack">
      <p className="plain dim">
        {t('Every sign-in by password asks for a code. A recovery code stands in for one, once.')}
      </p>
      <ActionForm
        action={t('Make new recovery codes')}
        send={async (read) => {
          const answer = await changeAccount('two-factor/generate-backup-codes', {
            password: read('password'),
          });
          onCodes((answer as Pick<SetUp, 'backupCodes'>).backupCodes);
        }}
      >
        <CurrentPassword id={`${id}-codes`} name="password" />
      </ActionForm>
      <ActionForm
        action={t('Turn off two-factor')}
        danger
        send={(read) => changeAccount('two-factor/disable', { password: read('password') })}
        onSent={() => {
          invalidate(trpc.console.sessions.pathFilter());
          notifications.show({ message: t('Two-factor is off. The password alone signs in.') });
        }}
      >
        <CurrentPassword id={`${id}-off`} name="password" />
      </ActionForm>
    </div>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n');
  return (
    <div className="stack tight">
      <span className="small dim">
        {t(
          'Each works once where the app is not at hand. They are shown now and never again; new ones end the old.',
        )}
      </span>
      <div className="curl">
        <pre data-recovery-codes>{text}</pre>
        <CopyButton text={text} label={t('Copy the recovery codes')} />
      </div>
    </div>
  );
}

const QR_PX = 200;
/** Four empty modules around a code, so that cameras find it. */
const QUIET = 4;

function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: QUIET });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={t('The key as a QR code; below it is the same in letters')}
      width={QR_PX}
      height={QR_PX}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
