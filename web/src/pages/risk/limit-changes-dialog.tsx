import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { invalidate, trpc } from '../../api/trpc.ts';
import { reviewWords } from '../../format/rule-words.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';

/** One limit before and after the change, in words. */
export type ChangeLine = {
  readonly name: string;
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly isLooser: boolean;
};

type LimitChangesProps = {
  lines: readonly ChangeLine[];
  pending: boolean;
  error: unknown;
  onSave: () => void;
  onClose: () => void;
  /** The effect of the change. */
  children: ReactNode;
};

/** The changes and their direction. Loosening takes one further step. */
export function LimitChangesDialog({ lines, pending, error, onSave, onClose, children }: LimitChangesProps) {
  const loosened = lines.filter(({ isLooser }) => isLooser).length;
  const what = reviewWords(loosened, lines.length - loosened);
  return (
    <ConfirmDialog
      title={`${what}?`}
      action={what}
      danger={loosened > 0}
      typeToConfirm={loosened > 0 ? 'loosen' : undefined}
      pending={pending}
      error={error}
      onConfirm={onSave}
      onClose={onClose}
    >
      <table className="rows">
        <thead>
          <tr>
            <th>{t('Rule')}</th>
            <th className="num">{t('Now')}</th>
            <th className="num">{t('Then')}</th>
            <th>{t('Effect')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, title, before, after, isLooser }) => (
            <tr key={name}>
              <td>{title}</td>
              <td className="num">{before}</td>
              <td className="num">{after}</td>
              <td>{isLooser ? <span className="warn">{t('looser')}</span> : t('stricter')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </ConfirmDialog>
  );
}

/** Says that limits were saved, and reads again the data that depends on them. */
export function notifyRulesSaved(): void {
  invalidate(trpc.riskRules.pathFilter());
  invalidate(trpc.audit.pathFilter());
  notifications.show({ message: t('Saved. It applies from the next decision on.') });
}
