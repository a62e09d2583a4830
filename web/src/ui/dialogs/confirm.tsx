import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { newIdempotencyKey } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { ProblemNotice } from '../problem.tsx';

type ConfirmProps = {
  /** The question, with verb, object and amount. */
  title: string;
  /** The action of the button: verb, object, amount. */
  action: string;
  danger?: boolean;
  /** Level 3: the name that must be typed first. */
  typeToConfirm?: string | undefined;
  /** Why the action is not available now, or null. */
  blocked?: string | null;
  pending: boolean;
  error: unknown;
  /** Called once per press, always with the same key: repeating it has one effect. */
  onConfirm: (idempotencyKey: string) => void;
  onClose: () => void;
  children: ReactNode;
};

/**
 * Asks for a decision that costs something. The focus is on Cancel and Enter does not confirm; Ctrl+Enter does. It cannot be
 * switched off, and one opening is one decision, however often it is pressed.
 */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, action, danger = false, typeToConfirm, blocked = null, pending, error } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const [key] = useState(newIdempotencyKey);
  const [typed, setTyped] = useState('');
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    // The browser focuses the first field, which may be one to type in.
    cancel.current?.focus();
  }, []);

  const missing = typeToConfirm !== undefined && typed.trim() !== typeToConfirm;
  const disabled = blocked !== null || pending || missing;
  // A press is known to be pending only a moment later; a second press must not slip in before.
  const isSent = useRef(false);
  useEffect(() => {
    if (!pending || error) isSent.current = false;
  }, [pending, error]);
  const confirm = () => {
    if (disabled || isSent.current) return;
    isSent.current = true;
    props.onConfirm(key);
  };
  return (
    <dialog
      ref={dialog}
      className="confirm"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-facts`}
      onClose={props.onClose}
      onKeyDown={(event) => {
        // A key held down since before the dialog opened is no decision.
        if (event.key === 'Enter' && event.ctrlKey && !event.repeat) confirm();
        event.stopPropagation();
      }}
    >
      <form onSubmit={(event) => event.preventDefault()}>
        <h2 id={`${id}-title`}>{title}</h2>
        <div id={`${id}-facts`} className="stack">
          {props.children}
        </div>
        {typeToConfirm === undefined ? null : (
          <ConfirmWordField word={typeToConfirm} typed={typed} onTyped={setTyped} />
        )}
        {error ? <ProblemNotice error={error} /> : null}
        {blocked === null ? null : (
          <div className="notice warn" role="status">
            {blocked}
          </div>
        )}
        <footer>
          <span className="dim small hide-small start">
            <Trans
              message="{kbd} {kbd2} confirms"
              values={{ kbd: <kbd>Ctrl</kbd>, kbd2: <kbd>Enter</kbd> }}
            />
          </span>
          <Button
            ref={cancel}
            type="button"
            variant="default"
            size="sm"
            onClick={() => dialog.current?.close()}
          >
            {t('Cancel')}
          </Button>
          <Button
            type="button"
            size="sm"
            color={danger ? 'red' : 'blue'}
            loading={pending}
            disabled={disabled}
            onClick={confirm}
          >
            {action}
          </Button>
        </footer>
      </form>
    </dialog>
  );
}

type ConfirmWordProps = { word: string; typed: string; onTyped: (typed: string) => void };

/** The field for the word that has to be typed before an action with consequences. */
export function ConfirmWordField({ word, typed, onTyped }: ConfirmWordProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        <Trans message="Type {strong} to confirm" values={{ strong: <strong>{word}</strong> }} />
      </label>
      <input
        id={id}
        className="text-input"
        autoComplete="off"
        value={typed}
        onChange={(event) => onTyped(event.currentTarget.value)}
      />
    </div>
  );
}
