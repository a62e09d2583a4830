import { Button } from '@mantine/core';
import { type InvalidateQueryFilters, useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { isRefusal } from '../../api/problem.ts';
import { invalidate, newIdempotencyKey } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { ProblemNotice } from '../problem.tsx';

export type FormDialogProps = {
  title: string;
  action: string;
  danger?: boolean;
  /** Sends the values of the form. They are read when they are sent and stored nowhere. */
  send: (form: HTMLFormElement, idempotencyKey: string) => Promise<unknown>;
  /** Why it cannot be sent now, or null; empty if a field says it. */
  blocked?: string | null;
  onSent: () => void;
  onClose: () => void;
  children: ReactNode;
};

type Props = FormDialogProps & {
  /** The data to read again afterwards, whatever the outcome. */
  outdated: InvalidateQueryFilters;
  onRefused?: (form: HTMLFormElement | null) => void;
};

/** A form in a dialog, for values that are stored nowhere else. */
export function FormDialog(props: Props) {
  const { title, action, danger = false, send, blocked = null, outdated } = props;
  const { onRefused, onSent, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  // An entry after a refusal is a new request; any other repeats the one that may have been done.
  const idempotencyKey = useRef(newIdempotencyKey());
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const entry = useMutation({
    mutationFn: async () => {
      if (form.current) await send(form.current, idempotencyKey.current);
    },
    gcTime: 0,
    onError: (error) => {
      if (isRefusal(error)) idempotencyKey.current = newIdempotencyKey();
      onRefused?.(form.current);
    },
    onSettled: () => invalidate(outdated),
    onSuccess: () => {
      form.current?.reset();
      onSent();
      onClose();
    },
  });
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby={id} onClose={onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!entry.isPending && blocked === null) entry.mutate();
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        {entry.error ? <ProblemNotice error={entry.error} /> : null}
        {blocked ? (
          <div className="notice warn" role="status">
            {blocked}
          </div>
        ) : null}
        <footer>
          <Button variant="default" size="sm" onClick={() => dialog.current?.close()}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            size="sm"
            color={danger ? 'red' : 'blue'}
            loading={entry.isPending}
            disabled={blocked !== null}
          >
            {action}
          </Button>
        </footer>
      </form>
    </dialog>
  );
}
