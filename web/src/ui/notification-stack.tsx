import { notificationsStore } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { onDemand } from './help/on-demand.tsx';

/** Well after the first view. Code that is here shows a failure when the service is not. */
const PRELOAD_MS = 5_000;
const nothing = () => null;

const List = onDemand<object>(
  async () => (await import('./notification-list.tsx')).NotificationList,
  nothing,
  nothing,
);

/** The notifications in a corner of the window. Their code comes after the first view, or with the first of them. */
export function NotificationStack() {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const due = () => setDue(true);
    const timer = setTimeout(due, PRELOAD_MS);
    const unsubscribe = notificationsStore.subscribe(due);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, []);
  return isDue ? <List /> : null;
}
