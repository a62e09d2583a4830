import { Button } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { LazyPicker } from './lazy-picker.tsx';
import type { PickerProps } from './picker.tsx';

type FindProps = Omit<PickerProps, 'onClose'> & { label: string };

/** Opens the picker. */
export function FindButton({ label, ...picker }: FindProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Search size={14} aria-hidden />}
        aria-haspopup="dialog"
        onPointerEnter={() => void LazyPicker.preload()}
        onFocus={() => void LazyPicker.preload()}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen ? <LazyPicker {...picker} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
