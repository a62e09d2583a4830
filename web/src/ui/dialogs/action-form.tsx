import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { ProblemNotice } from '../problem.tsx';

type ActFormProps = {
  action: string;
  danger?: boolean;
  /** Sends the values of the fields, each by its name. They are read when they are sent and stored nowhere. */
  send: (read: (name: string) => string) => Promise<unknown>;
  onSent?: () => void;
  children: ReactNode;
};

/** Fields and the button that sends them. Sent values are cleared; refused ones stay to be corrected. */
export function ActionForm({ action, danger = false, send, onSent, children }: ActFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const act = useMutation({
    mutationFn: async () => {
      const typed = new FormData(form.current ?? undefined);
      await send((name) => String(typed.get(name) ?? ''));
    },
    gcTime: 0,
    onSuccess: () => {
      form.current?.reset();
      onSent?.();
    },
  });
  return (
    <form
      ref={form}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!act.isPending) act.mutate();
      }}
    >
      {children}
      {act.error ? <ProblemNotice error={act.error} /> : null}
      <div>
        <Button type="submit" size="sm" color={danger ? 'red' : 'blue'} loading={act.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
