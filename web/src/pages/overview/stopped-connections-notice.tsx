import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pageMode } from '../../api/page-mode.ts';
import { trpc } from '../../api/trpc.ts';
import { isInUse, needsPerson } from '../../format/trading/connection.ts';
import { t } from '../../language/language.ts';

/** On paper pages one line, and only if a live matter waits for the user. */
export function StoppedConnectionsNotice() {
  const { data } = useQuery(trpc.venueConnections.list.queryOptions({}));
  const stopped = data?.filter((each) => isInUse(each) && needsPerson(each)) ?? [];
  if (pageMode === 'live' || stopped.length === 0) return null;
  return (
    <div className="notice warn" role="note" data-connections-line>
      <span>
        {t(
          '{count, plural, one {# connection with real money is} other {# connections with real money are}} stopped: {names}.',
          { count: stopped.length, names: stopped.map(({ label }) => label).join(', ') },
        )}
      </span>
      <Link to="/connections">
        {t('{count, plural, one {Look at it} other {Look at them}}', { count: stopped.length })}
      </Link>
    </div>
  );
}
