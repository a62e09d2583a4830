import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t, translateServed } from '../../language/language.ts';
import { Panel } from '../../ui/panel.tsx';

type PanelProps = {
  title: string;
  /** The text of the review button, for this number of changes. */
  reviewWords: (changed: number) => string;
  changed: number;
  isFaulty: boolean;
  onUndo: () => void;
  onReview: () => void;
  children: ReactNode;
};

/** Fields for limits, and the button that reviews them before they are in force. */
export const LimitsPanel = ({
  title,
  reviewWords,
  changed,
  isFaulty,
  onUndo,
  onReview,
  children,
}: PanelProps) => (
  <Panel
    title={title}
    flush
    actions={
      <>
        <Button variant="default" disabled={changed === 0} onClick={onUndo}>
          {t('Undo')}
        </Button>
        <Button disabled={changed === 0 || isFaulty} onClick={onReview}>
          {changed === 0 ? t('No changes') : reviewWords(changed)}
        </Button>
      </>
    }
  >
    <ul className="list">{children}</ul>
  </Panel>
);

type RowProps = {
  id: string;
  rule: { readonly title: string; readonly help: string; readonly unit: string };
  /** Null: it is off. */
  typed: string | null;
  fault: string | null;
  /** The stored limit, if another is typed. */
  was: string | null;
  onType: (typed: string) => void;
  /** Shown between the name and the limit. */
  children: ReactNode;
};

/** One limit: its meaning, its use, and its field. */
export const LimitRow = ({ id, rule, typed, fault, was, onType, children }: RowProps) => (
  <li className="rule-row">
    <div>
      <label htmlFor={id}>
        <strong>{rule.title}</strong>
      </label>
      <div className="dim small" id={`${id}-help`}>
        {rule.help}
      </div>
    </div>
    {children}
    <div className="field">
      <span className="row tight">
        <input
          id={id}
          className="text-input num limit-input"
          inputMode="decimal"
          autoComplete="off"
          disabled={typed === null}
          value={typed ?? ''}
          aria-invalid={fault ? true : undefined}
          aria-describedby={`${id}-help`}
          onChange={(event) => onType(event.currentTarget.value)}
        />
        <span className="dim small limit-unit">{translateServed(rule.unit)}</span>
      </span>
      {fault ? <span className="error">{fault}</span> : null}
      {was !== null && !fault ? <span className="hint">{t('was {was}', { was })}</span> : null}
    </div>
  </li>
);

/** The reason why a typed limit is invalid, or null. */
export function limitFault(typed: string, isWhole: boolean): string | null {
  if (!/^\d+(\.\d+)?$/.test(typed.trim())) return t('Enter 0 or more.');
  return isWhole && typed.includes('.') ? t('A whole number.') : null;
}
