import type { ReactNode } from 'react';
import { Curl } from './copy.tsx';

type EmptyProps = { title: string; why: ReactNode; action?: ReactNode; command?: string };

/** An empty page: its purpose, why it is empty, one button, and the same as a command. */
export function EmptyState({ title, why, action, command }: EmptyProps) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      <p>{why}</p>
      {action}
      {command ? <Curl command={command} /> : null}
    </div>
  );
}
