import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Blueprint } from '../../../api/row-types.ts';
import { client, type Outputs, trpc } from '../../../api/trpc.ts';
import { actorWords } from '../../../format/trading/audit.ts';
import { msg, t } from '../../../language/language.ts';
import { curl } from '../../../ui/copy.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel, RowSkeleton } from '../../../ui/panel.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { SortedTable } from '../../../ui/table/sorted-table.tsx';
import { Time } from '../../../ui/time.tsx';
import { ComparePanel } from './compare-panel.tsx';

type ReleasesProps = {
  blueprint: Blueprint;
  /** Shows the stored graph, whatever was edited. */
  takeStored: () => Promise<boolean>;
};

/** The key of the user's column choice. */
const TABLE = 'releases';

/** Every release, with its time and author; any of it can be restored into the draft. */
export function ReleasesTab({ blueprint, takeStored }: ReleasesProps) {
  const { id, status } = blueprint;
  const releases = useQuery(trpc.blueprints.releases.queryOptions({ id }));
  const [restoring, setRestoring] = useState<number | null>(null);
  const numbers = releases.data?.map(({ number }) => number) ?? [];
  return (
    <div className="stack">
      <Panel title={t('Releases')} flush>
        {releases.error && !releases.data ? <ProblemNotice error={releases.error} /> : null}
        {!releases.data && !releases.error ? <RowSkeleton rows={4} height={22} /> : null}
        {releases.data?.length === 0 ? (
          <EmptyState
            title={t('Not deployed yet')}
            why={t('Each deploy freezes the draft as a numbered release.')}
            command={curl('POST', `/api/blueprints/${id}/deploy`)}
          />
        ) : null}
        {releases.data && releases.data.length > 0 ? (
          <SortedTable
            name={TABLE}
            columns={COLUMNS}
            rows={releases.data.map(withId)}
            nameOf={({ number }) => t('Release {number}', { number: String(number) })}
            first="number"
            actions={({ number }) => (
              <Button
                variant="default"
                disabled={status === 'running'}
                title={status === 'running' ? t('Stop the strategy first.') : undefined}
                onClick={() => setRestoring(number)}
              >
                {t('Restore…')}
              </Button>
            )}
          />
        ) : null}
        {restoring === null ? null : (
          <RestoreDialog
            blueprint={blueprint}
            takeStored={takeStored}
            number={restoring}
            onClose={() => setRestoring(null)}
          />
        )}
      </Panel>
      {numbers.length > 0 ? (
        <ComparePanel key={numbers.length} blueprint={blueprint} numbers={numbers} />
      ) : null}
    </div>
  );
}

type Release = Outputs['blueprints']['releases'][number];

const withId = (release: Release) => ({ ...release, id: String(release.number) });

const COLUMNS: readonly Column<Release>[] = [
  { id: 'number', title: msg('Release'), sortBy: ({ number }) => number, cell: ({ number }) => number },
  { id: 'name', title: msg('Name at deploy'), sortBy: ({ name }) => name, cell: ({ name }) => name },
  { id: 'deployed', title: msg('Deployed'), cell: ({ deployedAt }) => <Time at={deployedAt} /> },
  { id: 'by', title: msg('By'), cell: ({ deployedBy }) => actorWords(deployedBy) },
];

type RestoreProps = ReleasesProps & { number: number; onClose: () => void };

function RestoreDialog({ blueprint, takeStored, number, onClose }: RestoreProps) {
  const { id, name } = blueprint;
  const restore = useMutation({
    mutationFn: (idempotencyKey: string) =>
      client.blueprints.restore.mutate({ id, n: number }, { context: { idempotencyKey } }),
    onSuccess: async () => {
      await takeStored();
      notifications.show({ message: t('Release {number} is the draft now.', { number }) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('Restore release {number} of “{name}”?', { number, name })}
      action={t('Restore release {number}', { number })}
      pending={restore.isPending}
      error={restore.error}
      onConfirm={(key) => restore.mutate(key)}
      onClose={onClose}
    >
      <p className="plain">
        {t(
          'The draft is replaced by what was deployed then. Nothing starts; to run it, deploy it. What was deployed since stays in this list; edits that were never deployed are lost.',
        )}
      </p>
    </ConfirmDialog>
  );
}
