import { Button } from '@mantine/core';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { CopyButton, Curl, curl } from '../../ui/copy.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';

/** A dialog that may show a secret: closing it while the secret is only there warns. */
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
    // A browser lets Esc pressed again close it without asking.
    onClose: () => {
      if (!isOnlyHere) return onClose();
      dialog.current?.showModal();
      setWarned(true);
    },
  };
  return { dialog, warned, events };
}

export const LeaveWithoutKey = ({ isOnlyHere }: { isOnlyHere: boolean }) => (
  <LeaveGuard
    title="Leave without the key?"
    action="Leave without the key"
    isLossy={() => isOnlyHere}
    keep={async () => false}
  >
    It was made and works, but it is not shown again. Store it first, or make another one later.
  </LeaveGuard>
);

type RevealProps = {
  secret: string;
  stored: boolean;
  onStored: (stored: boolean) => void;
  /** Whether somebody tried to close it before it was stored. */
  warned: boolean;
  onDrop: () => void;
};

/** The one time a secret is on a screen. */
export function Reveal({ secret, stored, onStored, warned, onDrop }: RevealProps) {
  return (
    <>
      <div className="notice warn">
        This is the only time the key is shown. Only its hash is kept; a lost key is replaced, not found
        again.
      </div>
      <div className="curl">
        <pre data-secret>{secret}</pre>
        <CopyButton text={secret} label="Copy key" />
      </div>
      <span className="small dim">Try it:</span>
      <Curl command={curl('GET', '/api/portfolio', undefined, secret)} />
      <label className="row">
        <input type="checkbox" checked={stored} onChange={(event) => onStored(event.currentTarget.checked)} />
        I stored it somewhere safe
      </label>
      {warned && !stored ? (
        <div className="notice bad" role="alert">
          <div className="row apart">
            Once this is closed, the key is not shown again.
            <Button variant="default" onClick={onDrop}>
              Close without the key
            </Button>
          </div>
        </div>
      ) : null}
    </>
  );
}
