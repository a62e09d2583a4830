import { Button } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { t } from '../../language/language.ts';

type FiltersProps = {
  /** Each filter's value, unset if it lets every row pass. */
  values: readonly (string | undefined)[];
  children: ReactNode;
};

/** The filters of a list, in its head; on a phone behind one button, which counts those that are set. */
export function Filters({ values, children }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const count = values.filter((value) => value !== undefined && value !== '').length;
  return (
    <>
      <Button
        className="filters-button"
        variant="default"
        leftSection={<ListFilter size={14} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? t('Filter') : t('Filter ({count})', { count })}
      </Button>
      <div id={id} className={isOpen ? 'filters open' : 'filters'}>
        {children}
      </div>
    </>
  );
}
