import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { useSettings } from '../../settings/store.ts';
import { PageHead } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { AccountsPanel } from './accounts.tsx';
import { DatabasePanel, ProcessesPanel, QueuesPanel } from './operations.tsx';

const REFRESH_MS = 5_000;

/** The accounts of this service, its queues and its processes. Nothing that an account trades. */
export function OperatorPage() {
  const operations = useQuery({
    ...trpc.console.operator.operations.queryOptions({}),
    refetchInterval: REFRESH_MS,
  });
  const user = useQuery(sessionQuery).data;
  const isOperator = operations.data !== undefined;
  // From now on this browser has a link to the page in the navigation of this user.
  useEffect(() => {
    if (isOperator && user) useSettings.getState().set({ operatorId: user.id });
  }, [isOperator, user]);
  return (
    <div className="page">
      <PageHead title={t('Operator')}>
        {operations.data ? (
          <span className="dim">{t('Version {version}', { version: operations.data.version })}</span>
        ) : null}
      </PageHead>
      {operations.data ? (
        <>
          <AccountsPanel />
          <QueuesPanel queues={operations.data.queues} />
          <ProcessesPanel processes={operations.data.processes} />
          <DatabasePanel operations={operations.data} />
        </>
      ) : (
        <PendingRows query={operations} rows={10} height={22} />
      )}
    </div>
  );
}
