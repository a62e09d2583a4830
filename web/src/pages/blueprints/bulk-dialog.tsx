import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readProblem } from '../../api/problem.ts';
import { client, invalidate } from '../../api/trpc.ts';
import { msg, t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import type { Row } from './table.tsx';

export type BulkAct = 'stop' | 'delete';

const isRunning = ({ status }: Row): boolean => status === 'running' || status === 'error';

const WORDS = {
  stop: {
    question: msg('Stop {count, plural, one {# strategy} other {# strategies}}?'),
    action: msg('Stop {count, plural, one {# strategy} other {# strategies}}'),
    none: msg('None of them can be stopped.'),
    done: msg('stopped'),
    effect: msg(
      'Waiting and queued orders of theirs are canceled at once. Orders at a venue get a cancel and may still fill until the venue confirms. Positions stay, and no exit node guards them any more.',
    ),
    unfit: msg('does not run'),
  },
  delete: {
    question: msg('Delete {count, plural, one {# strategy} other {# strategies}}?'),
    action: msg('Delete {count, plural, one {# strategy} other {# strategies}}'),
    none: msg('None of them can be deleted.'),
    done: msg('deleted'),
    effect: msg(
      'Their graphs and releases cannot be opened any more. Orders, fills and results stay in the account. One with open positions is refused.',
    ),
    unfit: msg('runs: stop it first'),
  },
} as const;

type BulkProps = { act: BulkAct; blueprints: readonly Row[]; onClose: () => void };

/** The same act on several blueprints, one after another. A refusal of one does not stop the others. */
export function BulkDialog({ act, blueprints: selection, onClose }: BulkProps) {
  // The selection at opening: a strategy that runs now may not a moment later.
  const [blueprints] = useState(selection);
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const { question, action, none, done, effect, unfit } = WORDS[act];
  const fits = (row: Row) => isRunning(row) === (act === 'stop');
  const fitting = blueprints.filter(fits);
  const run = useMutation({
    mutationFn: async (idempotencyKey: string) => {
      for (const { id } of fitting) {
        const result = await outcomeOf(() =>
          act === 'stop'
            ? client.blueprints.stop.mutate({ id }, { context: { idempotencyKey: `${idempotencyKey}${id}` } })
            : client.blueprints.delete.mutate({ id }),
        );
        setResults((before) => new Map(before).set(id, result ?? t(done)));
      }
    },
    onSettled: () => invalidate(),
  });
  const count = fitting.length;
  return (
    <ConfirmDialog
      title={run.isSuccess ? t('What became of each') : t(question, { count })}
      action={run.isSuccess ? t('Done') : t(action, { count })}
      danger={!run.isSuccess}
      blocked={count === 0 ? t(none) : null}
      pending={run.isPending}
      error={run.error}
      onConfirm={(key) => (run.isSuccess ? onClose() : run.mutate(key))}
      onClose={onClose}
    >
      <ul className="plain-list">
        {blueprints.map((row) => (
          <li key={row.id}>
            {row.name} <span className="dim">{results.get(row.id) ?? (fits(row) ? '' : t(unfit))}</span>
          </li>
        ))}
      </ul>
      <p className="plain dim">{t(effect)}</p>
    </ConfirmDialog>
  );
}

/** The reason of a refusal, or null. */
async function outcomeOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    return readProblem(error).message;
  }
}
