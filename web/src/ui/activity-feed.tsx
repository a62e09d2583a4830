import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Outputs, trpc } from '../api/trpc.ts';
import { actionWords, entryDetails } from '../format/trading/audit.ts';
import { t } from '../language/language.ts';
import { StrategyLink, type Subject, useAuditActors, useAuditSubjects } from './audit-subjects.tsx';
import { RowSkeleton } from './panel.tsx';
import { ProblemNotice } from './problem.tsx';
import { Time } from './time.tsx';
import { useRuleCatalogue } from './use-rule-catalogue.ts';

const ROWS = 8;

export function ActivityFeed() {
  const audit = useQuery({
    ...trpc.console.activity.queryOptions({ limit: ROWS }),
    refetchInterval: 15_000,
  });
  const subjectOf = useAuditSubjects();
  const actorOf = useAuditActors();
  if (audit.error && !audit.data) return <ProblemNotice error={audit.error} />;
  if (!audit.data) return <RowSkeleton rows={ROWS} height={18} />;
  if (audit.data.length === 0) {
    return (
      <div className="empty">
        <p>{t('Fills, denials, decisions of yours, of your keys and of your strategies show up here.')}</p>
      </div>
    );
  }
  return (
    <ul className="list">
      {audit.data.map((entry) => (
        <Row key={entry.id} entry={entry} subject={subjectOf(entry)} actor={actorOf(entry.actor)} />
      ))}
    </ul>
  );
}

type RowProps = { entry: Outputs['console']['activity'][number]; subject: Subject; actor: string };

/** An event over its details, which wrap: no price is cut. */
function Row({ entry, subject: { name, link, strategy }, actor }: RowProps) {
  const { reason } = useRuleCatalogue();
  const details = entryDetails(entry, reason);
  const isOrder = /^(order|fill)\./.test(entry.action);
  const order = strategy || isOrder ? entry.subjectId : null;
  const by = isOrder && entry.actor === 'system' ? null : t('by {actor}', { actor });
  return (
    <li className="row apart single baseline">
      <span className="happening">
        {actionWords(entry.action)}{' '}
        {strategy ? <StrategyLink {...strategy} /> : isOrder && details ? null : (link ?? name)}{' '}
        {strategy || by === null ? null : <span className="dim">{by}</span>}
        {details ? (
          <span className="happening-details small">
            {order ? (
              <Link to="/orders" search={{ order }}>
                {details}
              </Link>
            ) : (
              details
            )}
          </span>
        ) : null}
      </span>
      <span className="dim small">
        <Time at={entry.at} />
      </span>
    </li>
  );
}
