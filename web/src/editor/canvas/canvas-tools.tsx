import { Button } from '@mantine/core';
import { Maximize2, Minimize2, Redo2, SlidersHorizontal, Sparkles, Undo2 } from 'lucide-react';
import { useStore } from 'zustand';
import { t } from '../../language/language.ts';
import { redo, undo, useEditor } from '../store.ts';

/** Buttons for the editor's keys, for the mouse. */
export function UndoButtons() {
  const past = useStore(useEditor.temporal, ({ pastStates }) => pastStates.length);
  const future = useStore(useEditor.temporal, ({ futureStates }) => futureStates.length);
  return (
    <>
      <Button
        variant="default"
        aria-label={t('Undo')}
        title={t('Undo, Ctrl Z')}
        disabled={past === 0}
        onClick={() => undo()}
      >
        <Undo2 size={14} aria-hidden />
      </Button>
      <Button
        variant="default"
        aria-label={t('Redo')}
        title={t('Redo, Ctrl Shift Z')}
        disabled={future === 0}
        onClick={() => redo()}
      >
        <Redo2 size={14} aria-hidden />
      </Button>
    </>
  );
}

export const TidyButton = ({ tidy }: { tidy: () => void }) => (
  <Button
    variant="default"
    leftSection={<Sparkles size={14} aria-hidden />}
    title={t('Arrange the nodes, Shift Alt T')}
    onClick={tidy}
  >
    {t('Tidy')}
  </Button>
);

type GuideButtonProps = { isOpen: boolean; toggle: () => void };

export const GuideButton = ({ isOpen, toggle }: GuideButtonProps) => (
  <Button
    variant="default"
    leftSection={<SlidersHorizontal size={14} aria-hidden />}
    aria-pressed={isOpen}
    title={t('Parameters, and the parts of a strategy')}
    onClick={toggle}
  >
    {t('Parameters')}
  </Button>
);

type WholeWindowButtonProps = { isWhole: boolean; toggle: () => void };

export const WholeWindowButton = ({ isWhole, toggle }: WholeWindowButtonProps) => (
  <Button
    variant="default"
    aria-label={t('Whole window')}
    aria-pressed={isWhole}
    title={t('Whole window, W')}
    onClick={toggle}
  >
    {isWhole ? <Minimize2 size={14} aria-hidden /> : <Maximize2 size={14} aria-hidden />}
  </Button>
);
