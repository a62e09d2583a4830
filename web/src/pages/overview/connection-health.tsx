import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { environmentWords, isInUse } from '../../format/trading/connection.ts';
import { venueTitle } from '../../format/trading/venue.ts';
import { t, translateReason } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ConnectionStateMark } from '../../ui/status.tsx';
import { Age } from '../../ui/time.tsx';

/** Whether live orders can be sent, and if not, why. */
export function ConnectionHealth() {
  const connections = useQuery(trpc.venueConnections.list.queryOptions({})).data?.filter(isInUse);
  return (
    <Panel title={t('Connections')} actions={<Link to="/connections">{t('All')}</Link>} flush>
      {connections === undefined ? <RowSkeleton rows={2} /> : null}
      {connections?.length === 0 ? (
        <EmptyState
          title={t('No account at a venue is connected')}
          why={t('No order can leave until one is.')}
          action={<Link to="/connections">{t('Connect an account')}</Link>}
        />
      ) : null}
      <ul className="list">
        {connections?.map(({ id, label, venue, environment, state, stateReason, reconciledAt }) => (
          <li key={id} className="stack tight">
            <span className="row apart">
              <span>
                {label}{' '}
                <span className="dim small">
                  {venueTitle(venue)}, {environmentWords(environment).toLowerCase()}
                </span>
              </span>
              <ConnectionStateMark state={state} />
            </span>
            <span className="dim small">
              {stateReason ? `${translateReason(stateReason)} ` : ''}
              {reconciledAt ? (
                <Trans message="Books compared {age}." values={{ age: <Age at={reconciledAt} /> }} />
              ) : (
                t('Books never compared.')
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
