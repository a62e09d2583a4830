import { Button, type ButtonProps } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { t } from '../../language/language.ts';

type ColumnButtonProps = ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>;

/** The button that opens the choice of columns. */
export const ColumnButton = (props: ColumnButtonProps) => (
  <Button
    variant="default"
    leftSection={<Columns3 size={14} aria-hidden />}
    aria-haspopup="dialog"
    {...props}
  >
    {t('Columns')}
  </Button>
);
