import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { t } from '../../language/language.ts';

type MenuButtonProps = ActionIconProps & Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps>;

/** The button that opens the further actions. */
export const MenuButton = (props: MenuButtonProps) => (
  <ActionIcon variant="default" size={36} aria-label={t('More actions')} aria-haspopup="menu" {...props}>
    <Ellipsis size={18} aria-hidden />
  </ActionIcon>
);
