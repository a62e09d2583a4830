import { ActionIcon } from '@mantine/core';
import { Bell } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { t } from '../language/language.ts';
import { useLive } from '../live/store.ts';

type Props = Pick<ComponentPropsWithRef<'button'>, 'ref' | 'onClick' | 'onPointerEnter'>;

/** Has a dot while there are events that the user has not seen. */
export function BellButton(props: Props) {
  const isUnseen = useLive(({ hasUnseen }) => hasUnseen);
  return (
    <ActionIcon
      {...props}
      className="bell"
      aria-label={isUnseen ? t('What happened last: something new') : t('What happened last')}
      aria-haspopup="dialog"
    >
      <Bell size={18} aria-hidden />
      {isUnseen ? <i className="dot" /> : null}
    </ActionIcon>
  );
}
