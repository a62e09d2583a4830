import { Popover } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../language/language.ts';
import { ActivityFeed } from '../ui/activity-feed.tsx';
import { BellButton } from './bell-button.tsx';

/** The latest events, each with its link. Loads on first use, already open. */
export function RecentActivity({ onSeen }: { onSeen: () => void }) {
  const [isOpen, setIsOpen] = useState(true);
  const change = (open: boolean) => {
    setIsOpen(open);
    onSeen();
  };
  const close = () => change(false);
  return (
    <Popover
      opened={isOpen}
      onChange={change}
      position="bottom-end"
      width="min(400px, calc(100vw - 16px))"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <BellButton onClick={() => change(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown className="recent" aria-label={t('What happened last')}>
        <ActivityFeed />
        <div className="row apart">
          <Link to="/activity" onClick={close}>
            {t('All activity')}
          </Link>
          <Link to="/notifications" onClick={close}>
            {t('Notification settings')}
          </Link>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
