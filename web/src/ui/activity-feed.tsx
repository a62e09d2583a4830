import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/trpc.ts';
import { actionWords, entryDetails } from '../format/trading/audit.ts';
import { t } from '../language/language.ts';
import { type Subject, useAuditActors, useAuditSubjects } from './audit-subjects.tsx';
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
  const { reason } = useRuleCatalogue();
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
        <li key={entry.id} className="row apart single">
          <span className="clip">
            {actionWords(entry.action)} <About {...subjectOf(entry)} /> {entryDetails(entry, reason)}{' '}
            <span className="dim">{t('by {actor}', { actor: actorOf(entry.actor) })}</span>
          </span>
          <span className="dim small">
            <Time at={entry.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const About = ({ link, name }: Subject) => link ?? name;
