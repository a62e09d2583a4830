import { Button } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { t } from '../language/language.ts';
import { CopyButton } from './copy.tsx';
import { LeaveGuard } from './dialogs/leave-guard.tsx';

/** A dialog that may show a secret: closing it before the secret is stored warns. */
export function useSecretDialog(isOnlyHere: boolean, onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [warned, setWarned] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const events = {
    onCancel: (event: SyntheticEvent) => {
      if (!isOnlyHere) return;
      event.preventDefault();
      setWarned(true);
    },
    // A browser lets a second Esc close it without asking.
    onClose: () => {
      if (!isOnlyHere) return onClose();
      dialog.current?.showModal();
      setWarned(true);
    },
  };
  return { dialog, warned, events };
}

type LeaveProps = {
  isOnlyHere: boolean;
  /** The kind of secret: `key`, `secret`. */
  what: string;
  children: ReactNode;
};

export const LeaveWithoutSecret = ({ isOnlyHere, what, children }: LeaveProps) => (
  <LeaveGuard
    title={t('Leave without the {what}?', { what })}
    action={t('Leave without the {what}', { what })}
    isLossy={() => isOnlyHere}
    keep={async () => false}
  >
    {children}
  </LeaveGuard>
);

type RevealProps = {
  secret: string;
  what: string;
  stored: boolean;
  onStored: (stored: boolean) => void;
  /** Whether the user tried to close it before it was stored. */
  warned: boolean;
  onDrop: () => void;
  /** Why it is shown once. */
  why: ReactNode;
  /** How to use it. */
  children?: ReactNode;
};

/** Shows a secret, for the only time. */
export function RevealSecret({ secret, what, stored, onStored, warned, onDrop, why, children }: RevealProps) {
  return (
    <>
      <div className="notice warn">{why}</div>
      <div className="curl">
        <pre data-secret>{secret}</pre>
        <CopyButton text={secret} label={t('Copy {what}', { what })} />
      </div>
      {children}
      <label className="row">
        <input type="checkbox" checked={stored} onChange={(event) => onStored(event.currentTarget.checked)} />
        {t('I stored it somewhere safe')}
      </label>
      {warned && !stored ? (
        <div className="notice bad" role="alert">
          <div className="row apart">
            {t('Once this is closed, the {what} is not shown again.', { what })}
            <Button variant="default" onClick={onDrop}>
              {t('Close without the {what}', { what })}
            </Button>
          </div>
        </div>
      ) : null}
    </>
  );
}

type FootProps = {
  isVisible: boolean;
  stored: boolean;
  onClose: () => void;
  /** For a dialog without fields: a key pressed too often has no effect. */
  isCancelFirst?: true;
  /** The button that asks for the secret. */
  children: ReactNode;
};

/** The foot of a dialog that may show a secret: it closes once the secret is stored. */
export const SecretFoot = ({ isVisible, stored, onClose, isCancelFirst, children }: FootProps) => (
  <footer>
    {isVisible ? (
      <Button size="sm" disabled={!stored} onClick={onClose}>
        {t('Done')}
      </Button>
    ) : (
      <>
        <Button variant="default" size="sm" autoFocus={isCancelFirst ?? false} onClick={onClose}>
          {t('Cancel')}
        </Button>
        {children}
      </>
    )}
  </footer>
);
