import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm.tsx';

type GuardProps = {
  /** The question. */
  title: string;
  action: string;
  /** Whether data would be lost now. */
  isLossy: () => boolean;
  /** Tries to save it before the page is left; returns whether nothing will be lost. */
  keep: () => Promise<boolean>;
  onLeave?: () => void;
  children: ReactNode;
};

/** Asks before unsaved data is lost, however the page is left: by a link, Back, a reload, or a closed tab. */
export function LeaveGuard({ title, action, isLossy, keep, onLeave, children }: GuardProps) {
  const { status, proceed, reset } = useBlocker({
    // A session that ended leads to the sign-in without a question.
    shouldBlockFn: async ({ current, next }) =>
      next.pathname !== current.pathname && next.pathname !== '/sign-in' && isLossy() && !(await keep()),
    enableBeforeUnload: isLossy,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={title}
      action={action}
      danger
      pending={false}
      error={null}
      onConfirm={() => {
        onLeave?.();
        proceed();
      }}
      onClose={reset}
    >
      <p className="plain">{children}</p>
    </ConfirmDialog>
  );
}
